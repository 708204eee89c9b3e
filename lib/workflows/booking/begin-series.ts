import { type Step, findStep, stepOf } from '../../domain/subscriptions/recurrence.ts';
import { clockAt, seriesDays } from '../../domain/subscriptions/series.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { type SeriesRecord, seriesEntity } from '../../entities/series.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { type RepeatInput, MAX_SERIES } from '../../resources/appointments.ts';
import { collectErrors, invalid, orInvalid } from '../../shared/failure.ts';
import { dayNumber } from '../../shared/time/calendar-dates.ts';
import { parseCalendarDate } from '../../shared/time/read-moments.ts';
import { toLocalDay } from '../../shared/time/time.ts';
import type { WriteContext } from '../context.ts';
import type { BookingContext } from './types.ts';

/**
 * The series that a booking begins with its visit, if the request repeats it. The worker books the other visits, each
 * on its day at the same time with the same agents. Throws invalid if the request is incomplete.
 */
export function beginSeries(
  request: RepeatInput,
  { service, organization: { Timezone: zone } }: Pick<BookingContext, 'service' | 'organization'>,
  visit: AppointmentRecord,
  { now, remark }: WriteContext,
): SeriesRecord {
  const { Count, Through } = request;
  const step = requestedStep(request, service);
  const errors = collectErrors(
    [
      'Repeat',
      visit.Sold !== null && 'cannot repeat work that a proposal sold: its price is for all visits',
      'mismatch',
    ],
    ['Repeat', visit.SeriesId !== 0 && 'is for a visit that is of no series yet', 'mismatch'],
    ['Repeat', !step && `is required: service ${service.Id} has no interval`, 'required'],
    ['Count', !Count && !Through && 'or Through is required with Repeat', 'required'],
  );
  if (errors.length || !step || visit.Start === null) throw invalid(...errors);
  const through = Through ? dayNumber(orInvalid(parseCalendarDate(Through), 'Through').date) : undefined;
  const Days = seriesDays(toLocalDay(visit.Start, zone), step, { count: Count ?? undefined, through });
  if (Days.length < 2 || Days.length > MAX_SERIES)
    throw invalid({
      field: Through ? 'Through' : 'Count',
      code: 'range',
      message: `must leave 2 to ${MAX_SERIES} visits`,
    });
  const more = Days.length - 1;
  remark?.(`${more === 1 ? '1 more visit is' : `${more} more visits are`} booked in the background.`);
  return seriesEntity.blank({
    Id: visit.Id,
    OrganizationId: visit.OrganizationId,
    Days,
    Months: step.months,
    VisitIds: [visit.Id],
    Clock: clockAt(visit.Start, zone),
    ServiceAgentId: visit.ServiceAgentId,
    AdditionalAgents: visit.AdditionalAgents,
    Created: now.getTime(),
  });
}

/** Taken from the request, else from the service: its own interval, else AutoCreateInterval in days. */
function requestedStep({ Repeat, Interval }: RepeatInput, service: ServiceRecord): Step | undefined {
  if (Repeat) return stepOf(Repeat, Interval ?? 1);
  const own = findStep(service);
  if (own) return own;
  return service.AutoCreateInterval && service.AutoCreateInterval > 0
    ? stepOf('daily', service.AutoCreateInterval)
    : undefined;
}
