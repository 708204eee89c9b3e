import { readableOn } from '../shared/colors.ts';

/** Marks a style sheet for editors and formatters. */
export const css = (parts: TemplateStringsArray): string => parts.join('');

/** Backgrounds of links and marks in the company's color: the darker light one, and the lighter dark one. */
const GROUNDS = { light: '#f4f5f7', dark: '#1f2327' } as const;

/** A company's color as buttons can use it for text and background: darkened or lightened until it is readable. */
export const brandColors = (color: string): { readonly light: string; readonly dark: string } => ({
  light: readableOn(GROUNDS.light, color, '#000000'),
  dark: readableOn(GROUNDS.dark, color, '#ffffff'),
});

/** The style sheet of a company's color. Text on it is white in the light scheme, and nearly black in the dark one. */
export function brandStyle(color: string): string {
  const { light, dark } = brandColors(color);
  return `:root { --brand: light-dark(${light}, ${dark}); --on-brand: light-dark(#fff, #0d1b2a); }\n`;
}

/** The style sheet of every page: system fonts, phone first, light and dark. */
export const style = css`
  :root {
    color-scheme: light dark;
    --text: light-dark(#1a1d21, #e9ecef);
    --soft: light-dark(#565d66, #a8b0b9);
    --line: light-dark(#d9dde2, #3a4149);
    --ground: light-dark(#f4f5f7, #15181b);
    --card: light-dark(#fff, #1f2327);
    --brand: light-dark(#0b5cad, #8cc2ff);
    --on-brand: light-dark(#fff, #0d1b2a);
    --good: light-dark(#e5f4e8, #1c3a24);
    --bad: light-dark(#fdecea, #45201c);
    --test: light-dark(#fff3cd, #45380f);
    --error: light-dark(#b3261e, #ffb4ab);
  }
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0 auto;
    max-width: 46rem;
    padding: 0 1rem 3rem;
    font:
      1rem/1.5 system-ui,
      sans-serif;
    color: var(--text);
    background: var(--ground);
    overflow-wrap: anywhere;
    accent-color: var(--brand);
  }
  [hidden] {
    display: none !important;
  }
  section p:first-child,
  details p:first-child,
  form > input[type='hidden'] + p {
    margin-top: 0;
  }
  section p:last-child {
    margin-bottom: 0;
  }
  .skip {
    position: absolute;
    left: -99rem;
  }
  .skip:focus {
    position: static;
  }
  header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 1rem;
    padding: 0.5rem 0;
    border-bottom: 1px solid var(--line);
  }
  .company {
    font-weight: 600;
  }
  .company,
  .company a {
    display: flex;
    align-items: center;
    gap: 0.6rem;
  }
  .company a {
    text-decoration: none;
  }
  .due {
    font-size: 2rem;
    font-weight: 700;
    line-height: 1.25;
    margin: 0 0 0.75rem;
  }
  .due + .error {
    margin-bottom: 0.75rem;
  }
  .lead {
    font-size: 1.1rem;
  }
  .company img {
    max-width: 10rem;
    max-height: 3rem;
  }
  a {
    color: var(--brand);
  }
  h1 {
    font-size: 1.6rem;
    line-height: 1.25;
    margin: 1.25rem 0 0.5rem;
  }
  h2 {
    font-size: 1.15rem;
    margin: 0 0 0.5rem;
  }
  h2 + p {
    margin-top: 0;
  }
  input:is([type='radio'], [type='checkbox']) {
    width: 1.1rem;
    height: 1.1rem;
    margin: 0 0.25rem 0 0;
    vertical-align: -0.15rem;
  }
  .for,
  .facts dt,
  .hint,
  small,
  footer {
    color: var(--soft);
  }
  .for {
    margin: 0 0 0.5rem;
  }
  .facts {
    display: grid;
    grid-template-columns: fit-content(40%) minmax(0, 1fr);
    gap: 0.4rem 1rem;
    margin: 0.75rem 0;
  }
  .facts:last-child {
    margin-bottom: 0;
  }
  .facts:first-child,
  .columns > * > :first-child {
    margin-top: 0;
  }
  .columns {
    margin-top: 1rem;
  }
  .facts div {
    display: contents;
  }
  .facts dd {
    margin: 0;
  }
  /* Behind what is done first, as a part of its own. */
  .due ~ .facts {
    border-top: 1px solid var(--line);
    margin-top: 1rem;
    padding-top: 0.75rem;
  }
  footer {
    border-top: 1px solid var(--line);
    margin-top: 2rem;
    padding-top: 0.75rem;
  }
  footer p {
    margin: 0.25rem 0;
  }
  .due small {
    font-size: 1rem;
    font-weight: 400;
  }
  small {
    display: block;
  }
  section,
  form:not(section form, details form, .plain form),
  details {
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: 0.6rem;
    box-shadow: 0 1px 2px rgb(0 0 0 / 6%);
    padding: 1.1rem;
    margin: 1rem 0;
  }
  summary {
    cursor: pointer;
    font-weight: 600;
    margin: -1.1rem;
    padding: 0.8rem 1.1rem;
  }
  [open] summary {
    margin-bottom: 0;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    text-align: left;
    vertical-align: top;
    padding: 0.4rem 0.5rem 0.4rem 0;
    border-bottom: 1px solid var(--line);
  }
  th {
    font-size: 0.9rem;
    overflow-wrap: normal;
  }
  table:last-child tr:last-child td {
    border-bottom: 0;
  }
  .number {
    text-align: right;
    white-space: nowrap;
    padding-right: 0;
    padding-left: 0.75rem;
  }
  .totals {
    margin: 0.5rem 0 0;
  }
  .totals div {
    display: flex;
    justify-content: space-between;
    gap: 1rem;
    padding: 0.2rem 0;
  }
  .totals dd {
    margin: 0;
    white-space: nowrap;
  }
  .totals .sum {
    font-weight: 700;
    border-top: 1px solid var(--line);
  }
  legend {
    padding: 0;
  }
  fieldset {
    border: 0;
    margin: 0;
    padding: 0;
    min-width: 0;
  }
  .options {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 0.75rem;
    grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr));
  }
  .option {
    position: relative;
    border: 2px solid var(--line);
    border-radius: 0.6rem;
    padding: 0.9rem;
  }
  .option:has(input):hover,
  .option.chosen {
    border-color: var(--brand);
  }
  .option span {
    display: block;
    font-size: 1.2rem;
    font-weight: 700;
  }
  /* The whole card chooses; its pictures open on top of it. */
  .option label::after {
    content: '';
    position: absolute;
    inset: 0;
    cursor: pointer;
  }
  .option :is(input, figure) {
    position: relative;
    z-index: 1;
  }
  /* Its first picture is over its name, and fills the card. */
  .option {
    display: flex;
    flex-direction: column;
    overflow: hidden;
  }
  .option figure:first-of-type {
    order: -1;
    margin: -0.9rem -0.9rem 0.75rem;
  }
  .option figure img {
    aspect-ratio: 16 / 9;
    object-fit: cover;
    border-radius: 0;
  }
  .option ul {
    padding-left: 1.5rem;
    margin: 0.5rem 0 0;
    list-style: '\\2713   ';
    color: var(--soft);
  }
  .pictures {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr));
  }
  figure {
    margin: 0.5rem 0 0;
  }
  figure img {
    display: block;
    width: 100%;
    height: auto;
    max-height: 24rem;
    object-fit: contain;
    border-radius: 0.4rem;
    background: var(--ground);
  }
  figcaption {
    color: var(--soft);
    margin-top: 0.25rem;
  }
  .choices {
    list-style: none;
    margin: 0.5rem 0 0;
    padding: 0;
  }
  .choices label {
    display: block;
    padding: 0.7rem 0.8rem 0.7rem 2.3rem;
    margin: 0 0 0.5rem;
    border: 1px solid var(--line);
    border-radius: 0.4rem;
    cursor: pointer;
  }
  .choices label:has(:checked) {
    border-color: var(--brand);
    box-shadow: inset 0 0 0 1px var(--brand);
  }
  .choices input {
    margin-left: -1.5rem;
  }
  .day {
    margin: 1rem 0;
  }
  form > :is(.field, .day):first-child,
  form > input[type='hidden'] + :is(.field, .day) {
    margin-top: 0;
  }
  .language,
  a[href^='tel:'] {
    white-space: nowrap;
  }
  .language:only-child {
    margin-left: auto;
  }
  .day legend,
  .field legend {
    font-weight: 600;
  }
  .month {
    table-layout: fixed;
  }
  .month caption,
  .months {
    font-weight: 600;
  }
  .month :is(th, td) {
    text-align: center;
    vertical-align: middle;
    padding: 0.15rem;
    border: 0;
    color: var(--soft);
  }
  .month a {
    display: block;
    padding: 0.5rem 0;
    border: 1px solid var(--brand);
    border-radius: 0.4rem;
    font-weight: 600;
    text-decoration: none;
  }
  .month [aria-current] {
    background: var(--brand);
    color: var(--on-brand);
  }
  .months {
    display: flex;
    justify-content: space-between;
    gap: 1rem;
    margin-bottom: 0;
  }
  .calendars {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  .months [rel='next'] {
    margin-left: auto;
  }
  .times {
    display: grid;
    gap: 0.5rem;
    grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr));
    margin-top: 0.5rem;
  }
  :is(.times, .scores) label {
    position: relative;
    border: 1px solid var(--soft);
    border-radius: 0.4rem;
    text-align: center;
    white-space: nowrap;
    padding: 0.6rem 0.1rem;
    cursor: pointer;
  }
  :is(.times, .scores) label:has(:checked) {
    border-color: var(--brand);
    outline: 1px solid var(--brand);
  }
  /* Tiles without circles, where a browser can colour the one that is chosen. */
  @supports selector(:has(*)) {
    @media (forced-colors: none) {
      :is(.times, .scores) input {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        margin: 0;
        opacity: 0;
        cursor: pointer;
      }
      :is(.times, .scores) label:hover {
        border-color: var(--brand);
      }
      :is(.times, .scores) label:has(:checked) {
        background: var(--brand);
        color: var(--on-brand);
        font-weight: 600;
      }
      :is(.times, .scores) label:has(:focus-visible) {
        outline: 3px solid var(--brand);
        outline-offset: 2px;
      }
    }
  }
  label {
    display: inline-block;
    min-height: 1.5rem;
  }
  .field {
    margin: 0.75rem 0;
  }
  .field > label {
    display: block;
    font-weight: 600;
  }
  input:is([type='text'], [type='email'], [type='tel'], [type='search'], [type='date'], [type='number']),
  select,
  textarea {
    width: 100%;
    font: inherit;
    color: inherit;
    background: var(--card);
    padding: 0.6rem;
    border: 1px solid var(--soft);
    border-radius: 0.4rem;
  }
  .wrong input,
  .wrong select,
  .wrong textarea {
    border-color: var(--error);
  }
  .error {
    color: var(--error);
    margin: 0.25rem 0;
  }
  button,
  .button {
    display: inline-block;
    font: inherit;
    font-weight: 600;
    padding: 0.7rem 1.2rem;
    border-radius: 0.4rem;
    border: 2px solid var(--brand);
    background: var(--brand);
    color: var(--on-brand);
    cursor: pointer;
    text-decoration: none;
  }
  .quiet {
    background: transparent;
    color: var(--brand);
    border-color: var(--line);
  }
  button.quiet {
    margin-top: 0.75rem;
  }
  :focus-visible {
    outline: 3px solid var(--brand);
    outline-offset: 2px;
  }
  .notice {
    border-radius: 0.6rem;
    padding: 0.75rem 1rem;
    margin: 1rem 0;
  }
  .notice h2,
  .notice p {
    margin: 0;
  }
  .good {
    background: var(--good);
  }
  .bad {
    background: var(--bad);
  }
  .test {
    background: var(--test);
  }
  .state {
    display: inline-block;
    margin: 0;
    padding: 0.15rem 0.6rem;
    border-radius: 1rem;
    background: var(--good);
    font-weight: 600;
  }
  .state.canceled {
    background: var(--bad);
  }
  .steps {
    display: grid;
    grid-auto-columns: minmax(min-content, 1fr);
    overflow-wrap: normal;
    grid-auto-flow: column;
    gap: 0.4rem;
    list-style: none;
    margin: 0 0 1rem;
    padding: 0;
    color: var(--soft);
    font-size: 0.9rem;
    line-height: 1.3;
  }
  .steps li {
    display: block;
    padding: 0.4rem 0 0;
    border-radius: 0;
    background: none;
    border-top: 4px solid var(--line);
    font-weight: 400;
  }
  .steps :is(.done, .state) {
    border-color: var(--brand);
  }
  .steps .state {
    color: var(--text);
    font-weight: 700;
  }
  .when {
    font-size: 1.15rem;
  }
  .scores {
    display: grid;
    gap: 0.5rem;
    grid-template-columns: repeat(auto-fill, minmax(2.6rem, 1fr));
    margin-top: 0.5rem;
  }
  /* The amount is asked for where it is chosen; browsers that cannot tell always ask. */
  form:has([name='tip']):not(:has([value='other']:checked)) .field:has([name='amount']) {
    display: none;
  }
  .next {
    position: sticky;
    bottom: 0;
    margin: 0.5rem -1rem -1rem;
    padding: 0.75rem 1rem;
    background: var(--card);
    border-top: 1px solid var(--line);
    border-radius: 0 0 0.6rem 0.6rem;
  }
  .drawing canvas {
    display: block;
    width: 100%;
    height: 9rem;
    border: 1px dashed var(--soft);
    border-radius: 0.4rem;
    /* Paper, and the line to sign on. */
    background: linear-gradient(#b4bac1, #b4bac1) 50% 75% / 90% 1px no-repeat #fff;
    touch-action: none;
  }
  .proof code {
    font-size: 0.85rem;
  }
  @media (max-width: 22rem) {
    .steps {
      grid-auto-flow: row;
    }
    .steps li {
      border-top: 0;
      border-left: 4px solid var(--line);
      padding: 0 0 0 0.5rem;
    }
    th {
      font-size: 0.8rem;
    }
    .number {
      padding-left: 0.4rem;
    }
  }
  @media (max-width: 30rem) {
    .wide {
      display: none;
    }
    button:not(.quiet),
    .button:not(.quiet) {
      width: 100%;
      text-align: center;
    }
  }
  /* What is done stands beside what it is about, and stays in sight where it fits. */
  @media screen and (min-width: 56rem) {
    body:has(.columns) {
      max-width: 68rem;
    }
    .columns {
      display: grid;
      grid-template-columns: minmax(0, 1fr) 23rem;
      gap: 2rem;
      align-items: start;
    }
    .columns > * {
      grid-row: 1;
    }
    .about {
      grid-column: 1;
    }
    .beside {
      grid-column: 2;
    }
    .beside button:not(.quiet),
    .beside .button:not(.quiet) {
      width: 100%;
      text-align: center;
    }
    h1 {
      font-size: 2rem;
      margin-top: 2rem;
    }
    section,
    form:not(section form, details form, .plain form) {
      padding: 1.4rem;
    }
    footer {
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem 2rem;
    }
  }
  @media screen and (min-width: 56rem) and (min-height: 50rem) {
    .beside {
      position: sticky;
      top: 0;
    }
  }
  @media print {
    :root {
      color-scheme: light;
    }
    /* An invoice of a few lines is one sheet. */
    html {
      font-size: 13px;
    }
    body {
      max-width: none;
      background: none;
    }
    footer {
      break-inside: avoid;
      margin-top: 1rem;
    }
    section {
      border: 0;
      box-shadow: none;
      padding: 0;
      break-inside: avoid;
    }
    form,
    details,
    .button,
    .links,
    .skip,
    .language,
    .calendars {
      display: none;
    }
  }
`;
