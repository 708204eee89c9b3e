import { type SeriesMark, withMark } from '../../domain/subscriptions/series.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { SeriesRecord } from '../../entities/series.ts';
import type { BookInput, RepeatInput } from '../../resources/appointments.ts';
import { seriesChange } from '../../store/series.ts';
import type { Booking } from '../booking/types.ts';
import { withCall, bookingEffects } from '../booking/effects.ts';
import { placeVisit } from '../booking/place.ts';
import { BOOK } from '../booking/input.ts';
import { priceWork } from '../booking/price.ts';
import { type Named, findRepeatedCall, readNamed } from '../booking/read.ts';
import { reservationFailure, tryReserveTime } from '../booking/reserve.ts';
import { type ResolvedBooking, resolveBooking } from '../booking/resolve.ts';
import type { WriteContext } from '../context.ts';

/**
 * Books a slot: reserves the time of every agent, fixes lines and price, and schedules the proposal it is for. Throws
 * conflict if the time is taken or outside an agent's hours. A repeated call returns the first appointment without
 * changes. A request that repeats the visit begins a series. A change of the series that books the visit passes
 * its mark.
 */
export async function bookAppointment(
  request: BookInput & RepeatInput,
  context: WriteContext,
  mark: SeriesMark = {},
): Promise<Booking> {
  const named = await readNamed(BOOK, request, context);
  if (named.repeated) return { appointment: named.repeated, changes: [] };

  const { booking, after: appointment, starts, series } = await placeBooking(request, named, context, mark);
  const reservation = await tryReserveTime(context, booking, {
    before: booking.former,
    after: appointment,
    starts,
    skipConflictChecks: request.SkipConflictChecks ?? false,
    hold: request.HoldHandle,
  });
  if (reservation.kind !== 'reserved') {
    // The same call, sent twice at once, may have taken the time.
    const repeated = await findRepeatedCall(context, BOOK, request);
    if (!repeated) throw reservationFailure(reservation);
    return { appointment: repeated, changes: [] };
  }
  const effects = await bookingEffects(context, booking, appointment);
  const started = series ? [seriesChange(context.store, { before: undefined, after: series, now: context.now })] : [];
  const changes = [...reservation.changes, ...effects, ...started];
  const call = { policy: BOOK, request, zone: booking.organization.Timezone };
  return withCall(context, call, { appointment: reservation.appointment, changes });
}

interface PlacedBooking {
  readonly booking: ResolvedBooking;
  readonly before: AppointmentRecord | undefined;
  readonly after: AppointmentRecord;
  readonly starts: readonly number[];
  readonly series: SeriesRecord | undefined;
}

/** The steps before the reservation. */
async function placeBooking(
  request: BookInput & RepeatInput,
  named: Named,
  context: WriteContext,
  mark: SeriesMark,
): Promise<PlacedBooking> {
  const booking = await resolveBooking(request, named, context);
  const work = await priceWork(context, booking, booking.input.work);
  const { visit, starts, series } = await placeVisit(request, booking, work, context);
  return { booking, before: booking.former, after: withMark(visit, mark), starts, series };
}

/** A booking without the reservation, for a caller that reserves the times of several appointments together. */
export async function prepareBooking(request: BookInput, context: WriteContext): Promise<PlacedBooking> {
  const named = await readNamed(BOOK, request, context);
  return placeBooking(request, named, context, {});
}
