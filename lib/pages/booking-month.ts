import {
  type BookingView,
  type Carried,
  type Step,
  bookingPage,
  chosenSoFar,
  stepForm,
  summary,
} from './booking-page.ts';
import { leadForm } from './booking-outside.ts';
import { type Frame, inLanguage } from './frame.ts';
import { type Content, type Html, html } from './html.ts';
import type { Wording } from './language.ts';
import { columns, contactLine } from './layout.ts';
import { toLocalDate } from '../shared/time/time.ts';

/** A start time that a page offers. */
export interface OfferedTime {
  readonly start: number;
  /** The end of the arrival window that begins at `start`; absent for an exact time. */
  readonly through?: number | undefined;
  /** Who comes, if the organization shows it. */
  readonly agent?: { readonly id: number; readonly name: string } | undefined;
}

/** A month with its free times. */
export interface FreeMonth {
  /** `2026-12`. */
  readonly month: string;
  /** In ascending order. */
  readonly times: readonly OfferedTime[];
  /** The adjacent months, if they may have times. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** The date from which another search continues, if this one took too long. */
  readonly searchOn: string | undefined;
}

const noon = (date: string): number => Date.parse(`${date}T12:00:00Z`);
const DAYS_OF_WEEK = ['2023-01-01', '2023-01-02', '2023-01-03', '2023-01-04', '2023-01-05', '2023-01-06', '2023-01-07'];

/** The weeks of a month, Sunday first; `undefined` for days of adjacent months. */
function weeksOf(month: string): (string | undefined)[][] {
  const first = new Date(`${month}-01`);
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const dates = Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
  const days = [...Array.from({ length: first.getUTCDay() }, () => undefined), ...dates];
  return Array.from({ length: Math.ceil(days.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => days[week * 7 + day]),
  );
}

/** The second step: the chosen day shows its times; by default it is the first free day. */
interface MonthStep extends Step {
  readonly found: FreeMonth;
  readonly day: string | undefined;
  /** Identifies the form of a client who finds no time, so that it is stored only once. */
  readonly mark: string;
}

/** The second step: when. A month whose free days are links, with the times of one of them. */
export function timesPage(frame: Frame, view: BookingView, { found, day, notice, carried, mark }: MonthStep): string {
  const { wording } = frame;
  const { times, month } = found;
  const byDay = Map.groupBy(times, ({ start }) => toLocalDate(start, view.zone));
  const shown = day !== undefined && byDay.has(day) ? day : byDay.keys().next().value;
  const chosen = { ...chosenSoFar(view), ...carried };
  const linkTo = (more: Carried): string =>
    `${inLanguage(frame)}&${new URLSearchParams({ ...chosen, ...more }).toString()}`;
  const none = { kind: 'bad', title: wording.text('fullTitle', { month: wording.month(month) }) } as const;
  const isFull = !times.length && found.searchOn === undefined;
  return bookingPage(
    frame,
    view,
    [notice, isFull && { ...none, text: wording.text('fullText') }],
    [
      columns({
        first: 'beside',
        beside: summary(frame, view, carried),
        about: [
          html`<section>
            ${monthTable(wording, { month, shown, isFree: (date) => byDay.has(date), linkTo })}
            ${monthLinks(wording, found, linkTo)} ${!times.length && contactLine(wording, view.company, 'callInstead')}
          </section>`,
          isFull && !view.isClient && leadForm(frame, view, { cause: 'full', month, mark, carried }),
          shown !== undefined &&
            html`<div id="times" tabindex="-1">
              ${stepForm(frame, chosen, [
                timeChoice(wording, view.zone, byDay.get(shown) ?? []),
                html`<p class="next"><button>${wording.text('next')}</button></p>`,
              ])}
            </div>`,
        ],
      }),
    ],
  );
}

type LinkTo = (more: Carried) => string;

interface Shown {
  readonly month: string;
  readonly shown: string | undefined;
  readonly isFree: (date: string) => boolean;
  readonly linkTo: LinkTo;
}

function monthTable(wording: Wording, { month, shown, isFree, linkTo }: Shown): Html {
  const cell = (date: string): Content => {
    const number = Number(date.slice(-2));
    if (!isFree(date)) return number;
    return html`<a
      href="${`${linkTo({ day: date })}#times`}"
      aria-label="${wording.day(noon(date), 'UTC')}"
      ${date === shown && html` aria-current="date"`}
      >${number}</a
    >`;
  };
  return html`<h2 id="month">${wording.text('chooseDay')}</h2>
    <table class="month">
      <caption>
        ${wording.month(month)}
      </caption>
      <thead>
        <tr>
          ${DAYS_OF_WEEK.map(
            (date) =>
              html`<th scope="col" abbr="${wording.weekday(noon(date), 'long')}">
                ${wording.weekday(noon(date), 'short')}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${weeksOf(month).map(
          (week) =>
            html`<tr>
              ${week.map((date) => html`<td>${date !== undefined && cell(date)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
}

const monthLinks = (wording: Wording, { month, previous, next, searchOn }: FreeMonth, linkTo: LinkTo): Html[] => [
  html`<p class="months">
    ${
      previous !== undefined &&
      html`<a rel="prev" href="${linkTo({ month: previous })}"
        ><span aria-hidden="true">‹</span> ${wording.month(previous)}</a
      >`
    }
    ${
      next !== undefined &&
      html`<a rel="next" href="${linkTo({ month: next })}">${wording.month(next)} <span aria-hidden="true">›</span></a>`
    }
  </p>`,
  ...(searchOn === undefined
    ? []
    : [
        html`<p>
          <a href="${linkTo({ month, from: searchOn })}"
            >${wording.text('moreDays', { date: wording.calendarDate(searchOn) })}</a
          >
        </p>`,
      ]),
];

/** The value of a choice: the start, and the agent that was shown. */
export const slotOf = ({ start, agent }: OfferedTime): string => (agent ? `${start}-${agent.id}` : String(start));

/** `8:00 AM`, or `8:00 AM to 10:00 AM` for an arrival window. */
export const timeText = (wording: Wording, zone: string, { start, through }: OfferedTime): string => {
  const time = wording.time(start, zone);
  return through === undefined ? time : wording.text('timeRange', { start: time, end: wording.time(through, zone) });
};

export function timeChoice(wording: Wording, zone: string, times: readonly OfferedTime[], error?: string): Html[] {
  const days = Map.groupBy(times, ({ start }) => wording.day(start, zone));
  const choices = [...days].map(
    ([day, offered]) =>
      html`<fieldset class="day">
        <legend>${day}</legend>
        <div class="times">
          ${offered.map(
            (time) =>
              html`<label
                ><input type="radio" name="slot" value="${slotOf(time)}" required />
                ${timeText(wording, zone, time)}${time.agent && html` <small>${time.agent.name}</small>`}</label
              >`,
          )}
        </div>
      </fieldset>`,
  );
  const hasWindows = times.some(({ through }) => through !== undefined);
  return [
    ...(error ? [html`<p class="error" role="alert">${error}</p>`] : []),
    ...(hasWindows ? [html`<p class="hint">${wording.text('arrivalHint')}</p>`] : []),
    ...choices,
  ];
}
