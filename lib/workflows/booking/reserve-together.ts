import { timeReservations } from '../../domain/appointments/calendar.ts';
import { jobAt } from '../../domain/scheduling/calendar.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { conflict } from '../../shared/failure.ts';
import { pick } from '../../shared/objects.ts';
import { appointmentChanges } from '../../store/appointments.ts';
import { allReservationChanges, listCalendarDays, toJobs } from '../../store/calendars.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { WriteContext } from '../context.ts';
import { loadPlaces } from '../roads/load-places.ts';
import { loadRoads } from '../roads/load-roads.ts';
import { bookingPeriodOf, checkReservations, isNewStart, pastMessage, refusePeriod, spansOf } from './reserve.ts';
import type { BookingContext } from './types.ts';

/** An appointment that is to have another time; none if it goes into the queue. */
export interface ChangedVisit {
  readonly booking: BookingContext;
  readonly before: AppointmentRecord;
  readonly after: AppointmentRecord;
}

interface ReservedTogether {
  /** In the order of the visits. */
  readonly appointments: readonly AppointmentRecord[];
  readonly changes: readonly Change[];
}

/**
 * Reserves the new times of several appointments of one organization, and releases their earlier ones: each is checked
 * as a booking is, in the calendar as it is after all of them. So two visits can exchange their times. Throws the
 * first refusal, which names the appointment. One round.
 */
export async function reserveTogether(
  context: WriteContext,
  organization: OrganizationRecord,
  visits: readonly ChangedVisit[],
): Promise<ReservedTogether> {
  const { store, now } = context;
  const places = await loadPlaces(
    context,
    organization,
    visits.map(({ booking }) => booking.contact),
  );
  const placed = visits.map(({ booking, before, after }) => {
    const located = {
      ...after,
      ...pick(booking.service, 'BufferBefore', 'BufferAfter'),
      Zone: booking.organization.Timezone,
      Position: places.of(booking.contact),
    };
    return { booking, before, after: timeReservations(after).length ? located : after };
  });
  const spans = placed.flatMap(({ booking, before, after }) => [
    ...timeReservations(before),
    ...spansOf(booking, after, false),
  ]);
  const days = await listCalendarDays(store, organization.Id, spans);
  const ids = new Set(visits.map(({ before }) => before.Id));
  const jobs = [
    ...toJobs(days, { now }).filter(({ appointmentId }) => !ids.has(appointmentId)),
    ...placed.flatMap(({ after }) =>
      timeReservations(after).map((time) => jobAt(time, { ...time, appointmentId: after.Id })),
    ),
  ];
  const roads = await loadRoads(context, places.start, { work: placed.map(({ after }) => after.Position), jobs });
  const checked = placed.map(({ booking, before, after }) => {
    if (!timeReservations(after).length) return after;
    const result = refusalOf(context, booking, { before, after }) ?? checkReservations(booking, after, jobs, roads);
    if ('message' in result) throw conflict(result.code, `Appointment ${after.Id}: ${result.message}`);
    return { ...after, ...result };
  });
  const stored = placed.map(({ before }, index) =>
    appointmentChanges(store, { before, after: checked[index] ?? before, now }),
  );
  const times = placed.map(({ before, after }) => ({
    appointmentId: before.Id,
    before: timeReservations(before),
    after: timeReservations(after),
  }));
  return {
    appointments: stored.map(({ record }) => record),
    changes: [
      ...stored.flatMap(({ changes }) => changes),
      ...allReservationChanges(store, organization.Id, days, times, { watched: true, now }),
    ],
  };
}

/** Why a new start is not in the period in which the caller can book. */
function refusalOf(
  context: WriteContext,
  booking: BookingContext,
  { before, after }: Pick<ChangedVisit, 'before' | 'after'>,
) {
  if (!isNewStart(before, after)) return undefined;
  if ((after.Start ?? 0) < context.now.getTime()) return { code: 'in_the_past' as const, message: pastMessage(after) };
  const period = bookingPeriodOf(context, booking);
  return period && refusePeriod(period, [], after);
}
