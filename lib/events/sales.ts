import { nouns } from '../entities/nouns.ts';
import type { ProposalRecord } from '../entities/proposals.ts';
import type { PaymentRecord } from '../entities/payments.ts';
import type { InvoiceRecord } from '../entities/invoices.ts';
import { invoiceToResource } from '../domain/invoices/record.ts';
import { paymentToResource } from '../domain/payments.ts';
import { proposalToResource } from '../domain/proposals/record.ts';
import { startOfDate } from '../shared/time/time.ts';
import type { EntityKind } from './entity-kind.ts';

/** Beyond what operations return, `Data` has the evidence of acceptance, and when the proposal expires. */
export const proposal: EntityKind<ProposalRecord> = {
  noun: 'proposal',
  transactionKind: 2,
  transaction: ({ Date: date, Zone, Subtotal: subtotal }) => ({ date: startOfDate(date, Zone), subtotal }),
  resource: (record, { lists, link }) => ({
    ...proposalToResource(record, { now: record.Updated, contact: null, definitions: lists.customFields, link }),
    ...nouns.Proposal.eventFields(record),
  }),
  contactId: ({ ContactId }) => ContactId,
};

/** A payment changes an invoice too, and has an event of its own. */
export const invoice: EntityKind<InvoiceRecord> = {
  noun: 'invoice',
  transactionKind: 0,
  transaction: ({ Date: date, Subtotal: subtotal }) => ({ date, subtotal }),
  resource: (record, { link, takesPayments }) =>
    invoiceToResource(record, { contact: null, associated: true, link, takesPayments }),
  contactId: ({ ContactId }) => ContactId,
};

export const payment: EntityKind<PaymentRecord> = {
  noun: 'payment',
  resource: paymentToResource,
  contactId: ({ ContactId }) => ContactId,
};
