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

const isHold = (entry: StoredJob): entry is StoredHold => entry.H !== undefined;

/** A hold takes time to its last second; what it leaves in the day is removed by the next change of the day. */
const isOver = (entry: StoredJob, now: Date): boolean => isHold(entry) && entry.H.U <= now.getTime();

const isReleased = (entry: StoredJob, released: ReadonlySet<string> | undefined): entry is StoredHold =>
  isHold(entry) && (released?.has(entry.H.Id) ?? false);

/** Which holds take no time. */
interface HoldOptions {
  /** Those that are over by now. */
  readonly now: Date;
  /** Those whose handles the caller has and gives up. */
  readonly released?: ReadonlySet<string> | undefined;
}

/** Time that is held for the caller who has the handle. */
export interface Hold extends TimeReservation {
  readonly handle: string;
  /** Epoch milliseconds; the hold is over at that moment. */
  readonly until: number;
  /** The public part of the key that holds it, and which of the key's holds it is. */
  readonly key: string;
  readonly place: number;
}

/** A day of UTC of an agent. */
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

/** Calendars are those of an organization. */
function dayKey({ account }: StoreAccount, organizationId: number, { agentId, day }: AgentDay): Key {
  const { start } = dayInterval(day);
  const [week = day] = calendarWeeks({ start, end: start });
  return layout.calendar.key({ account, organization: organizationId, week, day, agent: agentId });
}

