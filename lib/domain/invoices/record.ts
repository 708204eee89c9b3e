import type { Contact } from '../../entities/contacts.ts';
import Big from 'big.js';
import { type New, blankOf, shownOf } from '../../entities/declaration/entity.ts';
import {
  type InvoiceLineRecord,
  type InvoiceRecord,
  invoiceEntity,
  invoiceLine,
  InvoiceStatus,
  InvoiceType,
  type Invoice,
  type InvoiceLine,
} from '../../entities/invoices.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { Input } from '../../resources/fields.ts';
import { cents, formatMoney, fromCents, sum } from '../../shared/money.ts';
import { toKeyText } from '../../shared/text/text.ts';
import { wholeSecond } from '../../shared/time/time.ts';
import type { ClientLink, TakesPayments } from '../client-pages.ts';
import { lineTax } from '../pricing/discounts-and-tax.ts';
import { shareCents, taxOnSum, taxPartAmounts } from '../pricing/tax-parts.ts';
import { depositDue } from '../proposals/record.ts';
import { dueDate } from './due-date.ts';

/**
 * Invoice basics: kinds, a blank invoice, how amounts follow from lines, the invoice of a deposit, and the resource.
 */

/** `undefined` leaves a field as it is, `null` clears it. Calculated fields are checked or ignored, never stored. */
export type InvoiceInput = Input<typeof Invoice>;

export type NewInvoice = Pick<InvoiceRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'Number' | 'Zone' | 'Created'>;

/**
 * An open invoice without lines, dated at its creation, with the input applied; `withTotals` calculates its amounts.
 */
export const blankInvoice = (input: NewInvoice & Partial<InvoiceRecord>): InvoiceRecord =>
  invoiceEntity.blank({
    Date: wholeSecond(input.Created),
    Status: InvoiceStatus.Open,
    Total: 0,
    Paid: 0,
    BalanceDue: 0,
    ...input,
  });

/** Whether two numbers are the same to an organization: case, accents and surrounding space do not matter. */
export const isSameNumber = (left: string, right: string): boolean =>
  toKeyText(left.trim()) === toKeyText(right.trim());

/** 1 × 0.00, untaxed, with the input applied. */
export const blankLine = (input: New<typeof invoiceLine>): InvoiceLineRecord => blankOf(invoiceLine, input);

/** Rate × Qty in cents, rounded once: 19.995 × 1.5 = 29.9925 → 29.99; 0.333 × 1.5 = 0.4995 → 0.50. */
export const lineAmount = ({ Rate, Qty }: InvoiceLineRecord): number => cents(new Big(Rate).times(Qty));

/**
 * The tax of a line in cents: 8.25% of 59.97 is 4.95. A share of a divided tax counts only as long as its amount and
 * rate are unchanged.
 */
function invoiceLineTax({ Taxable, TaxShare }: InvoiceLineRecord, amount: number, rate: number): number {
  const isShare = Taxable && TaxShare?.TaxRate === rate && cents(TaxShare.Extended) === amount;
  return isShare ? cents(TaxShare.Tax) : lineTax(amount, Taxable, rate);
}

const hasShare = ({ TaxShare }: InvoiceLineRecord, amount: number, rate: number): boolean =>
  TaxShare?.TaxRate === rate && cents(TaxShare.Extended) === amount;

/**
 * The invoice with `paid` as the sum of its payments less refunds. With nothing due it is Paid, with `at` as DatePaid;
 * otherwise it is Open. An Unapproved or Voided one keeps its status; a Voided one has nothing due. A total of 107.20
 * with 100.00 paid leaves 7.20 due; with 107.20 paid it is Paid.
 */
export function withBalance(invoice: InvoiceRecord, paid: number, at: number): InvoiceRecord {
  const isVoided = invoice.Status === InvoiceStatus.Voided;
  const due = isVoided ? 0 : cents(invoice.Total) - cents(paid);
  const balanced = { ...invoice, Paid: fromCents(cents(paid)), BalanceDue: fromCents(due) };
  if (isVoided || invoice.Status === InvoiceStatus.Unapproved) return balanced;
  return due === 0
    ? { ...balanced, Status: InvoiceStatus.Paid, DatePaid: at }
    : { ...balanced, Status: InvoiceStatus.Open, DatePaid: null };
}

