import type { ContactRecord } from '../../entities/contacts.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { Status, toQueued } from '../../domain/appointments/record.ts';
import type { QueueInput } from '../../resources/appointments.ts';
import { conflict, orInvalid, orNotFound } from '../../shared/failure.ts';
import { toLocalDate } from '../../shared/time/time.ts';
import { parseDate } from '../../shared/time/read-moments.ts';
import { appointmentChanges, findAppointment } from '../../store/appointments.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { WriteContext } from '../context.ts';
import {
  type Booking,
  type BookingContext,
  changeAppointmentStatus,
  loadBookingContext,
  newAppointment,
  prefetchCompany,
  requireSameContact,
} from './booking-context.ts';
import { priceWork } from './price-work.ts';
import { findRepeatedCall, withCall } from './repeated-call.ts';
import { releaseTime } from './reserve-time.ts';
import { type BookingInput, resolveBookingInput } from './resolve-booking-input.ts';

/**
 * Puts a new appointment, or one that releases its time, into the queue. A repeated call returns the first appointment
 * without changes.
 */
export async function queueAppointment(request: QueueInput, context: WriteContext): Promise<Booking> {
  const { store, caller, now } = context;
  const { AppointmentId, CallCenterTransactionId } = request;
  const [repeated, former, contact, prefetched] = await Promise.all([
    findRepeatedCall(context, 'queue', request),
    AppointmentId ? findAppointment(store, AppointmentId) : undefined,
    request.ContactId ? loadContact(context, request.ContactId) : undefined,
    prefetchCompany(context, request),
  ]);
  if (repeated) return { appointment: repeated, changes: [] };
  if (AppointmentId) orNotFound(former, 'appointment', 'AppointmentId', AppointmentId);

  const booking = await loadBooking(request, { former, contact, prefetched }, context);
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
  const call = { operation: 'queue', request, zone: booking.organization.Timezone } as const;
  if (former) return withCall(context, call, await releaseTime(context, { before: former, after }));
  const { record, changes } = appointmentChanges(store, { before: undefined, after, now });
  return withCall(context, call, { appointment: record, changes });
}

interface QueueSources {
  readonly former: AppointmentRecord | undefined;
  /** The contact of the request. */
  readonly contact: ContactRecord | undefined;
  readonly prefetched: Awaited<ReturnType<typeof prefetchCompany>>;
}

async function loadBooking(
  request: QueueInput,
  { former, contact: namedContact, prefetched }: QueueSources,
  context: WriteContext,
): Promise<BookingContext & { readonly input: BookingInput }> {
  const contact = namedContact ?? (await loadContact(context, former?.ContactId));
  const input = resolveBookingInput('queue', { request, former });
  requireSameContact(former, contact.Id);
  const organizationId = former?.OrganizationId ?? contact.OrganizationId;
  const selection = { organizationId, service: input.service, prefetched };
  return { contact, input, ...(await loadBookingContext(context, selection)) };
}
