import { type BookingCall, callContent } from '../../domain/appointments/call-content.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { conflict } from '../../shared/failure.ts';
import { requestFingerprint } from '../../shared/objects.ts';
import {
  type CallCenterCall,
  callCenterChange,
  findAppointment,
  findCallCenterCalls,
} from '../../store/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import { storeOf } from '../../store/store.ts';
import type { ReadContext } from '../context.ts';
import type { Booking } from './booking.ts';
import type { RepeatablePolicy } from './input.ts';

/** A call that is sent again with its CallCenterTransactionId: it is recognized, and its first appointment answered. */

const fingerprintOf = (
  { operation }: Pick<RepeatablePolicy<never>, 'operation'>,
  request: BookingCall,
  zone: string,
): string => requestFingerprint(`appointments/${operation}`, callContent(request, zone));

/**
 * The appointment that an earlier call with the same CallCenterTransactionId made in the organization. Throws conflict
 * if that call asked for something else.
 */
export async function findRepeatedCall<Request extends BookingCall>(
  context: ReadContext,
  policy: RepeatablePolicy<Request>,
  request: Request,
): Promise<AppointmentRecord | undefined> {
  const transaction = request.CallCenterTransactionId;
  if (!transaction) return undefined;
  const { store, caller } = context;
  const found = await findCallCenterCalls(store, transaction);
  if (!found.length) return undefined;
  const organizationId = await requestedOrganization(context, policy, request);
  const isOfOne = caller.organizationId === null && organizationId !== undefined;
  const calls = isOfOne
    ? await findCallCenterCalls(storeOf(store.table, { ...caller, organizationId }), transaction)
    : found;
  // Calls of earlier versions have no fingerprint.
  const isRepeated = ({ appointment, fingerprint, zone }: CallCenterCall) =>
    appointment && (fingerprint === undefined || fingerprint === fingerprintOf(policy, request, zone));
  const repeated = calls.find(isRepeated);
  const [other] = calls;
  if (!repeated && other)
    throw conflict(
      'idempotency_mismatch',
      `CallCenterTransactionId ${transaction} made appointment ${other.id} ` +
        `${other.appointment ? 'with another request' : 'which is not there any more'}. Use a new one.`,
    );
  return repeated?.appointment;
}

/** The organization that a call books in; `undefined` where it is decided with the contact of a lead. */
async function requestedOrganization<Request>(
  { store, caller }: ReadContext,
  policy: RepeatablePolicy<Request>,
  request: Request,
): Promise<number | undefined> {
  if (caller.organizationId !== null) return caller.organizationId;
  const { appointmentId, contactId } = policy.namedBy(request);
  const record = appointmentId
    ? await findAppointment(store, appointmentId)
    : contactId
      ? await findContact(store, contactId)
      : undefined;
  return record?.OrganizationId;
}

/** The booking, and what recognizes a repetition of its call. `zone` is that of the moments in the request. */
export function withCall<Request extends BookingCall>(
  { caller }: Pick<ReadContext, 'caller'>,
  { policy, request, zone }: { policy: RepeatablePolicy<Request>; request: Request; zone: string },
  { appointment, changes }: Booking,
): Booking {
  const transaction = request.CallCenterTransactionId;
  if (!transaction) return { appointment, changes };
  const fingerprint = fingerprintOf(policy, request, zone);
  const call = callCenterChange({ account: caller.account }, { transaction, appointment, fingerprint, zone });
  return { appointment, changes: [...changes, call] };
}
