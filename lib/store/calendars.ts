import { type StoredJob, calendarEntity } from '../entities/service-agents.ts';
import type { TimeReservation } from '../domain/appointments/calendar.ts';
import {
  type Buffers,
  type Interval,
  type Job,
  NO_BUFFERS,
  calendarDays,
  calendarWeeks,
  overlaps,
  withBuffers,
  withoutBuffers,
} from '../domain/scheduling/calendar.ts';
import { isEqual } from '../shared/objects.ts';
import { DAY, HOUR } from '../shared/time/time.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { listRange } from './dynamodb/records.ts';
import { type Key, layout } from './keys.ts';
import type { StoreAccount, StoreReader } from './store.ts';

type StoredHold = StoredJob & Required<Pick<StoredJob, 'H'>>;
type StoredPrivateTime = StoredJob & Required<Pick<StoredJob, 'C'>>;

const isHold = (entry: StoredJob): entry is StoredHold => entry.H !== undefined;
const isPrivateTime = (entry: StoredJob): entry is StoredPrivateTime => entry.C !== undefined;

/** A hold takes time until its last second; the next change of the day removes its remains. */
const isOver = (entry: StoredJob, now: Date): boolean => isHold(entry) && entry.H.U <= now.getTime();

const isReleased = (entry: StoredJob, released: ReadonlySet<string> | undefined): entry is StoredHold =>
  isHold(entry) && (released?.has(entry.H.Id) ?? false);

/** Determines which holds take no time. */
interface HoldOptions {
  /** Holds that are over by now take no time. */
  readonly now: Date;
  /** Holds whose handles the caller has and gives up. */
  readonly released?: ReadonlySet<string> | undefined;
}

/** Time held for the caller who has the handle. */
export interface Hold extends TimeReservation {
  readonly handle: string;
  /** Epoch milliseconds at which the hold is over. */
  readonly until: number;
  /** The public part of the key that holds it, and its number among the key's holds. */
  readonly key: string;
  readonly place: number;
}

/** A UTC day of an agent. */
interface AgentDay {
  readonly agentId: number;
  readonly day: string;
}

interface LoadedDay extends AgentDay {
  readonly jobs: readonly StoredJob[];
  /** 0 for a day that was never stored. */
  readonly version: number;
}

export type CalendarDays = ReadonlyMap<string, LoadedDay>;

const dayId = ({ agentId, day }: AgentDay): string => `${agentId}#${day}`;

function dayInterval(day: string): Interval {
  const start = Date.parse(`${day}T00:00:00Z`);
  return { start, end: start + DAY };
}

/** Calendars belong to organizations. */
function dayKey({ account }: StoreAccount, organizationId: number, { agentId, day }: AgentDay): Key {
  const { start } = dayInterval(day);
  const [week = day] = calendarWeeks({ start, end: start });
  return layout.calendar.key({ account, organization: organizationId, week, day, agent: agentId });
}

const toJob = (agentId: number, entry: StoredJob): Job => ({
  agentId,
  appointmentId: entry.A,
  start: entry.S,
  end: isHold(entry) ? entry.H.E : isPrivateTime(entry) ? entry.C.E : entry.E,
  position: entry.P ? { latitude: entry.P[0] ?? 0, longitude: entry.P[1] ?? 0 } : null,
  ...(entry.B ? { buffers: { before: entry.B[0] ?? 0, after: entry.B[1] ?? 0 } } : {}),
  ...(isHold(entry) ? { heldUntil: entry.H.U } : {}),
  ...(isPrivateTime(entry) ? { isPrivate: true } : {}),
});

function toStoredJob(A: number, { position, buffers, ...visit }: TimeReservation): StoredJob {
  const { start: S, end: E } = withBuffers(visit, buffers);
  return {
    A,
    S,
    E,
    ...(buffers ? { B: [buffers.before, buffers.after] } : {}),
    ...(position ? { P: [position.latitude, position.longitude] } : {}),
  };
}

function toStoredHold({ handle: Id, until: U, key: K, place: N, ...time }: Hold): StoredHold {
  const { E, ...job } = toStoredJob(0, time);
  return { ...job, E: job.S, A: 0, H: { Id, E, U, K, N } };
}

/** A job across midnight is stored in both days. */
export const distinctJobs = (jobs: readonly Job[]): Job[] => [
  ...new Map(
    jobs.map((job) => [
      job.isPrivate ? `${job.agentId} ${job.start} ${job.end}` : `${job.agentId}#${job.appointmentId}#${job.start}`,
      job,
    ]),
  ).values(),
];

