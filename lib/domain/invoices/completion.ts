import { subtract } from '../../shared/money.ts';
import type { AppointmentRecord } from '../appointments/record.ts';
import type { BilledLine } from '../pricing/billed-lines.ts';
import type { ProposalRecord } from '../proposals/record.ts';
import {
  type InvoiceLineRecord,
  type InvoiceRecord,
  InvoiceStatus,
  InvoiceType,
  blankInvoice,
  blankLine,
} from './record.ts';
import { withTotals } from './totals.ts';

/** A deposit that was invoiced before the work; `left` is what has not been credited yet. */
export interface Deposit {
  readonly ProposalId: number;
  readonly Number: string;
  readonly left: number;
}

/** The part of a deposit that an invoice takes off. */
export interface Credit extends Deposit {
  readonly amount: number;
}

/** What the invoice of an appointment needs besides the appointment. */
export interface CompletionInput extends Pick<InvoiceRecord, 'Id' | 'Number' | 'HashKey'> {
  /** One for each line and each deposit. */
  readonly lineIds: readonly number[];
  readonly deposits?: readonly Deposit[];
  readonly now: number;
}

/**
 * The invoice of a completed appointment: its lines as they were priced, which come to its Total without tips. Deposits
 * are negative lines, up to the total, untaxed because the tax is in the other lines. A total of 0 is Paid at once; one
 * below 0 is a credit.
 */
export function completionInvoice(
  appointment: AppointmentRecord,
  { lineIds, deposits = [], now, ...identity }: CompletionInput,
): { readonly invoice: InvoiceRecord; readonly credits: readonly Credit[] } {
  const { Id: AppointmentId, OrganizationId, ContactId, Zone, ProposalId, RootProposalId } = appointment;
  const { BilledTaxRate: TaxRate, BilledRateName: RateName } = appointment;
  const blank = blankInvoice({
    ...identity,
    OrganizationId,
    ContactId,
    Zone,
    Created: now,
    TaxRate,
    RateName,
    ProposalId: ProposalId || RootProposalId || null,
    AppointmentId,
    AssociatedAppointmentIds: [AppointmentId],
    Lines: appointment.BilledLines.map((line, index) => toInvoiceLine(line, lineIds[index] ?? 0, TaxRate)),
  });
  const uncredited = withTotals(blank, now);
  if (uncredited.Total < 0) return { invoice: { ...uncredited, InvoiceType: InvoiceType.Credit }, credits: [] };
  const credits = creditDeposits(uncredited.Total, deposits);
  if (!credits.length) return { invoice: uncredited, credits };
  const creditLines = credits.map(({ Number: number, amount }, index) =>
    blankLine({
      Id: lineIds[blank.Lines.length + index] ?? 0,
      Description: `Deposit, invoice ${number}`,
      Rate: -amount,
    }),
  );
  return { invoice: withTotals({ ...blank, Lines: [...blank.Lines, ...creditLines] }, now), credits };
}

function toInvoiceLine({ Tax, ...line }: BilledLine, Id: number, TaxRate: number): InvoiceLineRecord {
  const share = Tax === undefined ? {} : { TaxShare: { Extended: line.Extended, TaxRate, Tax } };
  return blankLine({ Id, ...line, ...share });
}

/**
 * Takes deposits off a total, in turn: 100.00 of a deposit of 250.00 off 100.00, which leaves 150.00 for the next
 * visit.
 */
function creditDeposits(total: number, deposits: readonly Deposit[]): Credit[] {
  let due = Math.max(0, total);
  return deposits.flatMap((deposit) => {
    const amount = Math.min(due, deposit.left);
    due = subtract(due, amount);
    return amount > 0 ? [{ ...deposit, amount }] : [];
  });
}

/** What can still be credited of a proposal's deposit, by the invoice of the deposit; nothing if that is Voided. */
export const depositLeft = (
  { Id: ProposalId, DepositCredited: credited = 0 }: Pick<ProposalRecord, 'Id' | 'DepositCredited'>,
  { Number, Status, Total }: InvoiceRecord,
): Deposit | undefined =>
  Status === InvoiceStatus.Voided || Total <= credited
    ? undefined
    : { ProposalId, Number, left: subtract(Total, credited) };

/**
 * One untaxed line of the whole price, for an appointment whose lines are not stored and whose price has changed since.
 */
export const totalLine = ({ ServiceId, ServiceName, Total }: AppointmentRecord): BilledLine => ({
  ServiceId,
  PartId: null,
  Description: ServiceName,
  Rate: Total,
  Qty: 1,
  Extended: Total,
  Taxable: false,
});