/**
 * The invoice with its amounts calculated from Rate and Qty of its lines, TaxRate and Paid. Tax is rounded line by
 * line, because the lines of an invoice must add up to it: two lines of 0.50 at 5% are 0.03 + 0.03 = 0.06, where 5% of
 * their sum would be 0.05. 3 × 19.99 = 59.97 taxed at 8.25% (4.947525 → 4.95) and 40.00 untaxed: Subtotal 99.97, Tax
 * 4.95, Total 104.92. If that leaves nothing due the invoice becomes Paid, at `at`.
 */
export function withTotals(invoice: InvoiceRecord, at = invoice.Date): InvoiceRecord {
  const amounts = invoice.Lines.map(lineAmount);
  const taxed = withLineTaxes(invoice, amounts);
  return withAmounts(taxed.invoice, amounts, taxed.taxes, at);
}

/**
 * The tax of each line in cents. For a tax of several parts, which are rounded on the sum, each line stores its share;
 * shares only count together.
 */
export function withLineTaxes(
  invoice: InvoiceRecord,
  amounts: readonly number[],
): { readonly invoice: InvoiceRecord; readonly taxes: readonly number[] } {
  const { Lines, TaxRate, TaxParts } = invoice;
  const isShared = Lines.every((line, index) => !line.Taxable || hasShare(line, amounts[index] ?? 0, TaxRate));
  if (!TaxParts.length || isShared)
    return { invoice, taxes: Lines.map((line, index) => invoiceLineTax(line, amounts[index] ?? 0, TaxRate)) };
  const taxed = taxedAmounts(invoice, amounts);
  return withTaxShares(invoice, amounts, shareCents(taxOnSum(TaxParts, sum(taxed)), taxed));
}

/** The taxable amounts, 0 for the others. */
export const taxedAmounts = ({ Lines }: InvoiceRecord, amounts: readonly number[]): number[] =>
  Lines.map(({ Taxable }, index) => (Taxable ? (amounts[index] ?? 0) : 0));

/** The invoice with taxes of lines that do not follow from the rate. */
export function withTaxShares(invoice: InvoiceRecord, amounts: readonly number[], taxes: readonly number[]) {
  const { TaxRate } = invoice;
  const Lines = invoice.Lines.map((line, index) => {
    const TaxShare = { Extended: fromCents(amounts[index] ?? 0), TaxRate, Tax: fromCents(taxes[index] ?? 0) };
    return line.Taxable ? { ...line, TaxShare } : line;
  });
  return { invoice: { ...invoice, Lines }, taxes };
}

/** The invoice with the amounts and taxes of its lines, in cents. If nothing is due it becomes Paid, at `at`. */
export function withAmounts(
  invoice: InvoiceRecord,
  amounts: readonly number[],
  taxes: readonly number[],
  at: number,
): InvoiceRecord {
  const [subtotal, tax] = [sum(amounts), sum(taxes)];
  const calculated = {
    ...invoice,
    Lines: invoice.Lines.map((line, index) => ({ ...line, Extended: fromCents(amounts[index] ?? 0) })),
    Subtotal: fromCents(subtotal),
    Tax: fromCents(tax),
    Total: fromCents(subtotal + tax),
    TaxParts: taxPartAmounts(invoice.TaxParts, {
      taxed: fromCents(sum(taxedAmounts(invoice, amounts))),
      tax: fromCents(tax),
    }),
  };
  return withBalance(calculated, invoice.Paid, invoice.DatePaid ?? at);
}

/** What the deposit invoice of a proposal requires besides the proposal; `at` in milliseconds since 1970. */
export interface DepositInvoiceInput extends Pick<InvoiceRecord, 'Id' | 'Number'> {
  readonly lineId: number;
  readonly at: number;
}

/**
 * The open invoice of a proposal's deposit; `undefined` if no deposit is due. Its only line is untaxed, because the
 * deposit is a share of a total that already contains the tax.
 */
export function depositInvoice(
  proposal: ProposalRecord,
  { lineId, at, ...input }: DepositInvoiceInput,
): InvoiceRecord | undefined {
  const due = depositDue(proposal);
  if (due === 0) return undefined;
  const { Id: ProposalId, OrganizationId, ContactId, Zone, ServiceId, ServiceName, Title, DepositRate } = proposal;
  const Description = `Deposit of ${DepositRate} % for ${Title || ServiceName || `proposal ${ProposalId}`}`;
  const line = blankLine({ Id: lineId, ServiceId: ServiceId || null, Description, Rate: due });
  const invoice = { ...input, OrganizationId, ContactId, Zone, ProposalId, InvoiceType: InvoiceType.Deposit };
  return withTotals(blankInvoice({ ...invoice, Created: at, Lines: [line] }));
}

