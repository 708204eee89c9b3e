import type { ServiceAgentRecord, TimeOff } from '../../entities/service-agents.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { toLocalDate } from '../../shared/time/format-moments.ts';
import { DAY, MINUTE } from '../../shared/time/time.ts';
import { offsetAt } from '../../shared/time/zones.ts';
import type { Position } from '../postal/miles.ts';
import { firstDate, lastDate } from '../pricebook/calendar-dates.ts';
import type { Calendar, DayOff, Job, Work } from '../scheduling/calendar.ts';
import { dayAt } from '../scheduling/days.ts';
import { greatCircleDriving } from '../scheduling/drives.ts';

/** The calendar of an organization for scheduling. `positionAt` returns the centre of a postal code. */
export const buildCalendar = (
  { Timezone: zone, Holidays, PostalCodes, StartAddress }: OrganizationRecord,
  agents: Iterable<ServiceAgentRecord>,
  jobs: readonly Job[],
  positionAt: (code: string) => Position | null,
): Calendar => ({
  zone,
  agents: [...agents].map((agent) => ({
    agent,
    timeOff: agent.TimeOff.flatMap((timeOff) => agentDaysOff(timeOff, zone)),
  })),
  jobs,
  holidays: Holidays.map(({ Date, Name }) => wholeDays(Name || 'holiday', Date, Date)),
  postalCodes: PostalCodes,
  startPosition: positionAt(StartAddress?.Zip ?? ''),
  driveTimes: greatCircleDriving(),
});

const FIXED_LOCATION = 1;

interface Visit {
  readonly minutes: number;
  readonly zip: string;
  readonly position: Position | null;
  readonly appointmentId?: number | undefined;
}

/** The work of a visit for scheduling. */
export function buildWork(
  { Category, SchedulingMode, SeasonStart, SeasonExpiration }: ServiceRecord,
  { zip, ...visit }: Visit,
): Work {
  return {
    ...visit,
    category: Category,
    fixedLocation: SchedulingMode === FIXED_LOCATION,
    seasonFirst: firstDate(SeasonStart),
    seasonLast: lastDate(SeasonExpiration),
    postalCode: zip,
  };
}

const wholeDays = (Name: string, From: string, Through: string): DayOff => ({
  Name,
  From,
  Through,
  StartMinute: null,
  Minutes: null,
});

/** Minutes of the clock since midnight at an instant, with the offset of another; a fraction for a minute begun. */
const clockMinutes = (at: number, offset: number): number => ((((at + offset) % DAY) + DAY) % DAY) / MINUTE;

/**
 * Time off as days: whole days as one, else the rest of the first day, the days between, and the beginning of the last.
 * New York, 03-06 12:00 until 03-09 9:00: 03-06 from minute 720, 03-07 to 03-08 whole, 03-09 540 minutes from midnight.
 */
export function agentDaysOff({ From, Until, Reason }: TimeOff, zone: string): DayOff[] {
  if (Until <= From) return [];
  const Name = Reason || 'time off';
  const [first, last] = [dayAt(From, zone), dayAt(Until - 1, zone)];
  const beginsAtMidnight = From <= first.start;
  const endsAtMidnight = Until >= last.end;
  if (beginsAtMidnight && endsAtMidnight) return [wholeDays(Name, first.date, last.date)];
  const StartMinute = beginsAtMidnight ? 0 : Math.floor(clockMinutes(From, offsetAt(From, zone)));
  // Rounded up: a minute begun is off.
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
