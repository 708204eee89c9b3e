import { Status, toQueued } from '../../domain/appointments/record.ts';
import type { QueueInput } from '../../resources/appointments.ts';
import { conflict, orInvalid, orNotFound } from '../../shared/failure.ts';
import { toLocalDate } from '../../shared/time/time.ts';
import { parseDate } from '../../shared/time/read-moments.ts';
import { appointmentChanges } from '../../store/appointments.ts';
import type { Booking, BookingContext, BookingInput } from '../booking/types.ts';
import { QUEUE, resolveInput } from '../booking/input.ts';
import { priceWork } from '../booking/price.ts';
import { type Named, readNamed } from '../booking/read.ts';
import { releaseTime } from '../booking/release.ts';
import { loadBookingContext, requireSameContact } from '../booking/resolve.ts';
import { loadContact } from '../contacts/load-contact.ts';
import { withCall } from '../booking/effects.ts';
import { changeAppointmentStatus, newAppointment } from '../booking/place.ts';
import type { WriteContext } from '../context.ts';

/**
 * Puts a new appointment, or one that gives up its time, into the queue. A repeated call returns the first appointment
 * without changes.
 */
export async function queueAppointment(request: QueueInput, context: WriteContext): Promise<Booking> {
  const { store, caller, now } = context;
  const { AppointmentId, CallCenterTransactionId } = request;
  const named = await readNamed(QUEUE, request, context);
  if (named.repeated) return { appointment: named.repeated, changes: [] };
  const { former } = named;
  if (AppointmentId) orNotFound(former, 'appointment', 'AppointmentId', AppointmentId);

  const booking = await resolveQueued(request, named, context);
  const queueDate = request.QueueDate
    ? orInvalid(parseDate(request.QueueDate, booking.organization.Timezone), 'QueueDate').date
    : '';
  const today = toLocalDate(now.getTime(), booking.organization.Timezone);
  if (queueDate && queueDate < today && queueDate !== former?.QueueDate)
    throw conflict(
      'in_the_past',
      `QueueDate ${queueDate} is in the past. Use ${today} or later, or record a past job with appointments/book and ` +
        'SkipConflictChecks.',
    );
  const work = await priceWork(context, booking, booking.input.work);
  const base = former ? changeAppointmentStatus(former, Status.Queued, caller) : await newAppointment(context, booking);
  const after = {
    ...toQueued({ ...base, ...booking.input.details }, queueDate, now.getTime()),
    ...work,
    Demand: request.Demand === undefined ? base.Demand : request.Demand,
    CallCenterTransactionId: CallCenterTransactionId || base.CallCenterTransactionId,
  };
  const call = { policy: QUEUE, request, zone: booking.organization.Timezone };
  if (former) return withCall(context, call, await releaseTime(context, { before: former, after }));
  const { record, changes } = appointmentChanges(store, { before: undefined, after, now });
  return withCall(context, call, { appointment: record, changes });
}

async function resolveQueued(
  request: QueueInput,
  { former, contact: namedContact, prefetched }: Named,
  context: WriteContext,
): Promise<BookingContext & { readonly input: BookingInput }> {
  const contact = namedContact ?? (await loadContact(context, former?.ContactId));
  const input = resolveInput(QUEUE, { request, former });
  requireSameContact(former, contact.Id);
  const organizationId = former?.OrganizationId ?? contact.OrganizationId;
  const selection = { organizationId, service: input.service, prefetched };
  return { contact, input, ...(await loadBookingContext(context, selection)) };
}
