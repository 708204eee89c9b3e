import type { MonthFigures } from '../../entities/figures.ts';
import { cents, fromCents } from '../../shared/money.ts';
import { type Content, type Html, html } from '../html.ts';
import { type OfficeFrame, officePage } from './frame.ts';
import type { PlotMonth } from './plots/axes.ts';
import { type Series, barPlot } from './plots/bar-plot.ts';
import { sharePlot } from './plots/share-plot.ts';
import type { OfficeTexts } from './texts/en.ts';
import type { OfficeWording } from './wording.ts';

export interface NumbersView {
  readonly zone: string;
  /** The months of the page, oldest first; the last one is not over. */
  readonly months: readonly string[];
  /** Without months that were not counted yet. */
  readonly figures: readonly MonthFigures[];
}

/** Channels with a color of their own; the others share one. */
const MAX_CHANNELS = 5;

interface Column {
  readonly name: string;
  readonly values: readonly string[];
  /** The value below the column; `""` for none. */
  readonly total: string;
}

/** The numbers of a picture as a table, newest first. */
function table({ frame: { wording }, monthNames }: Counted, caption: string, columns: readonly Column[]): Html {
  return html`<details>
    <summary>${wording.say('asTable')}</summary>
    <div class="scroll" tabindex="0" role="group" aria-label="${caption}">
      <table>
        <caption>
          ${caption}
        </caption>
        <thead>
          <tr>
            <th scope="col">${wording.say('month')}</th>
            ${columns.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${monthNames
            .map(
              (name, index) =>
                html`<tr>
                  <th scope="row">${name}</th>
                  ${columns.map(({ values }) => html`<td class="number">${values[index]}</td>`)}
                </tr>`,
            )
            .toReversed()}
        </tbody>
        ${
          columns.some(({ total }) => total) &&
          html`<tfoot>
            <tr>
              <th scope="row">${wording.say('total')}</th>
              ${columns.map(({ total }) => html`<td class="number">${total}</td>`)}
            </tr>
          </tfoot>`
        }
      </table>
    </div>
  </details>`;
}

const picture = (title: string, hint: string, ...contents: Content[]): Html =>
  html`<section>
    <h2>${title}</h2>
    <p class="hint">${hint}</p>
    ${contents}
  </section>`;

interface Counted {
  readonly frame: OfficeFrame;
  /** `November 2026`; the last one says that it is not over. */
  readonly monthNames: readonly string[];
  readonly plotMonths: readonly PlotMonth[];
  /** The figures of each month; `undefined` before it was counted. */
  readonly byMonth: readonly (MonthFigures | undefined)[];
}

interface Bars {
  readonly title: keyof OfficeTexts;
  readonly hint: keyof OfficeTexts;
  readonly valueOf: (figures: MonthFigures) => number;
  readonly sum: (values: readonly number[]) => number;
  readonly format: (value: number) => string;
  readonly axis: (value: number) => string;
  readonly isCount?: true;
}

/** One value a month as bars. */
function barSection(counted: Counted, { title, hint, ...of }: Bars): Html {
  const { frame, plotMonths, byMonth } = counted;
  const { wording } = frame;
  const values = byMonth.map((figures) => (figures ? of.valueOf(figures) : 0));
  const shown = byMonth.map((figures) => (figures ? of.format(of.valueOf(figures)) : '–'));
  const name = wording.say(title);
  return picture(
    name,
    wording.say(hint),
    barPlot({
      months: plotMonths,
      series: [{ name, values }],
      format: of.axis,
      isCount: of.isCount ?? false,
      name: wording.say('plotName', { title: name }),
    }),
    table(counted, wording.say('byMonth', { title: name }), [
      { name, values: shown, total: of.format(of.sum(values)) },
    ]),
  );
}

const add = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The leads of the most frequent channels by month, and of all others. */
function leadSeries(byMonth: Counted['byMonth'], wording: OfficeWording): Series[] {
  const channels = Map.groupBy(
    byMonth.flatMap((figures) => figures?.LeadsByChannel ?? []),
    ({ Channel }) => Channel.toLowerCase(),
  );
  const ranked = [...channels]
    .map(([key, own]) => ({ key, name: own[0]?.Channel ?? '', leads: add(own.map(({ Leads }) => Leads)) }))
    .sort((one, other) => other.leads - one.leads || (one.key < other.key ? -1 : 1));
  const series = ranked
    .slice(0, MAX_CHANNELS)
    .map(({ key, name }) => ({
      name: name || wording.say('noChannel'),
      values: byMonth.map((figures) =>
        add(
          (figures?.LeadsByChannel ?? [])
            .filter(({ Channel }) => Channel.toLowerCase() === key)
            .map(({ Leads }) => Leads),
        ),
      ),
    }));
  const others = byMonth.map(
    (figures, index) => (figures?.Leads ?? 0) - add(series.map(({ values }) => values[index] ?? 0)),
  );
  return others.some((count) => count > 0)
    ? [...series, { name: wording.say('otherChannels'), values: others }]
    : series;
}

