import { isEqual } from '../../shared/equality.ts';
import { formatMoney } from '../../shared/money.ts';
import { type InvoiceRecord, InvoiceStatus, InvoiceType } from './record.ts';
import { INVOICE_STATUSES } from './to-resource.ts';

/** What an import may not say of a new invoice: it is paid by payments, and voided once it is there. */
export const isInitialStatus = (status: string | null | undefined): boolean => status !== 'Paid' && status !== 'Voided';

/** What an import lays over an invoice or works out of it. */
const SAID = [
  'Number',
  'Date',
  'InvoiceType',
  'ProposalId',
  'AppointmentId',
  'AssociatedAppointmentIds',
  'IncludedInEop',
  'TaxRate',
  'RateName',
  'Terms',
  'CustomerNotes',
  'CanAcceptClientPayment',
  'Lines',
] as const satisfies readonly (keyof InvoiceRecord)[];

/** Whether two states of an invoice say the same, Status and bookkeeping aside. */
export const isSameInvoice = (one: InvoiceRecord, other: InvoiceRecord): boolean =>
  SAID.every((name) => isEqual(one[name], other[name]));

/** What is paid lies between nothing and the total, on whichever side of 0 that is. */
const isCovered = ({ Paid, Total }: InvoiceRecord): boolean => Paid >= Math.min(Total, 0) && Paid <= Math.max(Total, 0);

/** What becomes of an invoice that an import changes: stored, left as it is, or refused with a sentence. */
export type Outcome = { readonly kind: 'changed' | 'same' } | { readonly kind: 'refused'; readonly message: string };

const refused = (message: string): Outcome => ({ kind: 'refused', message });

/**
 * Whether an import may make `after` of an invoice; `asked` is the status it names. Paid and Voided ones stay as they
 * are, but for voiding; the status Paid comes of payments alone; one with payments is approved for good; the total does
 * not fall below what is paid: 107.20 with 100.00 paid may become 100.00, not 99.99.
 */
export function importOutcome(before: InvoiceRecord, after: InvoiceRecord, asked: string | undefined): Outcome {
  const { Id, Status } = before;
  const status = INVOICE_STATUSES[Status] ?? '';
  const isSame = isSameInvoice(before, after);
  const isVoiding = asked === 'Voided' && Status !== InvoiceStatus.Voided;
  if (isSame && (asked === undefined || asked === status)) return { kind: 'same' };
  if (Status === InvoiceStatus.Voided) return refused(`Invoice ${Id} is Voided; it is not changed any more.`);
  if (Status === InvoiceStatus.Paid && (!isSame || !isVoiding))
    return refused(`Invoice ${Id} is Paid; it can be voided (Status Voided alone) and refunded, not changed.`);
  if (asked === 'Paid' && after.Status !== InvoiceStatus.Paid)
    return refused(`Invoice ${Id} becomes Paid by payments (payment/import), not by its Status.`);
  if (asked === 'Unapproved' && before.Paid !== 0)
    return refused(`Invoice ${Id} has ${formatMoney(before.Paid)} paid; it cannot become Unapproved.`);
  const [paid, total] = [formatMoney(before.Paid), formatMoney(after.Total)];
  if (!isCovered(after)) return refused(`Invoice ${Id} has ${paid} paid; its total would be ${total}. Refund first.`);
  return { kind: 'changed' };
}

/** Whether an invoice is what work is billed by: a standard one that the client has to pay, or has paid. */
export const isBilling = ({ InvoiceType: type, Status }: InvoiceRecord): boolean =>
  type === InvoiceType.Standard && (Status === InvoiceStatus.Open || Status === InvoiceStatus.Paid);
