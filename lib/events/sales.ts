import { ProposalStatus } from '../entities/proposal-status.ts';
import { nouns } from '../entities/nouns.ts';
import type { ProposalRecord } from '../entities/proposals.ts';
import type { PaymentRecord } from '../entities/payments.ts';
import { type InvoiceRecord, InvoiceStatus } from '../entities/invoices.ts';
import { invoiceToResource } from '../domain/invoices/record.ts';
import { paymentToResource } from '../domain/payments.ts';
import { proposalToResource, statusAt } from '../domain/proposals/record.ts';
import type { EventKind } from '../resources/event-kinds.ts';
import { startOfDate } from '../shared/time/time.ts';
import { type EntityKind, kindsOf } from './entity-kind.ts';

const kindOfProposalStatus: Readonly<Record<number, EventKind>> = {
  [ProposalStatus.Open]: 'proposal.opened',
  [ProposalStatus.Accepted]: 'proposal.accepted',
  [ProposalStatus.Declined]: 'proposal.declined',
  [ProposalStatus.Invoiced]: 'proposal.invoiced',
  [ProposalStatus.Scheduled]: 'proposal.scheduled',
  [ProposalStatus.Complete]: 'proposal.completed',
  [ProposalStatus.Expired]: 'proposal.expired',
};

/**
 * The status that an operation returned with the change. An open proposal expires on its own: a change after that is
 * the event of its expiry, and the later change that stores the expiry is not an event.
 */
const currentStatus = (proposal: ProposalRecord): number => statusAt(proposal, proposal.Updated);

function proposalKind(before: ProposalRecord, after: ProposalRecord): EventKind {
  const status = currentStatus(after);
  // Voiding the invoice restores the former status: nobody accepts or schedules the proposal by that.
  if (before.Status === ProposalStatus.Invoiced && status !== ProposalStatus.Complete) return 'proposal.updated';
  // Reopened before its expiry was stored: only the time differs.
  const isReopened = status === ProposalStatus.Open && before.OpenedAt !== after.OpenedAt;
  const isSame = currentStatus(before) === status && !isReopened;
  return (isSame ? undefined : kindOfProposalStatus[status]) ?? 'proposal.updated';
}

/** Beyond what operations return, `Data` has the evidence of acceptance, and when the proposal expires. */
export const proposal: EntityKind<ProposalRecord> = {
  kinds: kindsOf('proposal'),
  transactionKind: 2,
  transaction: ({ Date: date, Zone, Subtotal: subtotal }) => ({ date: startOfDate(date, Zone), subtotal }),
  resource: (record, { lists, link }) => ({
    ...proposalToResource(record, { now: record.Updated, contact: null, definitions: lists.customFields, link }),
    ...nouns.Proposal.eventFields(record),
  }),
  contactId: ({ ContactId }) => ContactId,
  updated: proposalKind,
};

function invoiceKind(before: number, after: number): EventKind | undefined {
  if (before === after) return undefined;
  if (after === InvoiceStatus.Open)
    return before === InvoiceStatus.Unapproved ? 'invoice.approved' : 'invoice.reopened';
  if (after === InvoiceStatus.Paid) return 'invoice.paid';
  return after === InvoiceStatus.Voided ? 'invoice.voided' : undefined;
}

/** A payment changes an invoice too, and has an event of its own. */
export const invoice: EntityKind<InvoiceRecord> = {
  kinds: kindsOf('invoice'),
  transactionKind: 0,
  transaction: ({ Date: date, Subtotal: subtotal }) => ({ date, subtotal }),
  resource: (record, { link, takesPayments }) =>
    invoiceToResource(record, { contact: null, associated: true, link, takesPayments }),
  contactId: ({ ContactId }) => ContactId,
  updated: (before, after) => invoiceKind(before.Status, after.Status),
};

export const payment: EntityKind<PaymentRecord> = {
  kinds: { ...kindsOf('payment'), created: 'payment.recorded' },
  resource: paymentToResource,
  contactId: ({ ContactId }) => ContactId,
  created: ({ Amount }) => (Amount < 0 ? 'payment.refunded' : 'payment.recorded'),
};