const toJobsOf = (agentId: number, entries: readonly StoredJob[], { now, released }: HoldOptions): Job[] =>
  entries.filter((entry) => !isOver(entry, now) && !isReleased(entry, released)).map((entry) => toJob(agentId, entry));

function jobsIn(item: Item, options: HoldOptions): Job[] {
  const { Agent, Jobs } = calendarEntity.read(item);
  return toJobsOf(Agent, Jobs, options);
}

/** Bytes of an agent's day: about 100 for keys and attributes, and 50 per job. */
const DAY_BYTES = 100;
const JOB_BYTES = 50;
const UNIT_BYTES = 4_096;

interface JobsOptions extends HoldOptions {
  readonly consistent?: boolean;
}

/** The jobs of days, in which a job across midnight may occur twice, and the approximate cost of reading them. */
interface JobPage {
  readonly jobs: readonly Job[];
  readonly units: number;
}

/**
 * The jobs of all agents on consecutive UTC days: one Query per week, in parallel. They may be a second old unless
 * `consistent`.
 */
export async function listJobs(
  { account, table }: StoreReader,
  organizationId: number,
  days: readonly string[],
  { consistent = false, ...holds }: JobsOptions,
): Promise<JobPage> {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const items = await Promise.all(
    calendarWeeks({ start: dayInterval(first).start, end: dayInterval(last).end }).map((week) => {
      const partition = layout.calendar.of({ account, organization: organizationId, week });
      return listRange(table, { partition, from: `${first}#`, to: `${last}#~`, consistent });
    }),
  );
  const jobs = items.flat().flatMap((item) => jobsIn(item, holds));
  const bytes = items.flat().length * DAY_BYTES + jobs.length * JOB_BYTES;
  return { jobs, units: bytes / UNIT_BYTES / (consistent ? 1 : 2) };
}

/** The jobs of some agents on UTC days, by the keys of their days. One round. */
export async function listAgentJobs(
  store: StoreReader,
  organizationId: number,
  agentIds: readonly number[],
  days: readonly string[],
  { consistent = false, ...holds }: JobsOptions,
): Promise<Job[]> {
  const { table } = store;
  const keys = [...new Set(agentIds)].flatMap((agentId) =>
    days.map((day) => dayKey(store, organizationId, { agentId, day })),
  );
  return (await table.getMany(keys, { consistent })).flatMap((item) => jobsIn(item, holds));
}

interface AgentSpan extends Interval {
  readonly agentId: number;
  readonly buffers?: Buffers | undefined;
}

const agentDays = (spans: readonly AgentSpan[]): AgentDay[] =>
  spans.flatMap((span) => calendarDays(span).map((day) => ({ agentId: span.agentId, day })));

/** The days of each span of an agent, read consistently. One round. */
export async function listCalendarDays(
  store: StoreReader,
  organizationId: number,
  spans: readonly AgentSpan[],
): Promise<CalendarDays> {
  const { table } = store;
  const requested = agentDays(spans);
  const days = new Map(requested.map((day) => [dayId(day), day]));
  const items = days.size
    ? await table.getMany([...days.values()].map((day) => dayKey(store, organizationId, day)))
    : [];
  const found = new Map(
    items.map(calendarEntity.read).map((stored) => [dayId({ agentId: stored.Agent, day: stored.Day }), stored]),
  );
  return new Map(
    [...days].map(([id, day]) => {
      const { Jobs: jobs = [], V: version = 0 } = found.get(id) ?? {};
      return [id, { ...day, jobs, version }];
    }),
  );
}

export const toJobs = (days: CalendarDays, holds: HoldOptions): Job[] =>
  distinctJobs([...days.values()].flatMap(({ agentId, jobs }) => toJobsOf(agentId, jobs, holds)));

/** The appointments that take time in a day of an agent. */
export const appointmentsOf = (day: Item): number[] => [
  ...new Set(calendarEntity.read(day).Jobs.flatMap((entry) => (isHold(entry) || isPrivateTime(entry) ? [] : entry.A))),
];

