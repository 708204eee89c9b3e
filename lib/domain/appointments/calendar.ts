import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { ServiceAgentRecord, TimeOff } from '../../entities/service-agents.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { isEqual, omit } from '../../shared/objects.ts';
import { DAY, MINUTE, offsetAt, toLocalDate } from '../../shared/time/time.ts';
import type { Position } from '../postal/localities.ts';
import { firstDate, lastDate } from '../pricebook/calendar-dates.ts';
import {
  type Buffers,
  type Calendar,
  type DayOff,
  type Interval,
  type Job,
  type Work,
  dayAt,
  instantAtMinute,
} from '../scheduling/calendar.ts';
import { occupiesTime } from './record.ts';

/**
 * Converts records to the scheduling calendar: the organization with its agents and their time off, the work of a
 * visit, and the time that an appointment takes of each agent.
 */

/** Where the agents of a calendar start, and how long they drive. */
export type Roads = Pick<Calendar, 'startPosition' | 'driveTimes'>;

/** For a calendar in which nobody drives. */
const NOBODY_DRIVES: Roads = { startPosition: null, driveTimes: () => 0 };

/** The scheduling calendar of an organization. */
export const buildCalendar = (
  { Timezone: zone, Holidays, PostalCodes, DrivesAddToBuffers }: OrganizationRecord,
  agents: Iterable<ServiceAgentRecord>,
  jobs: readonly Job[],
  roads: Roads = NOBODY_DRIVES,
): Calendar => ({
  zone,
  agents: [...agents].map((agent) => ({
    agent,
    timeOff: agent.TimeOff.flatMap((timeOff) => agentDaysOff(timeOff, zone)),
  })),
  jobs,
  holidays: Holidays.map(({ Date, Name }) => wholeDays(Name || 'holiday', Date, Date)),
  postalCodes: PostalCodes,
  ...roads,
  drivesAddToBuffers: DrivesAddToBuffers,
});

const FIXED_LOCATION = 1;

/**
 * The buffers of a service, or those reserved for an appointment; absent without any, because few services have them.
 */
const buffersOf = ({
  BufferBefore: before,
  BufferAfter: after,
}: Pick<AppointmentRecord, 'BufferBefore' | 'BufferAfter'>): Buffers | undefined =>
  before || after ? { before, after } : undefined;

interface Visit {
  readonly minutes: number;
  /** `null` for a visitor who has not given a place. */
  readonly zip: string | null;
  readonly position: Position | null;
  readonly appointmentId?: number | undefined;
}

/** The work of a visit, for scheduling. */
export function buildWork(service: ServiceRecord, { zip, ...visit }: Visit): Work {
  const { Category, SchedulingMode, SeasonStart, SeasonExpiration } = service;
  return {
    ...visit,
    buffers: buffersOf(service),
    category: Category,
    fixedLocation: SchedulingMode === FIXED_LOCATION || zip === null,
    isAnywhere: zip === null,
    seasonFirst: firstDate(SeasonStart),
    seasonLast: lastDate(SeasonExpiration),
    postalCode: zip ?? '',
  };
}

const wholeDays = (Name: string, From: string, Through: string): DayOff => ({
  Name,
  From,
  Through,
  StartMinute: null,
  Minutes: null,
});

/** Clock minutes since midnight at an instant, with a given offset; seconds are a fraction. */
const clockMinutes = (at: number, offset: number): number => ((((at + offset) % DAY) + DAY) % DAY) / MINUTE;

/**
 * Time off as days: whole days as one entry, else the rest of the first day, the days between, and the beginning of the
 * last. New York, 03-06 12:00 until 03-09 9:00: 03-06 from minute 720, 03-07 to 03-08 whole, 03-09 540 minutes from
 * midnight.
 */
