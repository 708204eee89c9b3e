import { toLocalDate } from '../../shared/format-moments.ts';
import { offsetAt } from '../../shared/zones.ts';
import type { OrganizationRecord } from '../organizations.ts';
import type { Position } from '../postal/miles.ts';
import type { ServiceRecord } from '../pricebook/record.ts';
import type { Calendar, DayOff, Job, Work } from '../scheduling/calendar.ts';
import { dayAt, instantAtMinute } from '../scheduling/days.ts';
import type { Interval } from '../scheduling/intervals.ts';
import { greatCircleDriving } from '../scheduling/drives.ts';
import type { ServiceAgentRecord } from '../service-agents.ts';
import type { Holiday, TimeOff } from '../working-hours.ts';
import type { AppointmentRecord } from './record.ts';
import { occupiesTime } from './status.ts';
import { DAY, MINUTE } from '../../shared/time.ts';

/** Time that an appointment takes of one agent. */
export interface TimeReservation extends Interval {
  readonly agentId: number;
  readonly position: Position | null;
}

type Claiming = Pick<
  AppointmentRecord,
  'Status' | 'Start' | 'Duration' | 'Zone' | 'ServiceAgentId' | 'AdditionalAgents' | 'Position'
>;

/** The times and agents of an appointment, whatever its status: its own agent first. */
function timesOf({
  Start,
  Duration,
  Zone,
  ServiceAgentId,
  AdditionalAgents,
  Position: position,
}: Claiming): TimeReservation[] {
  if (Start === null || !ServiceAgentId) return [];
  const lasting = (start: number, minutes: number) => ({ start, end: start + minutes * MINUTE });
  const day = dayAt(Start, Zone);
  return [
    { agentId: ServiceAgentId, position, ...lasting(Start, Duration) },
    ...AdditionalAgents.map((other) => ({
      agentId: other.ServiceAgentId,
      position,
      ...lasting(
        other.StartMinute === null ? Start : instantAtMinute(day, other.StartMinute),
        other.Duration ?? Duration,
      ),
    })),
  ];
}

/** Times and agents as text, to compare. */
export const describeTimes = (appointment: Claiming): string =>
  JSON.stringify(timesOf(appointment).map(({ agentId, start, end }) => [agentId, start, end]));

/** What an appointment claims: the whole time of every agent, while its status takes time. */
export const timeReservations = (appointment: Claiming): TimeReservation[] =>
  occupiesTime(appointment.Status) ? timesOf(appointment).filter(({ start, end }) => start < end) : [];

/** An organization's calendar as scheduling takes it. `positionOf` gives the centre of a postal code. */
export const buildCalendar = (
  organization: OrganizationRecord,
  agents: Iterable<ServiceAgentRecord>,
  jobs: readonly Job[],
  positionOf: (code: string) => Position | null,
): Calendar => ({
  zone: organization.Timezone,
  agents: [...agents].map((agent) => ({
    agent,
    timeOff: agent.TimeOff.flatMap((stretch) => agentDaysOff(stretch, organization.Timezone)),
  })),
  jobs,
  holidays: holidayDaysOff(organization.Holidays),
  postalCodes: organization.PostalCodes,
  startPosition: positionOf(organization.StartAddress?.Zip ?? ''),
  driveTimes: greatCircleDriving(),
});

const FIXED_LOCATION = 1;
const momentOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

/** A service to be done at a place, as scheduling takes it. */
export const buildWork = (
  service: ServiceRecord,
  {
    minutes,
    zip,
    position,
    appointmentId,
  }: {
    readonly minutes: number;
    readonly zip: string;
    readonly position: Position | null;
    readonly appointmentId?: number | undefined;
  },
): Work => ({
  category: service.Category,
  fixedLocation: service.SchedulingMode === FIXED_LOCATION,
  seasonStart: momentOf(service.SeasonStart),
  seasonExpiration: momentOf(service.SeasonExpiration),
  minutes,
  postalCode: zip,
  position,
  appointmentId,
});

const wholeDays = (Name: string, From: string, Through: string): DayOff => ({
  Name,
  From,
  Through,
  StartMinute: null,
  Minutes: null,
});

/** Holidays as the calendar has them. */
export const holidayDaysOff = (holidays: readonly Holiday[]): DayOff[] =>
  holidays.map(({ Date, Name }) => wholeDays(Name || 'holiday', Date, Date));

/** Minute of the clock, 0 to 1439. */
const clockMinute = (at: number, zone: string): number =>
  Math.floor(((((at + offsetAt(at, zone)) % DAY) + DAY) % DAY) / MINUTE);

/**
 * A stretch of time off as the calendar has it: whole days as one, else the rest of the first day, the days between, and the beginning of the last. New
 * York, 03-06 12:00 until 03-09 9:00: 03-06 from minute 720, 03-07 to 03-08 whole, 03-09 540 minutes from midnight.
 */
export function agentDaysOff({ From, Until, Reason }: TimeOff, zone: string): DayOff[] {
  if (Until <= From) return [];
  const Name = Reason || 'time off';
  const [first, last] = [dayAt(From, zone), dayAt(Until - 1, zone)];
  const beginsAtMidnight = From <= first.start;
  const endsAtMidnight = Until >= last.end;
  const StartMinute = beginsAtMidnight ? 0 : clockMinute(From, zone);
  if (beginsAtMidnight && endsAtMidnight) return [wholeDays(Name, first.date, last.date)];
  // Rounded up: a minute begun is off.
  const endMinute = Math.ceil(((((Until + offsetAt(Until - 1, zone)) % DAY) + DAY) % DAY) / MINUTE) || 1440;
  if (first.date === last.date) {
    const Minutes = endsAtMidnight ? null : endMinute - StartMinute;
    return [{ Name, From: first.date, Through: first.date, StartMinute, Minutes }];
  }
  const between = toLocalDate(first.end, zone);
  const beforeLast = toLocalDate(last.start - 1, zone);
  const opening: DayOff[] = beginsAtMidnight
    ? []
    : [{ Name, From: first.date, Through: first.date, StartMinute, Minutes: null }];
  const closing: DayOff[] = endsAtMidnight
    ? []
    : [{ Name, From: last.date, Through: last.date, StartMinute: 0, Minutes: endMinute }];
  const from = beginsAtMidnight ? first.date : between;
  const through = endsAtMidnight ? last.date : beforeLast;
  return [...opening, ...(from <= through ? [wholeDays(Name, from, through)] : []), ...closing];
}
