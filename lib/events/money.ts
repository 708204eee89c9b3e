import { startOfDate } from '../shared/zones.ts';
import { type InvoiceRecord, InvoiceStatus } from '../domain/invoices/record.ts';
import { invoiceToResource } from '../domain/invoices/to-resource.ts';
import { type PaymentRecord, paymentToResource } from '../domain/payments.ts';
import type { ProposalRecord } from '../domain/proposals/record.ts';
import { ProposalStatus, statusAt } from '../domain/proposals/status.ts';
import { proposalToResource } from '../domain/proposals/to-resource.ts';
import { toUtc } from '../shared/format-moments.ts';
import type { Image } from './change.ts';
import type { EntityKind } from './kinds.ts';

const recordOf = (image: Image): ProposalRecord => image as unknown as ProposalRecord;

/** What has happened when the status becomes this one. */
const becoming: Readonly<Record<number, string>> = {
  [ProposalStatus.Open]: 'proposal.opened',
  [ProposalStatus.Accepted]: 'proposal.accepted',
  [ProposalStatus.Declined]: 'proposal.declined',
  [ProposalStatus.Invoiced]: 'proposal.invoiced',
  [ProposalStatus.Scheduled]: 'proposal.scheduled',
  [ProposalStatus.Complete]: 'proposal.completed',
  [ProposalStatus.Expired]: 'proposal.expired',
};

/**
 * The status that an operation answered upon the change. A change of one whose time has run out before that was written
 * tells of its expiry, and what is written later changes nothing any more.
 */
const statusOf = (proposal: ProposalRecord): number => statusAt(proposal, proposal.Updated);

function kindOf(was: ProposalRecord, is: ProposalRecord): string {
  const status = statusOf(is);
  // Voiding its invoice makes it what it was before: nobody accepts or schedules it by that.
  if (was.Status === ProposalStatus.Invoiced && status !== ProposalStatus.Complete) return 'proposal.updated';
  // Opened anew although its expiry was never written: only the moment differs.
  const again = status === ProposalStatus.Open && was.OpenedAt !== is.OpenedAt;
  return (statusOf(was) === status && !again ? undefined : becoming[status]) ?? 'proposal.updated';
}

/** Changes of proposals. Beside what operations answer, `Data` has the evidence of acceptance, and when it expires. */
export const proposal: EntityKind = {
  kinds: { created: 'proposal.created', updated: 'proposal.updated', deleted: 'proposal.deleted' },
  transactionKind: 2,
  transaction: (image) => {
    const { Date: date, Zone, Subtotal: subtotal } = recordOf(image);
    return { date: startOfDate(date, Zone), subtotal };
  },
  resource(image, { baseUrl, lists }) {
    const record = recordOf(image);
    const { EvidenceSha256, ExpiresAt, Updated: now } = record;
    return {
      ...proposalToResource(record, { baseUrl, now, contact: null, definitions: lists.customFields }),
      EvidenceSha256,
      ExpiresAt: ExpiresAt === null ? null : toUtc(ExpiresAt),
    };
  },
  contactId: ({ ContactId }) => ContactId as number,
  updated: ({ before, after }) => (before && after ? kindOf(recordOf(before), recordOf(after)) : undefined),
};

const recordOfOfInvoices = (image: Image): InvoiceRecord => image as unknown as InvoiceRecord;

/** What has happened when the status becomes this one. */
const becomingOfInvoices: Readonly<Record<number, string>> = {
  [InvoiceStatus.Paid]: 'invoice.paid',
  [InvoiceStatus.Voided]: 'invoice.voided',
};

function kindOfOfInvoices({ Status: was }: InvoiceRecord, { Status: is }: InvoiceRecord): string {
  if (was === is) return 'invoice.updated';
  if (is === InvoiceStatus.Open) return was === InvoiceStatus.Unapproved ? 'invoice.approved' : 'invoice.reopened';
  return becomingOfInvoices[is] ?? 'invoice.updated';
}

/** Changes of invoices. A payment changes one too, and has an event of its own beside. */
export const invoice: EntityKind = {
  kinds: { created: 'invoice.created', updated: 'invoice.updated', deleted: 'invoice.deleted' },
  transactionKind: 0,
  transaction: (image) => {
    const { Date: date, Subtotal: subtotal } = recordOfOfInvoices(image);
    return { date, subtotal };
  },
  resource: (image, { baseUrl }) =>
    invoiceToResource(recordOfOfInvoices(image), { baseUrl, contact: null, associated: true }),
  contactId: ({ ContactId }) => ContactId as number,
  updated: ({ before, after }) =>
    before && after ? kindOfOfInvoices(recordOfOfInvoices(before), recordOfOfInvoices(after)) : undefined,
};

/** Changes of payments. What one changes of its invoice is an event of the invoice. */
export const payment: EntityKind = {
  kinds: { created: 'payment.recorded', updated: 'payment.updated', deleted: 'payment.deleted' },
  resource: (image) => paymentToResource(image as unknown as PaymentRecord),
  contactId: ({ ContactId }) => ContactId as number,
  created: ({ Amount }) => ((Amount as number) < 0 ? 'payment.refunded' : 'payment.recorded'),
};