/** Leads by channel, as bars of several colors. */
function leadSection(counted: Counted): Html {
  const { frame, plotMonths, byMonth } = counted;
  const { wording } = frame;
  const series = leadSeries(byMonth, wording);
  const title = wording.say('leadsByChannel');
  const count = (value: number): string => wording.quantity(value);
  const columns = [
    ...series.map(({ name, values }) => ({ name, values: values.map(count), total: count(add(values)) })),
    {
      name: wording.say('total'),
      values: byMonth.map((figures) => (figures ? count(figures.Leads) : '–')),
      total: count(add(byMonth.map((figures) => figures?.Leads ?? 0))),
    },
  ];
  return picture(
    title,
    wording.say('leadsHint'),
    barPlot({ months: plotMonths, series, format: count, isCount: true, name: wording.say('plotName', { title }) }),
    html`<ul class="legend">
      ${series.map(({ name }, number) => html`<li><span class="swatch series-${number}"></span> ${name}</li>`)}
    </ul>`,
    table(counted, wording.say('byMonth', { title }), columns),
  );
}

/** The share of proposals that clients accepted. */
function acceptanceSection(counted: Counted): Html {
  const { frame, plotMonths, byMonth } = counted;
  const { wording } = frame;
  const title = wording.say('acceptanceRate');
  const shares = byMonth.map((figures) =>
    figures?.Proposals ? figures.AcceptedProposals / figures.Proposals : undefined,
  );
  const counts = (field: 'Proposals' | 'AcceptedProposals', name: string): Column => ({
    name,
    values: byMonth.map((figures) => (figures ? wording.quantity(figures[field]) : '–')),
    total: wording.quantity(add(byMonth.map((figures) => figures?.[field] ?? 0))),
  });
  const columns = [
    counts('Proposals', wording.say('proposals')),
    counts('AcceptedProposals', wording.say('accepted')),
    { name: title, values: shares.map((share) => (share === undefined ? '–' : wording.percent(share))), total: '' },
  ];
  return picture(
    title,
    wording.say('acceptanceHint'),
    sharePlot({
      months: plotMonths,
      shares,
      format: (share) => wording.percent(share),
      name: wording.say('plotName', { title }),
    }),
    table(counted, wording.say('byMonth', { title }), columns),
  );
}

/** When the newest of the figures were counted. */
function asOf({ wording }: OfficeFrame, { zone, figures }: NumbersView): string {
  const at = Math.max(...figures.map(({ CountedAt }) => Date.parse(CountedAt)));
  return wording.say('countedAt', { date: wording.date(at, zone), time: wording.time(at, zone) });
}

/** Revenue, visits, leads and acceptance by month. */
export function numbersPage(frame: OfficeFrame, view: NumbersView): string {
  const { months, figures } = view;
  const { wording } = frame;
  const found = new Map(figures.map((each) => [each.Month, each]));
  const counted: Counted = {
    frame,
    monthNames: months.map((each, index) => {
      const month = wording.month(each);
      return index === months.length - 1 ? wording.say('soFar', { month }) : month;
    }),
    plotMonths: months.map((month) => ({ month, label: wording.shortMonth(month) })),
    byMonth: months.map((month) => found.get(month)),
  };
  const count = (value: number): string => wording.quantity(value);
  return officePage(frame, {
    title: wording.say('numbers'),
    place: '/office/numbers',
    content: figures.length
      ? [
          html`<p>${asOf(frame, view)}</p>
            <p class="actions">
              <a class="button quiet" href="/office/payments">${wording.say('payments')}</a>
              <a class="button quiet" href="/office/money">${wording.say('whoOwes')}</a>
            </p>`,
          html`<div class="pictures">
            ${barSection(counted, {
              title: 'revenue',
              hint: 'revenueHint',
              valueOf: ({ Revenue }) => Revenue ?? 0,
              sum: (values) => fromCents(add(values.map(cents))),
              format: wording.money,
              axis: wording.shortMoney,
            })}
            ${barSection(counted, {
              title: 'visits',
              hint: 'visitsHint',
              valueOf: ({ Visits }) => Visits,
              sum: add,
              format: count,
              axis: count,
              isCount: true,
            })}
            ${leadSection(counted)} ${acceptanceSection(counted)}
          </div>`,
        ]
      : html`<p>${wording.say('notCounted')}</p>
          <p><a href="/office/money">${wording.say('whoOwes')}</a></p>`,
  });
}
