import { stack } from 'd3-shape';
import { type Html, html } from '../../html.ts';
import { type PlotMonth, axesOf, plot, rounded } from './axes.ts';

/** Values by month that have one color. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

interface BarPlot {
  readonly months: readonly PlotMonth[];
  /** From the bottom up; at most six have a color of their own. */
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  readonly isCount?: boolean;
  readonly name: string;
}

/** Bars by month; several series lie on each other. A month below 0 has no bar. */
export function barPlot({ months, series, format, isCount = false, name }: BarPlot): Html {
  const rows = months.map((_, index) => series.map(({ values }) => Math.max(0, values[index] ?? 0)));
  const stacked = stack<readonly number[], number>()
    .keys(series.keys())
    .value((row, key) => row[key] ?? 0)(rows);
  const axes = axesOf(months, Math.max(0, ...stacked.flatMap((layer) => layer.map(([, top]) => top))));
  const { x, y } = axes;
  const labelOf = (index: number, number: number, value: number): string =>
    [months[index]?.month, series.length > 1 && series[number]?.name, format(value)].filter(Boolean).join(', ');
  const marks = stacked.flatMap((layer, number) =>
    layer.flatMap(([from, to], index) =>
      to > from
        ? html`<rect
            class="series-${number}"
            x="${rounded(x(index) ?? 0)}"
            width="${rounded(x.bandwidth())}"
            y="${rounded(y(to))}"
            height="${rounded(y(from) - y(to))}"
          >
            <title>${labelOf(index, number, to - from)}</title>
          </rect>`
        : [],
    ),
  );
  return plot({ months, axes, format, isCount, name, marks });
}
