import { ProposalStatus } from '../../entities/proposal-status.ts';
import { type BookingCall, callFingerprint } from '../../domain/appointments/call-content.ts';
import { Status } from '../../domain/appointments/record.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { callCenterChange } from '../../store/appointments.ts';
import { type ContactSummary, contactSummaryChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { proposalsWithParentChanges } from '../../store/sales/proposals.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import type { Booking, BookingContext } from './types.ts';
import type { RepeatablePolicy } from './input.ts';

/**
 * Step 6, effects: what changes besides the appointment: its proposals, its contact, and the record that recognizes a
 * repeated call.
 */

/** What changes besides a contact, and its effect on the contact's summary. */
export interface SideEffects {
  readonly changes: readonly Change[];
  readonly contactSummary: ContactSummary;
}

/** `billing` is what an invoice for the appointment changes; without one its proposals are scheduled. */
export async function bookingEffects(
  context: WriteContext,
  booking: BookingContext,
  after: AppointmentRecord,
  billing?: SideEffects,
): Promise<Change[]> {
  const { changes, contactSummary } = billing ?? (await scheduleProposals(context, booking, after));
  const customer = after.Status === Status.Completed && !booking.contact.IsCustomer;
  const summary = { customer, ...contactSummary };
  return [...changes, ...contactSummaryChanges(context.store, booking.contact.Id, summary, context.now)];
}

/** The Accepted proposals of a Scheduled appointment become Scheduled. */
async function scheduleProposals(
  { store, now }: WriteContext,
  { proposals }: BookingContext,
  { Status: status }: AppointmentRecord,
): Promise<SideEffects> {
  if (status !== Status.Scheduled || !proposals.length) return { changes: [], contactSummary: {} };
  return proposalsWithParentChanges(store, {
    before: proposals,
    next: (proposal) =>
      proposal.Status === ProposalStatus.Accepted ? { ...proposal, Status: ProposalStatus.Scheduled } : proposal,
    now,
  });
}

/** The booking with the record that recognizes a repeated call. `zone` applies to the moments in the request. */
export function withCall<Request extends BookingCall>(
  { caller }: Pick<ReadContext, 'caller'>,
  { policy, request, zone }: { policy: RepeatablePolicy<Request>; request: Request; zone: string },
  { appointment, changes }: Booking,
): Booking {
  const transaction = request.CallCenterTransactionId;
  if (!transaction) return { appointment, changes };
  const fingerprint = callFingerprint(policy.operation, request, zone);
  const call = callCenterChange({ account: caller.account }, { transaction, appointment, fingerprint, zone });
  return { appointment, changes: [...changes, call] };
}
