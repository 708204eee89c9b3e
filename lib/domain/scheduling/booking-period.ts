import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { CodeOf } from '../../shared/failure-codes.ts';
import { DAY, MINUTE, firstInstantAt, formatDuration, toFriendly } from '../../shared/time/time.ts';
import { type BookingPeriod, type Calendar, type LocalDay, dayAfter, dayAt } from './calendar.ts';
import { formatDay } from './explain.ts';
import { timeOffOn, workingTime } from './plans.ts';

/** How far ahead visits can be booked: a minimum notice in minutes or working days, and a horizon in days. */

export type BookingRules = Pick<OrganizationRecord, 'MinimumNotice' | 'MinimumNoticeDays' | 'HorizonDays'>;

/** The rules of a service, each of which replaces its organization's. */
export const rulesOf = (
  service: Pick<ServiceRecord, keyof BookingRules>,
  organization: BookingRules,
): BookingRules => ({
  MinimumNotice: service.MinimumNotice ?? organization.MinimumNotice,
  MinimumNoticeDays: service.MinimumNoticeDays ?? organization.MinimumNoticeDays,
  HorizonDays: service.HorizonDays ?? organization.HorizonDays,
});

/** The search for a working day ends here: nothing can then be booked. */
const MAX_DAYS = 400;

type Hours = Pick<Calendar, 'zone' | 'agents' | 'holidays'>;

/** Whether any agent works on a day. */
const isWorkingDay = (day: LocalDay, { agents, holidays }: Hours): boolean => {
  const closed = timeOffOn([day], holidays);
  return agents.some((agent) => workingTime([day], agent.agent.TimeSlots, agent, closed).length > 0);
};

/** The start of the `count`-th working day after today. From Friday, 2 is Tuesday if weekends are off. */
function workingDayAfter(hours: Hours, now: number, count: number): number {
  let day = dayAt(now, hours.zone);
  for (let [passed, looked] = [0, 0]; passed < count && looked < MAX_DAYS; looked++) {
    day = dayAfter(day);
    if (isWorkingDay(day, hours)) passed++;
  }
  return day.start;
}

const DAY_MINUTES = DAY / MINUTE;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `90 min`, `20 days`. */
const describeMinutes = (minutes: number): string =>
  minutes % DAY_MINUTES === 0 ? counted(minutes / DAY_MINUTES, 'day') : formatDuration(minutes);

/**
 * The booking period at a moment. New York, Friday 2026-03-06 17:00: a notice of 1,440 minutes ends on Saturday 17:00,
 * one of 2 working days on Tuesday 0:00, and both together on Tuesday; a horizon of 3 days ends with Monday.
 */
export function bookingPeriod(
  hours: Hours,
  { MinimumNotice, MinimumNoticeDays, HorizonDays }: BookingRules,
  now: number,
): BookingPeriod {
  const { zone } = hours;
  const afterMinutes = now + (MinimumNotice ?? 0) * MINUTE;
  const afterDays = MinimumNoticeDays ? workingDayAfter(hours, now, MinimumNoticeDays) : now;
  const first = Math.max(afterMinutes, afterDays);
  const until =
    HorizonDays === null ? Infinity : firstInstantAt(dayAt(now, zone).midnight + (HorizonDays + 1) * DAY, zone);
  const notice =
    afterDays > afterMinutes ? counted(MinimumNoticeDays ?? 0, 'working day') : describeMinutes(MinimumNotice ?? 0);
  return {
    first,
    until,
    notice:
      first > now ? `The minimum notice is ${notice}: nothing can be booked before ${toFriendly(first, zone)}.` : '',
    horizon:
      HorizonDays === null
        ? ''
        : `Visits can be booked at most ${counted(HorizonDays, 'day')} ahead: through ${formatDay(until - 1, zone)}.`,
  };
}

export interface PeriodRefusal {
  readonly code: Extract<CodeOf<409>, 'too_soon' | 'too_far_ahead'>;
  readonly message: string;
}

/** Why a start outside the period cannot be booked. */
export function refuseOutside(
  { first, until, notice, horizon }: BookingPeriod,
  start: number,
  zone: string,
): PeriodRefusal | undefined {
  const refused = (code: PeriodRefusal['code'], words: string, rule: string) => ({
    code,
    message: `The start, ${toFriendly(start, zone)}, is ${words}. ${rule}`,
  });
  if (start < first && notice) return refused('too_soon', 'too soon', notice);
  return start < until ? undefined : refused('too_far_ahead', 'too far ahead', horizon);
}
