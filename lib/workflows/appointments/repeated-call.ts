import type { AppointmentRecord } from '../../entities/appointments.ts';
import { type BookingCall, callContent } from '../../domain/appointments/call-content.ts';
import { conflict } from '../../shared/failure.ts';
import type { AppointmentInput } from '../../resources/appointments.ts';
import {
  type CallCenterCall,
  callCenterChange,
  findAppointment,
  findCallCenterCalls,
} from '../../store/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import { requestFingerprint } from '../../store/requests/request-fingerprint.ts';
import type { ReadContext } from '../context.ts';
import type { Booking } from './booking-context.ts';

type RepeatableOperation = 'book' | 'queue' | 'quickbook';

const callFingerprint = (operation: RepeatableOperation, request: BookingCall, zone: string): string =>
  requestFingerprint(`appointments/${operation}`, callContent(request, zone));

/**
 * The appointment that an earlier call with the same CallCenterTransactionId made in the organization. Throws conflict
 * if that call asked for something else.
 */
export async function findRepeatedCall(
  context: ReadContext,
  operation: RepeatableOperation,
  request: BookingCall,
): Promise<AppointmentRecord | undefined> {
  const transaction = request.CallCenterTransactionId;
  if (!transaction) return undefined;
  const { table, caller } = context;
  const found = await findCallCenterCalls(table, caller, transaction);
  if (!found.length) return undefined;
  const organizationId = await requestedOrganization(context, operation, request);
  const isOfOne = caller.organizationId === null && organizationId !== undefined;
  const calls = isOfOne ? await findCallCenterCalls(table, { ...caller, organizationId }, transaction) : found;
  // Calls of earlier versions have no fingerprint.
  const isRepeated = ({ appointment, fingerprint, zone }: CallCenterCall) =>
    appointment && (fingerprint === undefined || fingerprint === callFingerprint(operation, request, zone));
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
async function requestedOrganization(
  { table, caller }: ReadContext,
  operation: RepeatableOperation,
  request: BookingCall,
): Promise<number | undefined> {
  if (caller.organizationId !== null) return caller.organizationId;
  // What an operation has in its answer alone, a request may have too, with any value.
  const { AppointmentId, Slots } = request as Pick<AppointmentInput, 'AppointmentId' | 'Slots'>;
  const appointmentId = operation === 'quickbook' ? undefined : AppointmentId;
  const contactId = request.ContactId || (operation === 'book' ? Slots?.[0]?.ContactId : undefined);
  const record = appointmentId
    ? await findAppointment(table, caller, appointmentId)
    : contactId
      ? await findContact(table, caller, contactId)
      : undefined;
  return record?.OrganizationId;
}

/** The booking, and what recognizes a repetition of its call. `zone` is that of the moments in the request. */
export function withCall(
  { caller }: Pick<ReadContext, 'caller'>,
  { operation, request, zone }: { operation: RepeatableOperation; request: BookingCall; zone: string },
  { appointment, changes }: Booking,
): Booking {
  const transaction = request.CallCenterTransactionId;
  if (!transaction) return { appointment, changes };
  const fingerprint = callFingerprint(operation, request, zone);
  const call = callCenterChange(caller.accountId, { transaction, appointment, fingerprint, zone });
  return { appointment, changes: [...changes, call] };
}