/** The released holds that the days have and that are not over. A hold across midnight is in two days. */
export function findReleased(
  days: CalendarDays,
  { now, released }: HoldOptions,
): readonly Pick<Hold, 'handle' | 'key' | 'place' | 'start'>[] {
  const found = [...days.values()]
    .flatMap(({ agentId, jobs }) => jobs.map((entry) => ({ agentId, entry })))
    .flatMap(({ agentId, entry }) => {
      if (!isReleased(entry, released) || isOver(entry, now)) return [];
      const { H } = entry;
      const { start } = withoutBuffers(toJob(agentId, entry));
      return [[H.Id, { handle: H.Id, key: H.K, place: H.N, start }] as const];
    });
  return [...new Map(found).values()];
}

/** No drive is longer, and a day that is only checked costs two units. */
const MAX_DRIVE = 3 * HOUR;

interface ReservedTimes {
  readonly appointmentId: number;
  /** The reservations according to its record as it was read. */
  readonly before: readonly TimeReservation[];
  readonly after: readonly TimeReservation[];
}

interface ReservationOptions extends HoldOptions {
  /** Also requires that the days next to a new reservation are unchanged, because the drives depend on them. */
  readonly watched: boolean;
}

/**
 * The changes after which an appointment has exactly the reservations `after`. `days` must contain every day of the
 * former and new reservations and of the buffers of the new ones, and the watched days.
 */
export const timeReservationChanges = (
  store: StoreAccount,
  organizationId: number,
  days: CalendarDays,
  { appointmentId, before, after, ...options }: ReservedTimes & ReservationOptions,
): Change[] => allReservationChanges(store, organizationId, days, [{ appointmentId, before, after }], options);

/** The same for several appointments at once: each day of an agent is one change. */
export function allReservationChanges(
  store: StoreAccount,
  organizationId: number,
  days: CalendarDays,
  appointments: readonly ReservedTimes[],
  { watched, now, released }: ReservationOptions,
): Change[] {
  const ids = new Set(appointments.map(({ appointmentId }) => appointmentId));
  const isOwn = (entry: StoredJob) => !isHold(entry) && !isPrivateTime(entry) && ids.has(entry.A);
  return dayChanges(store, organizationId, days, {
    recorded: { times: appointments.flatMap(({ before }) => before), isOf: isOwn },
    isReplaced: (entry) => isOwn(entry) || isReleased(entry, released),
    times: appointments.flatMap(({ appointmentId, after }) => after.map((time) => ({ ...time, appointmentId }))),
    toEntry: ({ appointmentId, ...time }) => toStoredJob(appointmentId, time),
    watched,
    now,
  });
}

interface HoldUpdate extends HoldOptions {
  readonly holds: readonly Hold[];
  /** The times of the released holds, as listed with their key. */
  readonly before: readonly AgentSpan[];
}

/** The changes that add new holds to the days and remove the released ones. */
export const holdTimeChanges = (
  store: StoreAccount,
  organizationId: number,
  days: CalendarDays,
  { holds, before, released, now }: HoldUpdate,
): Change[] => {
  const isReplaced = (entry: StoredJob) => isReleased(entry, released);
  return dayChanges(store, organizationId, days, {
    recorded: { times: before, isOf: isReplaced },
    isReplaced,
    times: holds,
    toEntry: toStoredHold,
    watched: true,
    now,
  });
};

interface DayUpdate<Time extends TimeReservation> {
  /** The times according to a record, and which entries of the days belong to that record. */
  readonly recorded: { readonly times: readonly AgentSpan[]; readonly isOf: (entry: StoredJob) => boolean };
  readonly isReplaced: (entry: StoredJob) => boolean;
  readonly times: readonly Time[];
  readonly toEntry: (time: Time) => StoredJob;
  readonly watched: boolean;
  readonly now: Date;
}

/** Intervals in a form that can be compared regardless of order. */
const asTexts = (intervals: readonly Interval[]): string[] =>
  intervals.map(({ start, end }) => `${start} ${end}`).sort();

const isSameTime = (one: AgentSpan, other: AgentSpan): boolean =>
  one.agentId === other.agentId &&
  one.start === other.start &&
  one.end === other.end &&
  isEqual(one.buffers ?? NO_BUFFERS, other.buffers ?? NO_BUFFERS);