/**
 * Why the deposit invoice of a proposal cannot change from `before` to `after`; `undefined` if it can. It must remain a
 * deposit of its proposal. While invoices credit it, it cannot be voided and keeps its Total: of 100.00 sold with 50.00
 * of deposit credited, voiding the deposit would leave 50.00 billed.
 */
export function depositChangeError(
  before: InvoiceRecord,
  after: InvoiceRecord,
  { Id, DepositCredits = [] }: Pick<ProposalRecord, 'Id' | 'DepositCredits'>,
): string | undefined {
  const subject = `Invoice ${before.Id} is the deposit of proposal ${Id}`;
  if (after.InvoiceType !== before.InvoiceType || after.ProposalId !== before.ProposalId)
    return `${subject}; its InvoiceType and ProposalId cannot change.`;
  const isKept = after.Status !== InvoiceStatus.Voided && after.Total === before.Total;
  if (isKept || !DepositCredits.length) return undefined;
  const credits = DepositCredits.map(({ InvoiceId, Amount }) => `${formatMoney(Amount)} in invoice ${InvoiceId}`);
  const invoices = DepositCredits.map(({ InvoiceId }) => `invoice ${InvoiceId}`);
  return `${subject} and credited: ${credits.join(', ')}. Void ${invoices.join(', ')} first.`;
}

export interface InvoiceRelations {
  /** `null` unless requested. */
  readonly contact: Contact | null;
  /** Whether AssociatedAppointmentIds are included. */
  readonly associated: boolean;
  readonly link: ClientLink;
  readonly takesPayments: TakesPayments;
}

/** All appointments of the invoice, AppointmentId first. */
const associatedIds = ({ AppointmentId, AssociatedAppointmentIds }: InvoiceRecord): number[] => [
  ...new Set([...(AppointmentId === null ? [] : [AppointmentId]), ...AssociatedAppointmentIds]),
];

/** Stripe's limit for one payment: 99,999,999 cents. */
const MAX_CLIENT_PAYMENT = 999_999.99;

type Payable = Pick<InvoiceRecord, 'CanAcceptClientPayment' | 'Status' | 'BalanceDue' | 'OrganizationId'>;

/**
 * Whether the client can pay on the page now: a provider is connected, the company allows it, the invoice is open, and
 * the balance can be paid by card.
 */
export const acceptsPayment = (invoice: Payable, takesPayments: TakesPayments): boolean =>
  invoice.CanAcceptClientPayment &&
  invoice.Status === InvoiceStatus.Open &&
  invoice.BalanceDue > 0 &&
  !isTooLargeToPay(invoice) &&
  takesPayments(invoice.OrganizationId);

export const isTooLargeToPay = ({ BalanceDue }: Pick<InvoiceRecord, 'BalanceDue'>): boolean =>
  BalanceDue > MAX_CLIENT_PAYMENT;

export const lineToResource = (line: InvoiceLineRecord, TaxRate: number): InvoiceLine =>
  shownOf(invoiceLine, line, { Tax: fromCents(invoiceLineTax(line, cents(line.Extended), TaxRate)) });

/** Whether the client may open it: neither before approval nor after voiding. */
export const isShownToClient = ({ Status }: Pick<InvoiceRecord, 'Status'>): boolean =>
  Status === InvoiceStatus.Open || Status === InvoiceStatus.Paid;

export function invoiceToResource(
  invoice: InvoiceRecord,
  { contact, associated, link, takesPayments }: InvoiceRelations,
): Invoice {
  const clientLink = isShownToClient(invoice) ? link('invoice', invoice.Id, invoice.LinksRevoked ?? 0) : '';
  return invoiceEntity.toResource(invoice, {
    CanAcceptClientPayment: acceptsPayment(invoice, takesPayments),
    ClientPayUrl: clientLink,
    ClientPdfUrl: clientLink && `${clientLink}/pdf`,
    Lines: invoice.Lines.map((line) => lineToResource(line, invoice.TaxRate)),
    Contact: contact,
    AssociatedAppointmentIds: associated ? associatedIds(invoice) : [],
    DueDate: dueDate(invoice),
  });
}
