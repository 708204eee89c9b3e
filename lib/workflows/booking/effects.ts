import { Status } from '../../domain/appointments/record.ts';
import { ProposalStatus } from '../../domain/proposals/record.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { type ContactSummary, contactSummaryChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { proposalsWithParentChanges } from '../../store/sales/proposals.ts';
import type { WriteContext } from '../context.ts';
import type { BookingContext } from './booking.ts';

/** Step 6, effects: what changes with an appointment besides itself: its proposals and its contact. */

/** What changes besides a contact, and what that says about the contact. */
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