/**
 * Each agent's day is put once, as its next version, if it is unchanged since it was read: of two calls that take the
 * same time, the later one fails on the version. Empty days stay, because their versions must never repeat. A put omits
 * holds that are over, but they alone are no reason for a put. A day that disagrees with the record about times may be
 * older than the record, so it must be unchanged even if it needs no put.
 *
 * A visit is stored in the days that it touches itself, and readers also read the days around. A day that only the
 * buffers of a new time touch is put unchanged, as its next version, so that concurrent calls that take time there
 * conflict. That way even a version that does not know buffers, and does not look for them there, leaves no trace of
 * them.
 */
function dayChanges<Time extends TimeReservation>(
  store: StoreAccount,
  organizationId: number,
  days: CalendarDays,
  { recorded, isReplaced, times, toEntry, watched, now }: DayUpdate<Time>,
): Change[] {
  const added = times.filter((time) => !recorded.times.some((former) => isSameTime(former, time)));
  return [...days.values()].flatMap((day): Change[] => {
    const interval = dayInterval(day.day);
    const isOfDay = (time: AgentSpan) => time.agentId === day.agentId && overlaps(time, interval);
    const replaced = day.jobs.filter(isReplaced);
    const next = times.filter(isOfDay).map(toEntry).sort(byTime);
    const isBuffer = added.some((time) => isOfDay({ ...time, ...withBuffers(time, time.buffers) }));
    if (!isEqual(replaced, next) || (isBuffer && !next.length)) {
      const others = day.jobs.filter((entry) => !isReplaced(entry) && !isOver(entry, now));
      return [dayChange(store, organizationId, day, [...others, ...next])];
    }
    const isNear = times.some((time) => {
      const { start, end } = withBuffers(time, time.buffers);
      return isOfDay({ agentId: time.agentId, start: start - MAX_DRIVE, end: end + MAX_DRIVE });
    });
    const found = day.jobs.filter(recorded.isOf).map((entry) => withoutBuffers(toJob(day.agentId, entry)));
    const isAsRecorded = isEqual(asTexts(found), asTexts(recorded.times.filter(isOfDay)));
    return !isAsRecorded || (watched && !next.length && isNear)
      ? [{ check: dayKey(store, organizationId, day), if: isUnchanged(day) }]
      : [];
  });
}

/** The ids of the own calendars from which a day has busy times. */
export const calendarsOf = (day: Item): string[] => [
  ...new Set(calendarEntity.read(day).Jobs.flatMap((entry) => (isPrivateTime(entry) ? entry.C.Id : []))),
];

/** When an agent is busy according to an own calendar. */
export interface PrivateTimes {
  readonly calendarId: string;
  /** In normal form. */
  readonly times: readonly Interval[];
}

/**
 * The changes after which days of an agent have exactly these busy times of own calendars, one for each day that
 * differs. A time is whole in each day that it touches, as a visit is.
 */
export const privateTimeChanges = (
  store: StoreAccount,
  organizationId: number,
  days: CalendarDays,
  calendars: readonly PrivateTimes[],
): Change[] => {
  const entries = calendars.flatMap(({ calendarId, times }) =>
    times.map(({ start: S, end: E }): StoredPrivateTime => ({ A: 0, S, E: S, C: { Id: calendarId, E } })),
  );
  const ids = new Set(calendars.map(({ calendarId }) => calendarId));
  const isReplaced = (entry: StoredJob) => isPrivateTime(entry) && ids.has(entry.C.Id);
  return [...days.values()].flatMap((day): Change[] => {
    const interval = dayInterval(day.day);
    const next = entries.filter(({ S, C }) => overlaps({ start: S, end: C.E }, interval)).sort(byTime);
    if (isEqual(day.jobs.filter(isReplaced), next)) return [];
    return [dayChange(store, organizationId, day, [...day.jobs.filter((entry) => !isReplaced(entry)), ...next])];
  });
};

/** Two calendars may have the same time. */
const byTime = (one: StoredJob, other: StoredJob): number =>
  one.S - other.S || one.A - other.A || (one.C?.Id ?? '').localeCompare(other.C?.Id ?? '');

/** Puts the next version of a day, if it is unchanged since it was read. */
function dayChange(store: StoreAccount, organizationId: number, day: LoadedDay, jobs: readonly StoredJob[]): Change {
  const put: Item = {
    ...dayKey(store, organizationId, day),
    Agent: day.agentId,
    Day: day.day,
    Jobs: jobs.toSorted(byTime),
    V: day.version + 1,
  };
  return { put, if: isUnchanged(day) };
}

const isUnchanged = ({ version }: LoadedDay) => (version ? { equals: { V: version } } : ('absent' as const));
