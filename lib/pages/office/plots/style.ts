import { css } from '../../style.ts';

/** Colors that differ in lightness too, 3:1 against the ground of a section. The last one is that of all others. */
const colors = [
  ['#0b5cad', '#8cc2ff'],
  ['#b45309', '#fdba74'],
  ['#047857', '#6ee7b7'],
  ['#86198f', '#e9a8f5'],
  ['#be123c', '#fda4af'],
  ['#6b7280', '#a8b0b9'],
]
  .map(([light, dark], number) => `.series-${number} { --series: light-dark(${light}, ${dark}); }`)
  .join('\n');

/** The style of plots. The page's policy allows no styles in elements. */
export const plotStyle = `${css`
  .pictures {
    display: grid;
    gap: 0 1rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .plot {
    display: block;
    height: auto;
    max-width: 40rem;
    width: 100%;
  }
  .plot text {
    fill: var(--soft);
    font-size: 11px;
    text-anchor: middle;
  }
  .plot .value {
    text-anchor: end;
  }
  .plot .grid {
    stroke: var(--line);
  }
  .plot :is(rect, circle) {
    fill: var(--series);
    stroke: var(--card);
  }
  .plot .line {
    fill: none;
    stroke: var(--brand);
    stroke-width: 2;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    list-style: none;
    margin: 0.5rem 0;
    padding: 0;
  }
  .swatch {
    background: var(--series);
    border-radius: 0.2rem;
    display: inline-block;
    height: 0.8rem;
    width: 0.8rem;
  }
  .pictures caption {
    font-weight: 600;
    padding: 0.5rem 0;
    text-align: left;
  }
  @media (min-width: 52rem) {
    .pictures {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  @media (forced-colors: active) {
    .plot,
    .swatch {
      forced-color-adjust: none;
    }
  }
`}${colors}`;
