import { DAY } from '../shared/time/time.ts';
import type { Company } from './frame.ts';
import { type CalendarEntry, calendarText, eventText, textProperty } from './icalendar.ts';
import type { Wording } from './language.ts';
import { timeZoneLines } from './vtimezone.ts';

/** A visit as its agents see it in their calendar. Moments are milliseconds since 1970. */
export interface FeedVisit {
  readonly uid: string;
  /** As in the file of its client. */
  readonly version: number;
  readonly changed: number;
  readonly start: number;
  readonly end: number;
  readonly state: FeedState;
  readonly service: string;
  readonly client: string;
  readonly phones: readonly string[];
  readonly address: string;
  /** The window in which the client expects the agent; `undefined` for an exact time. */
  readonly arrival: { readonly start: number; readonly end: number } | undefined;
  /** Its agents, the main agent first. */
  readonly agents: readonly { readonly name: string; readonly start: number; readonly end: number }[];
  readonly notes: string;
}

const stateNames = {
  scheduled: 'feedScheduled',
  tentative: 'feedTentative',
  started: 'feedStarted',
  completed: 'visitFinished',
  canceled: 'visitCanceled',
} as const;
export type FeedState = keyof typeof stateNames;

/** The visits of a service agent, or of a whole organization. */
export interface FeedView {
  readonly company: Pick<Company, 'name' | 'email'>;
  /** The name of the agent; `undefined` for the whole organization. */
  readonly agent: string | undefined;
  readonly zone: string;
  /** In which visits begin. */
  readonly period: { readonly start: number; readonly end: number };
  /** By their start. */
  readonly visits: readonly FeedVisit[];
  /** Whether there are more visits than these. */
  readonly isCut: boolean;
}

/** How often calendars are asked to look for changes. Most decide themselves: some take a day. */
const REFRESH = 'PT15M';

/** A visit takes up to a week, and its other agents may come earlier on its day. */
const MARGIN = 8 * DAY;

/** An answer of a function has at most 6 MB. */
const MAX_BYTES = 5_000_000;

/** The agents of a visit; those with times of their own with them. */
function teamText(wording: Wording, zone: string, { agents, start, end }: FeedVisit): string {
  const time = (at: number) => wording.time(at, zone);
  const names = agents.map((agent) =>
    agent.start === start && agent.end === end
      ? agent.name
      : `${agent.name} (${wording.text('timeRange', { start: time(agent.start), end: time(agent.end) })})`,
  );
  return wording.text('feedTeam', { names: names.join(', ') });
}

function descriptionOf(wording: Wording, { zone, agent }: FeedView, visit: FeedVisit): string {
  const { client, phones, arrival, agents, state, notes } = visit;
  const time = (at: number) => wording.time(at, zone);
  const isNamed = agent === undefined ? agents.length > 0 : agents.length > 1;
  return [
    client,
    ...phones,
    arrival && wording.text('feedArrival', { start: time(arrival.start), end: time(arrival.end) }),
    isNamed && teamText(wording, zone, visit),
    wording.text(stateNames[state]),
    notes && `\n${notes}`,
  ]
    .filter(Boolean)
    .join('\n');
}

function toEntry(wording: Wording, view: FeedView, visit: FeedVisit): CalendarEntry {
  const { uid, version, changed, start, end, state, service, client, address, agents } = visit;
  const title = [service, client].filter(Boolean).join(', ');
  const isCanceled = state === 'canceled';
  return {
    uid,
    stamp: changed,
    changed,
    sequence: version,
    organizer: view.company,
    start,
    end,
    zone: view.zone,
    // Not every calendar shows that an event is canceled.
    summary: isCanceled ? wording.text('feedCanceled', { title }) : title,
    description: descriptionOf(wording, view, visit),
    location: address,
    categories: view.agent === undefined ? agents.map(({ name }) => name) : [],
    status: isCanceled ? 'CANCELLED' : state === 'tentative' ? 'TENTATIVE' : 'CONFIRMED',
    isBusy: !isCanceled,
  };
}

/** The events that fit in an answer: those that begin last are left out. */
function fitting(events: readonly string[]): readonly string[] {
  let bytes = 0;
  const end = events.findIndex((event) => (bytes += Buffer.byteLength(event)) > MAX_BYTES);
  return end < 0 ? events : events.slice(0, end);
}

/**
 * A feed of visits (RFC 5545, RFC 7986) that says how often to ask again. It depends only on the visits: asked again,
 * it is the same to the byte.
 */
export function visitsFeed(wording: Wording, view: FeedView): string {
  const { company, agent, zone, period, visits, isCut } = view;
  const all = visits.map((visit) => eventText(toEntry(wording, view, visit)));
  const events = fitting(all);
  const name = agent === undefined ? company.name : `${agent}, ${company.name}`;
  const limit = isCut || events.length < all.length ? wording.text('feedCut', { count: events.length }) : '';
  return calendarText(
    [
      'METHOD:PUBLISH',
      'CALSCALE:GREGORIAN',
      ...textProperty('NAME', name),
      ...textProperty('X-WR-CALNAME', name),
      ...textProperty('DESCRIPTION', limit),
      ...textProperty('X-WR-CALDESC', limit),
      `X-WR-TIMEZONE:${zone}`,
      `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
      `X-PUBLISHED-TTL:${REFRESH}`,
      ...timeZoneLines(zone, { start: period.start - MARGIN, end: period.end + MARGIN }),
    ],
    events,
  );
}
