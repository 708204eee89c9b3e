import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale';
import { type Html, html } from '../../html.ts';

/** The axes of a plot by month, as SVG without styles, which the page's policy forbids in elements. */

/** The size of a plot in its own units: on a phone about a pixel each. */
const [WIDTH, HEIGHT] = [400, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 4, 10, 36];
const TICKS = 4;

export interface PlotMonth {
  /** `2026-11` */
  readonly month: string;
  /** `Nov` */
  readonly label: string;
}

export interface Axes {
  /** The place of a month, by its number. */
  readonly x: ScaleBand<number>;
  readonly y: ScaleLinear<number, number>;
}

/** The scales of the months and of values from 0 to a maximum. */
export function axesOf(months: readonly PlotMonth[], max: number): Axes {
  return {
    x: scaleBand<number>()
      .domain(months.keys())
      .range([LEFT, WIDTH - RIGHT])
      .paddingInner(0.25)
      .paddingOuter(0.1),
    y: scaleLinear()
      .domain([0, max || 1])
      .nice(TICKS)
      .range([HEIGHT - BOTTOM, TOP]),
  };
}

/** A coordinate, short. */
export const rounded = (value: number): string => String(Math.round(value * 10) / 10);

/** The year below the first month, and below each January. */
const yearBelow = ({ month }: PlotMonth, index: number): string =>
  index === 0 || month.endsWith('-01') ? month.slice(0, 4) : '';

interface Plot {
  readonly months: readonly PlotMonth[];
  readonly axes: Axes;
  /** A value as the axis shows it. */
  readonly format: (value: number) => string;
  /** Whether the values are counts, which have no fractions. */
  readonly isCount?: boolean;
  /** What a screen reader says of the picture. */
  readonly name: string;
  readonly marks: readonly Html[];
}

/** A plot with its axes. */
export function plot({ months, axes: { x, y }, format, isCount = false, name, marks }: Plot): Html {
  const middle = (index: number): string => rounded((x(index) ?? 0) + x.bandwidth() / 2);
  const [bottom] = y.range();
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${name}">
    ${y
      .ticks(TICKS)
      .filter((value) => !isCount || Number.isInteger(value))
      .map(
        (value) =>
          html`<line
              class="grid"
              x1="${LEFT}"
              x2="${WIDTH - RIGHT}"
              y1="${rounded(y(value))}"
              y2="${rounded(y(value))}"
            />
            <text class="tick value" x="${LEFT - 6}" y="${rounded(y(value) + 4)}">${format(value)}</text>`,
      )}
    ${marks}
    ${months.map(
      (each, index) =>
        html`<text class="tick" x="${middle(index)}" y="${(bottom ?? 0) + 15}">${each.label}</text> ${
            yearBelow(each, index) &&
            html`<text class="tick" x="${middle(index)}" y="${(bottom ?? 0) + 30}">${yearBelow(each, index)}</text>`
          }`,
    )}
  </svg>`;
}
