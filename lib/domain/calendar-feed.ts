import type { AppointmentRecord } from '../entities/appointments.ts';
import type { CalendarSettings, OrganizationRecord } from '../entities/organizations.ts';
import { DAY } from '../shared/time/time.ts';
import { Status } from './appointments/record.ts';
import type { Interval } from './scheduling/calendar.ts';
import { applyFields } from './pricebook/apply-fields.ts';

/** Which visits the calendar of a service agent or of an organization shows, and what of them. */

const DAYS_BACK = 30;
const DAYS_AHEAD = 180;

/** The visits of a feed begin in this period. */
export const feedPeriod = (now: Date): Interval => ({
  start: now.getTime() - DAYS_BACK * DAY,
  end: now.getTime() + DAYS_AHEAD * DAY,
});

/** Days for which a canceled visit is shown as canceled. */
export const CANCELED_DAYS = 30;

/** The most visits of a feed: those ahead come first, then the newest of the past. */
export const MAX_FEED_VISITS = 2_000;

/** Whether a feed shows the visit: it has a time in the period, and was not canceled long ago. */
export function isInFeed<Visit extends Pick<AppointmentRecord, 'Start' | 'Status' | 'CanceledAt'>>(
  visit: Visit,
  now: Date,
): visit is Visit & { readonly Start: number } {
  const { start, end } = feedPeriod(now);
  const { Start, Status: status, CanceledAt } = visit;
  if (Start === null || Start < start || Start >= end || status === Status.Queued) return false;
  return status !== Status.Canceled || (CanceledAt ?? -Infinity) >= now.getTime() - CANCELED_DAYS * DAY;
}

export const CALENDAR_DEFAULTS = { Phones: true, Notes: false } as const satisfies CalendarSettings;

/** What calendars of an organization show. */
export const calendarSettings = ({ Calendar }: Pick<OrganizationRecord, 'Calendar'>): CalendarSettings =>
  Calendar ?? CALENDAR_DEFAULTS;

export type CalendarSettingsInput = { readonly [Name in keyof CalendarSettings]?: boolean | null | undefined };

/** Applies the settings of a company file; `null` resets one, or all, to the default. */
export function applyCalendarSettings(
  before: OrganizationRecord['Calendar'],
  input: CalendarSettingsInput | null | undefined,
): OrganizationRecord['Calendar'] {
  if (input === null || input === undefined) return input === null ? null : before;
  const fields = { names: ['Phones', 'Notes'], blank: CALENDAR_DEFAULTS } as const;
  return applyFields<CalendarSettings>(before ?? CALENDAR_DEFAULTS, input, fields);
}
