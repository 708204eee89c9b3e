import { css } from '../style.ts';

const numbers = (from: number, through: number): number[] =>
  Array.from({ length: through - from + 1 }, (_, index) => from + index);

/** Columns of the board are quarters of an hour. The page's policy allows no styles in elements. */
const columns = [
  ...numbers(1, 96).map((column) => `.at-${column} { grid-column-start: ${column}; }`),
  ...numbers(2, 96).map((length) => `.span-${length} { grid-column-end: span ${length}; }`),
  ...numbers(1, 24).map((hours) => `.quarters-${hours * 4} { --quarters: ${hours * 4}; }`),
].join('\n');

/**
 * What the office adds to the style of every page: wide screens, a board, and paper. On the board, the line above a
 * visit shows its time. The text of a short visit is wider than that, and the next visit covers what does not fit.
 */
export const officeStyle = `${css`
  .office {
    max-width: none;
  }
  .office .top {
    flex-wrap: wrap;
  }
  .top nav ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .top nav a {
    display: inline-block;
    padding: 0.4rem 0;
  }
  .top [aria-current] {
    color: var(--text);
    font-weight: 600;
    text-decoration: none;
  }
  .office .bare {
    background: none;
    border: 0;
    box-shadow: none;
    margin: 0;
    padding: 0;
  }
  button.link {
    background: none;
    border: 0;
    color: var(--brand);
    font-weight: 400;
    padding: 0.4rem 0;
    text-decoration: underline;
    width: auto;
  }
  .steps-of-days {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.25rem;
    margin: 0.5rem 0 1rem;
  }
  .steps-of-days a {
    padding: 0.25rem 0;
  }
  .agent h2 small {
    display: inline;
    font-weight: 400;
    margin-left: 0.5rem;
  }
  .visits {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .visit {
    border: 0 solid var(--brand);
    border-left-width: 4px;
    margin: 0.4rem 0;
    min-width: 0;
  }
  .visit.completed,
  .visit.canceled {
    border-color: var(--line);
  }
  .visit.tentative,
  .visit.queued {
    border-style: dashed;
  }
  .visit a {
    color: inherit;
    display: block;
    padding: 0.3rem 0.6rem;
    text-decoration: none;
  }
  .visit a > * {
    margin-right: 0.35rem;
  }
  .visit a:hover strong {
    text-decoration: underline;
  }
  .visit.canceled strong {
    text-decoration: line-through;
  }
  .visit p {
    color: var(--soft);
    font-size: 0.9rem;
    margin: 0 0.6rem;
  }
  .mark {
    color: var(--soft);
    font-size: 0.9rem;
  }
  .started .mark {
    color: var(--text);
    font-weight: 600;
  }
  .place {
    color: var(--soft);
  }
  .hours,
  .paper {
    display: none;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
  }
  .actions button {
    margin: 0;
  }
  .office :is(.times small) {
    color: inherit;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .search {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
    align-items: end;
  }
  .search .field {
    flex: 1 1 10rem;
    margin: 0;
  }
  .list {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .list > li {
    border-top: 1px solid var(--line);
    padding: 0.5rem 0;
  }
  .list > li:first-child {
    border-top: 0;
  }
  .scroll {
    overflow-x: auto;
  }
  .scroll table {
    border-collapse: separate;
    border-spacing: 0;
  }
  .scroll :is(th, td) {
    overflow-wrap: normal;
  }
  .scroll th:first-child {
    background: var(--card);
    box-shadow: -1.5rem 0 var(--card);
    left: 0;
    position: sticky;
  }
  .scroll .number + td:not(.number) {
    padding-left: 0.75rem;
  }
  .scroll tbody tr:last-child td {
    border-bottom: 1px solid var(--line);
  }
  .scroll tfoot th {
    border-bottom: 0;
  }
  .late {
    color: var(--error);
  }
  dialog {
    background: none;
    border: 0;
    color: inherit;
    max-width: min(30rem, 95vw);
    padding: 0;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 50%);
  }
  .orders {
    display: grid;
    gap: 0 1.5rem;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr));
  }
  .orders .drive {
    color: var(--soft);
    font-size: 0.9rem;
    margin: 0;
  }
  @media screen and (min-width: 64rem) {
    .board .hours,
    .board .agent {
      display: grid;
      grid-template-columns: 11rem minmax(0, 1fr);
    }
    .board .hours {
      color: var(--soft);
      font-size: 0.85rem;
      grid-template-columns: repeat(calc(var(--quarters) / 4), minmax(0, 1fr));
      margin-left: 11rem;
      padding: 0 1.1rem;
    }
    .board .agent {
      border-radius: 0;
      margin: 0;
      padding: 0.4rem 1.1rem;
    }
    .board .agent h2 {
      font-size: 1rem;
      margin: 0;
      padding-right: 0.75rem;
    }
    .board .agent h2 small {
      display: block;
      margin: 0;
    }
    .board .visits {
      display: grid;
      gap: 0.25rem 0.15rem;
      grid-auto-flow: row dense;
      grid-template-columns: repeat(var(--quarters), minmax(0, 1fr));
      min-height: 2.5rem;
      overflow-x: clip;
      position: relative;
    }
    .board .visit {
      border-top-width: 4px;
      font-size: 0.85rem;
      line-height: 1.3;
      margin: 0;
    }
    .board .visit a {
      background: var(--card);
      width: max(100%, 12rem);
    }
    .board .visit:is(:hover, :focus-within) {
      z-index: 1;
    }
    .board [data-visit]:not([data-visit='']) {
      cursor: grab;
      user-select: none;
    }
    .board .dragged {
      box-shadow: 0 0.2rem 0.6rem rgb(0 0 0 / 40%);
      grid-column: auto;
      pointer-events: none;
      position: absolute;
      top: 0;
      z-index: 1;
    }
    .dragging {
      cursor: grabbing;
    }
    .board .visit a > * {
      display: block;
      margin: 0;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .board .gap,
    .board .scheduled .mark {
      display: none;
    }
  }
  @media print {
    .top,
    .steps-of-days,
    .others {
      display: none;
    }
    .agent {
      break-after: page;
    }
    .paper {
      display: block;
    }
  }
`}${columns}`;
