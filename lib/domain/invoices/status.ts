import { type InvoiceRecord, INVOICE_STATUSES, InvoiceStatus, InvoiceType } from '../../entities/invoices.ts';
import { isEqual } from '../../shared/objects.ts';
import type { FieldError } from '../../shared/failure.ts';
import { formatMoney } from '../../shared/money.ts';
import type { InvoiceInput } from './record.ts';

export const isNew = ({ V }: InvoiceRecord): boolean => V === 0;

export const newStatusErrors = ({ Status }: InvoiceInput): FieldError[] =>
  Status === 'Paid' || Status === 'Voided'
    ? [
        {
          field: 'Status',
          code: 'unknown_value',
          message: `must be Unapproved or Open for a new invoice, not ${Status}`,
        },
      ]
    : [];

/** The fields that an import applies to an invoice, besides Status. */
const CONTENT = [
  'Number',
  'Date',
  'InvoiceType',
  'ProposalId',
  'AppointmentId',
  'AssociatedAppointmentIds',
  'IncludedInEop',
  'TaxRate',
  'RateName',
  'TaxParts',
  'Terms',
  'CustomerNotes',
  'CanAcceptClientPayment',
  'Lines',
] as const satisfies readonly (keyof InvoiceRecord)[];

/** Whether two states of an invoice are equal, apart from Status and bookkeeping. */
export const isSameInvoice = (left: InvoiceRecord, right: InvoiceRecord): boolean =>
  CONTENT.every((name) => isEqual(left[name], right[name]));

export type ImportOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'same' }
  | ({ readonly kind: 'refused' } & ImportRefusal);

interface ImportRefusal {
  readonly code: 'wrong_state' | 'fixed_value';
  readonly message: string;
}

/**
 * Whether an import may change an invoice to `after`; `status` is the Status of its input. A Paid or Voided invoice
 * cannot change, but a Paid one can be voided. Only payments make an invoice Paid. One with payments cannot become
 * Unapproved. Its total cannot fall below what is paid: 107.20 with 100.00 paid may become 100.00, not 99.99.
 */
export function importOutcome(
  before: InvoiceRecord,
  after: InvoiceRecord,
  status: string | null | undefined,
): ImportOutcome {
  const isSame = isSameInvoice(before, after);
  if (isSame && (!status || status === INVOICE_STATUSES[before.Status])) return { kind: 'same' };
  const error = changeError(before, after, { isSame, status });
  return error
    ? { kind: 'refused', code: error.code, message: `Invoice ${before.Id} ${error.message}` }
    : { kind: 'changed' };
}

function changeError(
  before: InvoiceRecord,
  after: InvoiceRecord,
  { isSame, status }: { readonly isSame: boolean; readonly status: string | null | undefined },
): ImportRefusal | undefined {
  const wrongState = (message: string): ImportRefusal => ({ code: 'wrong_state', message });
  const [paid, total] = [formatMoney(before.Paid), formatMoney(after.Total)];
  if (before.Status === InvoiceStatus.Voided) return wrongState('is Voided and cannot be changed.');
  if (before.Status === InvoiceStatus.Paid && !(isSame && status === 'Voided'))
    return wrongState('is Paid. It can be voided (Status Voided alone) and refunded, but not changed.');
  if (status === 'Paid' && after.Status !== InvoiceStatus.Paid)
    return wrongState('cannot be set to Paid. Record a payment with payment/import.');
  if (status === 'Unapproved' && before.Paid !== 0) return wrongState(`has ${paid} paid and cannot become Unapproved.`);
  const creditError = status === 'Voided' ? undefined : creditLineError(before, after);
  if (creditError) return { code: 'fixed_value', message: creditError };
  const isCovered = after.Paid >= Math.min(after.Total, 0) && after.Paid <= Math.max(after.Total, 0);
  return isCovered
    ? undefined
    : { code: 'fixed_value', message: `has ${paid} paid; its total would be ${total}. Refund the difference first.` };
}

/** The line that credits a deposit must stay: without it, the deposit would be billed twice. */
function creditLineError({ Proposals = [] }: InvoiceRecord, { Lines }: InvoiceRecord): string | undefined {
  const changed = Proposals.find(({ Credited, CreditLineId }) => {
    const line = Lines.find(({ Id }) => Id === CreditLineId);
    return Credited !== 0 && (line?.Extended !== -Credited || line.Taxable);
  });
  return (
    changed &&
    `credits ${formatMoney(changed.Credited)} of a deposit in line ${changed.CreditLineId}, which cannot change. ` +
      'Void the invoice to bill the work differently.'
  );
}

/** Whether an invoice bills work: a standard one that the client must pay, or has paid. */
export const isBilling = ({ InvoiceType: type, Status }: InvoiceRecord): boolean =>
  type === InvoiceType.Standard && (Status === InvoiceStatus.Open || Status === InvoiceStatus.Paid);
