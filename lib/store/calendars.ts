import type { TimeReservation } from '../domain/appointments/time-reservations.ts';
import { type Job, calendarDays, calendarWeeks } from '../domain/scheduling/calendar.ts';
import { type Interval, overlaps } from '../domain/scheduling/intervals.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { listRange } from './dynamodb/records.ts';
import { type Key, layout } from './keys.ts';

/** Whose calendar. */
export interface CalendarScope {
  readonly accountId: string;
  readonly organizationId: number;
}

/** A job as an agent's day keeps it; names are short, because a search reads hundreds. `P` is latitude and longitude, missing where it is not known. */
interface KeptJob {
  readonly A: number;
  readonly S: number;
  readonly E: number;
  readonly P?: readonly [number, number] | undefined;
}

/** A day (of UTC) of an agent. */
interface AgentDay {
  readonly agentId: number;
  readonly day: string;
}

/** What is taken of an agent's day, and the version in which it was read; 0 for a day that nothing was ever taken of. */
interface DayRead extends AgentDay {
  readonly jobs: readonly KeptJob[];
  readonly version: number;
}

/** Days of agents as they were read, by their names. */
export type CalendarDays = ReadonlyMap<string, DayRead>;

const nameOf = ({ agentId, day }: AgentDay): string => `${agentId}#${day}`;
const intervalOf = (day: string): Interval => ({
  start: Date.parse(`${day}T00:00:00Z`),
  end: Date.parse(`${day}T00:00:00Z`) + 86_400_000,
});
const weekOf = (day: string): string => calendarWeeks({ ...intervalOf(day), end: intervalOf(day).start })[0] ?? day;

const keyOf = ({ accountId, organizationId }: CalendarScope, { agentId, day }: AgentDay): Key =>
  layout.calendar.key({ account: accountId, organization: organizationId, week: weekOf(day), day, agent: agentId });

const jobOf = (agentId: number, { A, S, E, P }: KeptJob): Job => ({
  agentId,
  appointmentId: A,
  start: S,
  end: E,
  position: P ? { latitude: P[0], longitude: P[1] } : null,
});

/** A job over midnight stands in both days, and is one. */
const distinct = (jobs: readonly Job[]): Job[] => [
  ...new Map(jobs.map((job) => [`${job.agentId}#${job.appointmentId}#${job.start}`, job])).values(),
];

/** All that is taken of any agent's time in a stretch: a Query a week side by side, of the days of the stretch alone. Some may be a second old, unless `consistent`. */
export async function listJobs(
  table: TableReader,
  { accountId, organizationId }: CalendarScope,
  reach: Interval,
  { consistent = false } = {},
): Promise<Job[]> {
  const days = calendarDays(reach);
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const items = await Promise.all(
    calendarWeeks(reach).map((week) =>
      listRange(table, {
        partition: layout.calendar.of({ account: accountId, organization: organizationId, week }),
        from: `${first}#`,
        to: `${last}#~`,
        consistent,
      }),
    ),
  );
  const jobs = items
    .flat()
    .flatMap((item) => (item['Jobs'] as KeptJob[]).map((job) => jobOf(item['Agent'] as number, job)));
  return distinct(jobs).filter((job) => overlaps(job, reach));
}

/** Days of agents as they are at this moment: those of each stretch. One round. */
export async function listCalendarDays(
  table: TableReader,
  place: CalendarScope,
  stretches: readonly (Interval & { readonly agentId: number })[],
): Promise<CalendarDays> {
  const asked = stretches.flatMap((stretch) => calendarDays(stretch).map((day) => ({ agentId: stretch.agentId, day })));
  const wanted = new Map(asked.map((day) => [nameOf(day), day]));
  const items = wanted.size ? await table.getMany([...wanted.values()].map((day) => keyOf(place, day))) : [];
  const found = new Map(
    items.map((item) => [nameOf({ agentId: item['Agent'] as number, day: item['Day'] as string }), item]),
  );
  return new Map(
    [...wanted].map(([name, day]) => {
      const item = found.get(name);
      return [
        name,
        {
          ...day,
          jobs: (item?.['Jobs'] as KeptJob[] | undefined) ?? [],
          version: (item?.['V'] as number | undefined) ?? 0,
        },
      ];
    }),
  );
}

/** The jobs of days that were read. */
export const toJobs = (days: CalendarDays): Job[] =>
  distinct([...days.values()].flatMap(({ agentId, jobs }) => jobs.map((job) => jobOf(agentId, job))));

const asRead = (version: number) => (version ? { equals: { V: version } } : ('absent' as const));

/** A claim is checked against what is within so many hours of it: further away no drive reaches, and a day that is only checked costs two units. */
const WATCHED = 3 * 3_600_000;

const keptOf = (appointmentId: number, { start: S, end: E, position }: TimeReservation): KeptJob => ({
  A: appointmentId,
  S,
  E,
  P: position ? [position.latitude, position.longitude] : undefined,
});

/**
 * The changes by which an appointment has the claims `after`, and no others. Each agent's day is put once, in its next version, where it still is as it
 * was read: of two bookings of one time the later finds another version. Days beside a new claim must be as they were read too, so that the drives hold.
 * An emptied day stays, as its version must never come again. `days` must hold every day of the claims before and after, and of `watched`.
 */
export function timeReservationChanges(
  place: CalendarScope,
  days: CalendarDays,
  {
    appointmentId,
    after,
    watched,
  }: { readonly appointmentId: number; readonly after: readonly TimeReservation[]; readonly watched: boolean },
): Change[] {
  const changes: Change[] = [];
  for (const day of days.values()) {
    const own = after.filter((claim) => claim.agentId === day.agentId);
    const touching = own
      .filter((claim) => overlaps(claim, intervalOf(day.day)))
      .map((claim) => keptOf(appointmentId, claim));
    const was = day.jobs.filter(({ A }) => A === appointmentId);
    if (JSON.stringify(was) !== JSON.stringify(touching)) {
      const Jobs = [...day.jobs.filter(({ A }) => A !== appointmentId), ...touching].sort(
        (one, other) => one.S - other.S || one.A - other.A,
      );
      const put: Item = { ...keyOf(place, day), Agent: day.agentId, Day: day.day, Jobs, V: day.version + 1 };
      changes.push({ put, if: asRead(day.version) });
    } else if (
      watched &&
      !touching.length &&
      own.some(({ start, end }) => overlaps({ start: start - WATCHED, end: end + WATCHED }, intervalOf(day.day)))
    ) {
      changes.push({ check: keyOf(place, day), if: asRead(day.version) });
    }
  }
  return changes;
}
