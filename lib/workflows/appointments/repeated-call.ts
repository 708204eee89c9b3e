import type { AppointmentRecord } from '../../entities/appointments.ts';
import { type BookingCall, callContent } from '../../domain/appointments/call-content.ts';
import { conflict } from '../../shared/failure.ts';
import { callCenterChange, findByCallCenterTransaction } from '../../store/appointments.ts';
import { requestFingerprint } from '../../store/requests/request-fingerprint.ts';
import type { ReadContext } from '../context.ts';
import type { Booking } from './booking-context.ts';

type RepeatableOperation = 'book' | 'queue' | 'quickbook';

const callFingerprint = (operation: RepeatableOperation, request: BookingCall, zone: string): string =>
  requestFingerprint(`appointments/${operation}`, callContent(request, zone));

/**
 * The appointment that an earlier call with the same CallCenterTransactionId made. Throws conflict if that call asked
 * for something else.
 */
export async function findRepeatedCall(
  { table, caller }: ReadContext,
  operation: RepeatableOperation,
  request: BookingCall,
): Promise<AppointmentRecord | undefined> {
  const transaction = request.CallCenterTransactionId;
  if (!transaction) return undefined;
  const call = await findByCallCenterTransaction(table, caller, transaction);
  if (!call) return undefined;
  const { appointment, fingerprint, zone } = call;
  if (!appointment)
    throw conflict(
      'idempotency_mismatch',
      `CallCenterTransactionId ${transaction} was used for another request. Use a new one.`,
    );
  // Calls of earlier versions have no fingerprint.
  if (fingerprint !== undefined && fingerprint !== callFingerprint(operation, request, zone))
    throw conflict(
      'idempotency_mismatch',
      `CallCenterTransactionId ${transaction} made appointment ${appointment.Id} with another request. Use a new one.`,
    );
  return appointment;
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
