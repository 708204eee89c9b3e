import { line } from 'd3-shape';
import { type Html, html } from '../../html.ts';
import { type PlotMonth, axesOf, plot, rounded } from './axes.ts';

interface SharePlot {
  readonly months: readonly PlotMonth[];
  /** From 0 to 1; `undefined` for a month of which nothing is known. */
  readonly shares: readonly (number | undefined)[];
  readonly format: (value: number) => string;
  readonly name: string;
}

/** Shares by month as a line with points, with gaps where nothing is known. */
export function sharePlot({ months, shares, format, name }: SharePlot): Html {
  const axes = axesOf(months, 1);
  const { x, y } = axes;
  const at = (index: number): number => (x(index) ?? 0) + x.bandwidth() / 2;
  const path = line<number | undefined>()
    .defined((share) => share !== undefined)
    .x((_, index) => at(index))
    .y((share) => y(share ?? 0))
    .digits(1)(shares);
  const points = shares.flatMap((share, index) =>
    share === undefined
      ? []
      : html`<circle class="series-0" cx="${rounded(at(index))}" cy="${rounded(y(share))}" r="3.5">
          <title>${months[index]?.month}, ${format(share)}</title>
        </circle>`,
  );
  return plot({ months, axes, format, name, marks: [html`<path class="line" d="${path}" />`, ...points] });
}
