import type { TimeReservation } from '../domain/appointments/time-reservations.ts';
import { type Job, calendarDays, calendarWeeks } from '../domain/scheduling/calendar.ts';
import { type Interval, overlaps } from '../domain/scheduling/intervals.ts';
import { isEqual } from '../shared/equality.ts';
import { DAY, HOUR } from '../shared/time/time.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { listRange } from './dynamodb/records.ts';
import { type Key, layout } from './keys.ts';

interface CalendarScope {
  readonly accountId: string;
  readonly organizationId: number;
}

/**
 * A job as an agent's day stores it: appointment, start, end, address. Names are short because a search reads hundreds;
 * P is latitude and longitude, absent if unknown.
 */
interface StoredJob {
  readonly A: number;
  readonly S: number;
  readonly E: number;
  readonly P?: readonly [number, number];
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

function dayKey({ accountId, organizationId }: CalendarScope, { agentId, day }: AgentDay): Key {
  const { start } = dayInterval(day);
  const [week = day] = calendarWeeks({ start, end: start });
  return layout.calendar.key({ account: accountId, organization: organizationId, week, day, agent: agentId });
}

const toJob = (agentId: number, { A, S, E, P }: StoredJob): Job => ({
  agentId,
  appointmentId: A,
  start: S,
  end: E,
  position: P ? { latitude: P[0], longitude: P[1] } : null,
});

const toStoredJob = (A: number, { start: S, end: E, position }: TimeReservation): StoredJob => ({
  A,
  S,
  E,
  ...(position ? { P: [position.latitude, position.longitude] } : {}),
});

/** A job over midnight is stored in both days. */
export const distinctJobs = (jobs: readonly Job[]): Job[] => [
  ...new Map(jobs.map((job) => [`${job.agentId}#${job.appointmentId}#${job.start}`, job])).values(),
];

const jobsIn = (item: Item): Job[] => (item['Jobs'] as StoredJob[]).map((job) => toJob(item['Agent'] as number, job));

/** A day of an agent is keys and attributes of some 100 bytes, and 50 bytes a job. */
const DAY_BYTES = 100;
const JOB_BYTES = 50;
const UNIT_BYTES = 4_096;

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
  table: TableReader,
  { accountId, organizationId }: CalendarScope,
  days: readonly string[],
  { consistent = false } = {},
): Promise<JobPage> {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const items = await Promise.all(
    calendarWeeks({ start: dayInterval(first).start, end: dayInterval(last).end }).map((week) => {
      const partition = layout.calendar.of({ account: accountId, organization: organizationId, week });
      return listRange(table, { partition, from: `${first}#`, to: `${last}#~`, consistent });
    }),
  );
  const jobs = items.flat().flatMap(jobsIn);
  const bytes = items.flat().length * DAY_BYTES + jobs.length * JOB_BYTES;
  return { jobs, units: bytes / UNIT_BYTES / (consistent ? 1 : 2) };
}

/** The jobs of some agents on days of UTC, by the keys of their days. One round. */
export async function listAgentJobs(
  table: TableReader,
  scope: CalendarScope,
  agentIds: readonly number[],
  days: readonly string[],
  options: { readonly consistent: boolean },
): Promise<Job[]> {
  const keys = [...new Set(agentIds)].flatMap((agentId) => days.map((day) => dayKey(scope, { agentId, day })));
  return (await table.getMany(keys, options)).flatMap(jobsIn);
}

/** The days of each span of an agent, as they are now. One round. */
export async function listCalendarDays(
  table: TableReader,
  scope: CalendarScope,
  spans: readonly (Interval & { readonly agentId: number })[],
): Promise<CalendarDays> {
  const requested = spans.flatMap((span) => calendarDays(span).map((day) => ({ agentId: span.agentId, day })));
  const days = new Map(requested.map((day) => [dayId(day), day]));
  const items = days.size ? await table.getMany([...days.values()].map((day) => dayKey(scope, day))) : [];
  const found = new Map(
    items.map((item) => [dayId({ agentId: item['Agent'] as number, day: item['Day'] as string }), item]),
  );
  return new Map(
    [...days].map(([id, day]) => {
      const { Jobs: jobs = [], V: version = 0 } = (found.get(id) ?? {}) as { Jobs?: StoredJob[]; V?: number };
      return [id, { ...day, jobs, version }];
    }),
  );
}

export const toJobs = (days: CalendarDays): Job[] =>
  distinctJobs([...days.values()].flatMap(({ agentId, jobs }) => jobs.map((job) => toJob(agentId, job))));

/** No drive reaches further, and a day that is only checked costs two units. */
const MAX_DRIVE = 3 * HOUR;

interface ReservationUpdate {
  readonly appointmentId: number;
  readonly after: readonly TimeReservation[];
  /** Also requires that the days next to a new reservation are unchanged, as the drives depend on them. */
  readonly watched: boolean;
}

/**
 * The changes after which an appointment has exactly the reservations `after`. Each agent's day is put once, in its
 * next version, if it still is as it was read: of two bookings of one time the later finds another version. An empty
 * day stays, as its version must never repeat. `days` must hold every day of the former and new reservations, and of
 * those watched.
 */
export function timeReservationChanges(
  scope: CalendarScope,
  days: CalendarDays,
  { appointmentId, after, watched }: ReservationUpdate,
): Change[] {
  return [...days.values()].flatMap((day): Change[] => {
    const interval = dayInterval(day.day);
    const unchanged = day.version ? { equals: { V: day.version } } : ('absent' as const);
    const own = after.filter(({ agentId }) => agentId === day.agentId);
    const former = day.jobs.filter(({ A }) => A === appointmentId);
    const next = own.filter((time) => overlaps(time, interval)).map((time) => toStoredJob(appointmentId, time));
    if (!isEqual(former, next)) {
      const others = day.jobs.filter(({ A }) => A !== appointmentId);
      const Jobs = [...others, ...next].sort((one, other) => one.S - other.S || one.A - other.A);
      const put: Item = { ...dayKey(scope, day), Agent: day.agentId, Day: day.day, Jobs, V: day.version + 1 };
      return [{ put, if: unchanged }];
    }
    const isNear = own.some(({ start, end }) => overlaps({ start: start - MAX_DRIVE, end: end + MAX_DRIVE }, interval));
    return watched && !next.length && isNear ? [{ check: dayKey(scope, day), if: unchanged }] : [];
  });
}
