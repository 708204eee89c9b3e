import { type Interval, findInterval, isWeekdayRule, stepOf } from '../../domain/subscriptions/recurrence.ts';
import { nextRuleDay } from '../../domain/weekday-rule.ts';
import { describeRule, readWeekdayRule } from '../../domain/weekday-rule-text.ts';
import { clockAt, seriesDays, storedInterval } from '../../domain/subscriptions/series.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { type SeriesRecord, seriesEntity } from '../../entities/series.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { type RepeatInput, MAX_SERIES } from '../../resources/appointments.ts';
import { type FieldError, collectErrors, invalid, orInvalid } from '../../shared/failure.ts';
import { type Day, dayNumber } from '../../shared/time/calendar-dates.ts';
import { parseCalendarDate } from '../../shared/time/read-moments.ts';
import { DAY, toFriendlyDate, toLocalDay } from '../../shared/time/time.ts';
import type { WriteContext } from '../context.ts';
import type { BookingContext } from './types.ts';

/** Whether a request repeats its visit. */
export const isRepeated = ({ Repeat, Interval, Count, Through, Days, On, IfMissing }: RepeatInput): boolean =>
  Boolean(Repeat || Interval || Count || Through || Days?.length || On || IfMissing);

/**
 * The series that a booking begins with its visit, if the request repeats it. The worker books the other visits, each
 * on its day at the same time with the same agents. Throws invalid if the request is incomplete, or its visit is not on
 * a day of its rule.
 */
export function beginSeries(
  request: RepeatInput,
  { service, organization: { Timezone: zone } }: Pick<BookingContext, 'service' | 'organization'>,
  visit: AppointmentRecord,
  { now, remark }: WriteContext,
): SeriesRecord {
  const { Count, Through } = request;
  const { interval, errors: unreadable } = requestedInterval(request, service);
  const isMissing = !interval && !unreadable.length;
  const errors = collectErrors(
    [
      'Repeat',
      visit.Sold !== null && 'cannot repeat work that a proposal sold: its price is for all visits',
      'mismatch',
    ],
    ['Repeat', visit.SeriesId !== 0 && 'is for a visit that is of no series yet', 'mismatch'],
    ['Repeat', isMissing && `is required: service ${service.Id} has no interval`, 'required'],
    ['Count', !Count && !Through && 'or Through is required with Repeat', 'required'],
  );
  const faults = [...unreadable, ...errors];
  if (faults.length || !interval || visit.Start === null) throw invalid(...faults);
  const first = toLocalDay(visit.Start, zone);
  requireOnRule(interval, first);
  const through = Through ? dayNumber(orInvalid(parseCalendarDate(Through), 'Through').date) : undefined;
  const Days = seriesDays(first, interval, { count: Count ?? undefined, through });
  if (Days.length < 2 || Days.length > MAX_SERIES)
    throw invalid({
      field: Through ? 'Through' : 'Count',
      code: 'range',
      message: `must leave 2 to ${MAX_SERIES} visits`,
    });
  const more = Days.length - 1;
  remark?.(`${more === 1 ? '1 more visit is' : `${more} more visits are`} booked in the background.`);
  if (isWeekdayRule(interval)) remark?.(`The series is ${describeRule(interval)}.`);
  return seriesEntity.blank({
    Id: visit.Id,
    OrganizationId: visit.OrganizationId,
    Days,
    ...storedInterval(interval),
    VisitIds: [visit.Id],
    Clock: clockAt(visit.Start, zone),
    ServiceAgentId: visit.ServiceAgentId,
    AdditionalAgents: visit.AdditionalAgents,
    Created: now.getTime(),
  });
}

interface RequestedInterval {
  /** `undefined` if the request and the service have none, or it cannot be read. */
  readonly interval: Interval | undefined;
  readonly errors: readonly FieldError[];
}

/** Taken from the request, else from the service: its own interval, else AutoCreateInterval in days. */
function requestedInterval(request: RepeatInput, service: ServiceRecord): RequestedInterval {
  const { Repeat, Interval: every, Days, On, IfMissing } = request;
  const errors = collectErrors(
    ['Days', Boolean(Days?.length) && Repeat !== 'weekly' && 'needs Repeat weekly', 'mismatch'],
    ['On', Boolean(On) && Repeat !== 'monthly' && 'needs Repeat monthly', 'mismatch'],
    ['IfMissing', Boolean(IfMissing) && !On && 'needs On', 'mismatch'],
  );
  if (errors.length) return { interval: undefined, errors };
  if (!Repeat) return { interval: serviceInterval(service), errors };
  const { rule, errors: unreadable } = readWeekdayRule(request, every ?? 1);
  return { interval: unreadable.length ? undefined : (rule ?? stepOf(Repeat, every ?? 1)), errors: unreadable };
}

function serviceInterval(service: ServiceRecord): Interval | undefined {
  const days = service.AutoCreateInterval ?? 0;
  return findInterval(service) ?? (days > 0 ? stepOf('daily', days) : undefined);
}

/** 400 for a first visit on a day that its rule does not have: the caller, not the rule, would be wrong. */
function requireOnRule(interval: Interval, first: Day): void {
  if (!isWeekdayRule(interval)) return;
  const next = nextRuleDay(interval, first);
  if (next === first) return;
  const [given, possible] = [first, next ?? first].map((day) => toFriendlyDate(day * DAY, 'UTC'));
  const message = `is on ${given}, but the series is ${describeRule(interval)}: begin it on ${possible}`;
  throw invalid({ field: 'Slots[0].DateTime', code: 'mismatch', message });
}
