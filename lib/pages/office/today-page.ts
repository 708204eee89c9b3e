import { Status } from '../../domain/appointments/record.ts';
import { HOUR, MINUTE, offsetAt, toLocal } from '../../shared/time/time.ts';
import { type Notice, phoneLink } from '../frame.ts';
import { type Content, type Html, html } from '../html.ts';
import type { AgentDay, Day, DayVisit } from './day.ts';
import { type OfficeFrame, officePage } from './frame.ts';
import { visitState } from './visit-state.ts';
import type { OfficeWording } from './wording.ts';

export interface TodayView {
  /** `2026-12-05` */
  readonly date: string;
  readonly today: string;
  readonly previous: string;
  readonly next: string;
  readonly zone: string;
  readonly day: Day;
  /** Whether the day has more visits than one page shows. */
  readonly isCut: boolean;
  /** Whether the user may move visits. */
  readonly mayMove: boolean;
  /** Whether the user may plan the order of the day. */
  readonly mayPlan: boolean;
}

const QUARTER = 15 * MINUTE;

/** The first and last hour of the board: 7 to 18 at least, and every visit. */
function hoursOf({ day, zone }: TodayView): { readonly first: number; readonly last: number } {
  const all = day.agents.flatMap(({ visits }) => visits);
  const hour = (at: number) => ((at + offsetAt(at, zone)) / HOUR) % 24;
  return {
    first: Math.min(7, ...all.map(({ start }) => Math.floor(hour(start)))),
    last: Math.max(18, ...all.map(({ start, end }) => Math.min(24, Math.ceil(hour(start) + (end - start) / HOUR)))),
  };
}

/** Where a visit is on the board, whose columns are quarters of an hour: 8:00 to 9:30 from 7:00 on is 5, 6 long. */
function boardPlace({ start, end }: DayVisit, firstHour: number, zone: string): string {
  const quarters = ((start + offsetAt(start, zone)) % (24 * HOUR)) / QUARTER - firstHour * 4;
  return `at-${Math.floor(quarters) + 1} span-${Math.max(2, Math.round((end - start) / QUARTER))}`;
}

/** The time of a visit; of one with an arrival window, what its client expects. */
export function visitTimes(
  { start, end, window }: Pick<DayVisit, 'start' | 'end' | 'window'>,
  wording: OfficeWording,
  zone: string,
): string {
  return window ? wording.shortTimes(window.from, window.through, zone) : wording.shortTimes(start, end, zone);
}

const MOVABLE: readonly number[] = [Status.Scheduled, Status.Tentative];

/** Whether a visit can be dragged. One of several agents is moved on its page: a row does not say for whom. */
const isMovable = ({ status, agentIds }: DayVisit): boolean =>
  MOVABLE.includes(status) && agentIds.filter(Boolean).length === 1;

interface ItemPlace {
  readonly zone: string;
  readonly place: string;
  readonly mayMove: boolean;
}

function visitItem(visit: DayVisit, wording: OfficeWording, { zone, place, mayMove }: ItemPlace): Html {
  const state = visitState(visit.status);
  const time = toLocal(visit.start, zone).slice(11, 16);
  const gap = wording.say('gap', { time: wording.duration(visit.gapMinutes) });
  return html`<li
    class="visit ${state} ${place}"
    data-visit="${mayMove && isMovable(visit) ? visit.id : ''}"
    data-time="${time}"
  >
    ${visit.gapMinutes > 0 && html`<p class="gap">${gap}</p>`}
    ${visit.driveMinutes > 0 && html`<p class="drive">${wording.say('drive', { minutes: visit.driveMinutes })}</p>`}
    <a href="/office/visit/${visit.id}">
      <span class="time">${visitTimes(visit, wording, zone)}</span>
      <strong>${visit.client}</strong>
      <span>${visit.service}</span>
      <span class="place">${visit.place}</span>
      <span class="mark">${wording.say(state)}</span>
    </a>
    ${visit.phone && html`<p class="paper">${phoneLink(visit.phone)}</p>`}
  </li>`;
}

function agentSection(agent: AgentDay, wording: OfficeWording, view: TodayView, firstHour: number): Html {
  const { zone, mayMove } = view;
  const sum = agent.visits.length
    ? wording.say(agent.visits.length === 1 ? 'oneVisit' : 'manyVisits', {
        count: agent.visits.length,
        time: wording.duration(agent.minutes),
      })
    : wording.say('noVisits');
  const item = (visit: DayVisit) =>
    visitItem(visit, wording, { zone, place: boardPlace(visit, firstHour, zone), mayMove });
  return html`<section class="agent" data-agent="${agent.id}">
    <h2>${agent.name} <small>${sum}</small></h2>
    <ol class="visits">
      ${agent.visits.map(item)}
    </ol>
  </section>`;
}

const others = (title: string, visits: readonly DayVisit[], wording: OfficeWording, zone: string): Content =>
  visits.length > 0 &&
  html`<section class="others">
    <h2>${title}</h2>
    <ol class="visits">
      ${visits.map((visit) => visitItem(visit, wording, { zone, place: '', mayMove: false }))}
    </ol>
  </section>`;

/** The hours over the board. */
function hourScale(
  wording: OfficeWording,
  { date }: TodayView,
  { first, last }: { first: number; last: number },
): Html {
  const start = Date.parse(`${date}T00:00:00Z`);
  const hours = Array.from({ length: last - first }, (_, index) => first + index);
  return html`<div class="hours" aria-hidden="true">
    ${hours.map((hour) => html`<span>${wording.shortTimes(start + hour * HOUR, start + hour * HOUR, 'UTC')}</span>`)}
  </div>`;
}

/** The day by technician: a list on a phone, a board with time as its axis on a wide screen, a page each on paper. */
export function todayPage(
  frame: OfficeFrame,
  view: TodayView,
  notices: readonly (Notice | false | undefined)[] = [],
): string {
  const { wording } = frame;
  const { date, today, previous, next, zone, day, isCut } = view;
  const hours = hoursOf(view);
  const noon = Date.parse(`${date}T12:00:00Z`);
  const steps = html`<nav class="steps-of-days" aria-label="${wording.say('days')}">
    <a href="/office?date=${previous}" rel="prev">${wording.say('dayBefore')}</a>
    ${date !== today && html`<a href="/office">${wording.say('today')}</a>`}
    <a href="/office?date=${next}" rel="next">${wording.say('dayAfter')}</a>
    <a href="/office/week?date=${date}">${wording.say('week')}</a>
    ${view.mayPlan && html`<a href="/office/dayplan?date=${date}">${wording.say('planDayOrder')}</a>`}
  </nav>`;
  return officePage(frame, {
    title: wording.fullDate(noon, 'UTC'),
    place: '/office',
    notices: [...notices, isCut && { kind: 'bad', title: wording.say('dayIsCut') }],
    content: [
      steps,
      html`<div
        class="board quarters-${(hours.last - hours.first) * 4}"
        data-date="${date}"
        data-first="${hours.first}"
        data-quarters="${(hours.last - hours.first) * 4}"
      >
        ${hourScale(wording, view, hours)} ${day.agents.map((agent) => agentSection(agent, wording, view, hours.first))}
      </div>`,
      others(wording.say('waiting'), day.queued, wording, zone),
      others(wording.say('canceledVisits'), day.canceled, wording, zone),
    ],
  });
}