const toJob = (agentId: number, entry: StoredJob): Job => ({
  agentId,
  appointmentId: entry.A,
  start: entry.S,
  end: isHold(entry) ? entry.H.E : entry.E,
  position: entry.P ? { latitude: entry.P[0] ?? 0, longitude: entry.P[1] ?? 0 } : null,
  ...(entry.B ? { buffers: { before: entry.B[0] ?? 0, after: entry.B[1] ?? 0 } } : {}),
  ...(isHold(entry) ? { heldUntil: entry.H.U } : {}),
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

/** A job over midnight is stored in both days. */
export const distinctJobs = (jobs: readonly Job[]): Job[] => [
  ...new Map(jobs.map((job) => [`${job.agentId}#${job.appointmentId}#${job.start}`, job])).values(),
];

const toJobsOf = (agentId: number, entries: readonly StoredJob[], { now, released }: HoldOptions): Job[] =>
  entries.filter((entry) => !isOver(entry, now) && !isReleased(entry, released)).map((entry) => toJob(agentId, entry));

function jobsIn(item: Item, options: HoldOptions): Job[] {
  const { Agent, Jobs } = calendarEntity.read(item);
  return toJobsOf(Agent, Jobs, options);
}

/** A day of an agent is keys and attributes of some 100 bytes, and 50 bytes a job. */
const DAY_BYTES = 100;
const JOB_BYTES = 50;
const UNIT_BYTES = 4_096;

interface JobsOptions extends HoldOptions {
  readonly consistent?: boolean;
}

/** The jobs of days, which may hold a job over midnight twice, and about what reading them cost. */
interface JobPage {
  readonly jobs: readonly Job[];
  readonly units: number;
}

/**
 * The jobs of all agents on neighbouring days of UTC: a Query for each week in parallel. They may be a second old
 * unless `consistent`.
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

/** The jobs of some agents on days of UTC, by the keys of their days. One round. */
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

/** The days of each span of an agent, as they are now. One round. */
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

/** The appointments that take time of a day of an agent. */
export const appointmentsOf = (day: Item): number[] => [
  ...new Set(calendarEntity.read(day).Jobs.flatMap((entry) => (isHold(entry) ? [] : entry.A))),
];

/** Those of the released holds that the days have and that are not over. A hold over midnight is in two days. */
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

/** No drive reaches further, and a day that is only checked costs two units. */
const MAX_DRIVE = 3 * HOUR;

interface ReservationUpdate extends HoldOptions {
  readonly appointmentId: number;
  /** What its record, as it was read, has reserved. */
  readonly before: readonly TimeReservation[];
  readonly after: readonly TimeReservation[];
  /** Also requires that the days next to a new reservation are unchanged, as the drives depend on them. */
  readonly watched: boolean;
}

/**
 * The changes after which an appointment has exactly the reservations `after`. `days` must hold every day of the former
 * and new reservations and of the buffers of the new ones, and of those watched.
 */
export const timeReservationChanges = (
  store: StoreAccount,
  organizationId: number,
  days: CalendarDays,
  { appointmentId, before, after, watched, now, released }: ReservationUpdate,
): Change[] => {
  const isOwn = (entry: StoredJob) => !isHold(entry) && entry.A === appointmentId;
  return dayChanges(store, organizationId, days, {
    recorded: { times: before, isOf: isOwn },
    isReplaced: (entry) => isOwn(entry) || isReleased(entry, released),
    times: after,
    toEntry: (time) => toStoredJob(appointmentId, time),
    watched,
    now,
  });
};

interface HoldUpdate extends HoldOptions {
  readonly holds: readonly Hold[];
  /** The times of those that are released, as they are listed with their key. */
  readonly before: readonly AgentSpan[];
}

/** The changes after which the days have new holds, and no longer those that are released. */
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
  /** The times that a record says it has, and which entries of the days are of that record. */
  readonly recorded: { readonly times: readonly AgentSpan[]; readonly isOf: (entry: StoredJob) => boolean };
  readonly isReplaced: (entry: StoredJob) => boolean;
  readonly times: readonly Time[];
  readonly toEntry: (time: Time) => StoredJob;
  readonly watched: boolean;
  readonly now: Date;
}

/** Intervals to compare, in whatever order they are. */
const asTexts = (intervals: readonly Interval[]): string[] =>
  intervals.map(({ start, end }) => `${start} ${end}`).sort();

const isSameTime = (one: AgentSpan, other: AgentSpan): boolean =>
  one.agentId === other.agentId &&
  one.start === other.start &&
  one.end === other.end &&
  isEqual(one.buffers ?? NO_BUFFERS, other.buffers ?? NO_BUFFERS);

/**
 * Each agent's day is put once, in its next version, if it still is as it was read: of two calls that take one time the
 * later finds another version. An empty day stays, as its version must never repeat. A put leaves out the holds that
 * are over; they alone are no reason for one. A day that shows other times than the record says may be older than the
 * record: it must still be as it was read, even if it needs no put.
 *
 * A visit is in the days that it touches itself, and readers look around them. A day that only the buffers of a new
 * time touch is put as it is, in its next version: another call that takes time there finds that. So a version of
 * before buffers, which does not look for them there, leaves nothing of them behind.
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
    const unchanged = day.version ? { equals: { V: day.version } } : ('absent' as const);
    const replaced = day.jobs.filter(isReplaced);
    const next = times.filter(isOfDay).map(toEntry);
    const isBuffer = added.some((time) => isOfDay({ ...time, ...withBuffers(time, time.buffers) }));
    if (!isEqual(replaced, next) || (isBuffer && !next.length)) {
      const others = day.jobs.filter((entry) => !isReplaced(entry) && !isOver(entry, now));
      const Jobs = [...others, ...next].sort((one, other) => one.S - other.S || one.A - other.A);
      const put: Item = {
        ...dayKey(store, organizationId, day),
        Agent: day.agentId,
        Day: day.day,
        Jobs,
        V: day.version + 1,
      };
      return [{ put, if: unchanged }];
    }
    const isNear = times.some((time) => {
      const { start, end } = withBuffers(time, time.buffers);
      return isOfDay({ agentId: time.agentId, start: start - MAX_DRIVE, end: end + MAX_DRIVE });
    });
    const found = day.jobs.filter(recorded.isOf).map((entry) => withoutBuffers(toJob(day.agentId, entry)));
    const isAsRecorded = isEqual(asTexts(found), asTexts(recorded.times.filter(isOfDay)));
    return !isAsRecorded || (watched && !next.length && isNear)
      ? [{ check: dayKey(store, organizationId, day), if: unchanged }]
      : [];
  });
}