export function agentDaysOff({ From, Until, Reason }: TimeOff, zone: string): DayOff[] {
  if (Until <= From) return [];
  const Name = Reason || 'time off';
  const [first, last] = [dayAt(From, zone), dayAt(Until - 1, zone)];
  const beginsAtMidnight = From <= first.start;
  const endsAtMidnight = Until >= last.end;
  if (beginsAtMidnight && endsAtMidnight) return [wholeDays(Name, first.date, last.date)];
  const StartMinute = beginsAtMidnight ? 0 : Math.floor(clockMinutes(From, offsetAt(From, zone)));
  // Rounded up: a minute that has begun is off.
  const endMinute = Math.ceil(clockMinutes(Until, offsetAt(Until - 1, zone))) || 1440;
  if (first.date === last.date) {
    const Minutes = endsAtMidnight ? null : endMinute - StartMinute;
    return [{ ...wholeDays(Name, first.date, first.date), StartMinute, Minutes }];
  }
  const opening = { ...wholeDays(Name, first.date, first.date), StartMinute };
  const closing = { ...wholeDays(Name, last.date, last.date), StartMinute: 0, Minutes: endMinute };
  const from = beginsAtMidnight ? first.date : toLocalDate(first.end, zone);
  const through = endsAtMidnight ? last.date : toLocalDate(last.start - 1, zone);
  return [
    ...(beginsAtMidnight ? [] : [opening]),
    ...(from <= through ? [wholeDays(Name, from, through)] : []),
    ...(endsAtMidnight ? [] : [closing]),
  ];
}

/** The time that an appointment takes of one agent: the visit itself and, separately, its buffers. */
export interface TimeReservation extends Interval {
  readonly agentId: number;
  readonly buffers?: Buffers | undefined;
  readonly position: Position | null;
}

type AppointmentTimes = Pick<
  AppointmentRecord,
  | 'Status'
  | 'Start'
  | 'Duration'
  | 'Zone'
  | 'ServiceAgentId'
  | 'AdditionalAgents'
  | 'Position'
  | 'BufferBefore'
  | 'BufferAfter'
>;

/** The times of an appointment, whatever its status, its main agent first. */
export function agentTimes(visit: AppointmentTimes): TimeReservation[] {
  const { Start, Duration, Zone, ServiceAgentId, AdditionalAgents, Position: position } = visit;
  if (Start === null || !ServiceAgentId) return [];
  const day = dayAt(Start, Zone);
  const buffers = buffersOf(visit);
  const time = (agentId: number, start: number, minutes: number) => ({
    agentId,
    position,
    ...(buffers ? { buffers } : {}),
    start,
    end: start + minutes * MINUTE,
  });
  return [
    time(ServiceAgentId, Start, Duration),
    ...AdditionalAgents.map((agent) => {
      const start = agent.StartMinute === null ? Start : instantAtMinute(day, agent.StartMinute);
      return time(agent.ServiceAgentId, start, agent.Duration || Duration);
    }),
  ];
}

function clockMinute(at: number, zone: string): number {
  const { midnight } = dayAt(at, zone);
  return Math.floor((at + offsetAt(at, zone) - midnight) / MINUTE);
}

/** The start of an appointment before and after a move. */
export interface Move {
  readonly from: { readonly at: number; readonly zone: string };
  readonly to: { readonly at: number; readonly zone: string };
}

/**
 * The StartMinute of an additional agent after the appointment moved, by the clock: from 9:00 to 13:00 it is 4 hours
 * later. `undefined` if the agent would then start on another day.
 */
export function movedStartMinute(startMinute: number, { from, to }: Move): number | undefined {
  const minute = startMinute + clockMinute(to.at, to.zone) - clockMinute(from.at, from.zone);
  return minute >= 0 && minute < 1440 ? minute : undefined;
}

/** Whether the same agents have the same times, regardless of place and buffers. */
export function hasSameTimes(one: AppointmentTimes, other: AppointmentTimes): boolean {
  const times = (visit: AppointmentTimes) => agentTimes(visit).map((time) => omit(time, 'position', 'buffers'));
  return isEqual(times(one), times(other));
}

/** The time reserved for every agent, buffers included; empty if the status takes no time. */
export const timeReservations = (visit: AppointmentTimes): TimeReservation[] =>
  occupiesTime(visit.Status) ? agentTimes(visit).filter(({ start, end }) => start < end) : [];
