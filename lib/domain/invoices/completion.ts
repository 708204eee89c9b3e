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

/** What was invoiced of a proposal before the work, as far as it was not credited yet. */
export interface Deposit {
  readonly ProposalId: number;
  readonly Number: string;
  readonly left: number;
}

/** What an invoice is given that does not follow from the appointment. */
export interface CompletionInput {
  readonly Id: number;
  readonly Number: string;
  readonly HashKey: string;
  /** One for each line and each deposit. */
  readonly lineIds: readonly number[];
  readonly deposits?: readonly Deposit[];
  readonly now: number;
}

function lineOf({ Tax, ...line }: BilledLine, Id: number, TaxRate: number): InvoiceLineRecord {
  const share = Tax === undefined ? {} : { TaxShare: { Extended: line.Extended, TaxRate, Tax } };
  return blankLine({ Id, ...line, ...share });
}

/** A deposit that an invoice takes off, and how much of it. */
export interface Credit extends Deposit {
  readonly amount: number;
}

/**
 * What of deposits an invoice of this total takes off, in turn: 100.00 of 250.00 where the visit comes to 100.00, so
 * that 150.00 are left for the next.
 */
function creditsOf(total: number, deposits: readonly Deposit[]): Credit[] {
  let due = Math.max(0, total);
  return deposits.flatMap((deposit) => {
    const amount = Math.min(due, deposit.left);
    due = subtract(due, amount);
    return amount > 0 ? [{ ...deposit, amount }] : [];
  });
}

/**
 * The invoice of an appointment that is done: its lines as they were priced, which come to its very Total, tips aside;
 * what was paid for before as lines below zero, at most the total, untaxed, as the tax is in the other lines. A total of
 * 0 is Paid at once, one below it is a credit.
 */
export function completionInvoice(
  appointment: AppointmentRecord,
  { Id, Number, HashKey, lineIds, deposits = [], now }: CompletionInput,
): { readonly invoice: InvoiceRecord; readonly credits: readonly Credit[] } {
  const { Id: AppointmentId, OrganizationId, ContactId, Zone, ProposalId, RootProposalId } = appointment;
  const { BilledTaxRate: TaxRate, BilledRateName: RateName } = appointment;
  const blank = blankInvoice({
    Id,
    OrganizationId,
    ContactId,
    Number,
    HashKey,
    Zone,
    Created: now,
    TaxRate,
    RateName,
    ProposalId: ProposalId || RootProposalId || null,
    AppointmentId,
    AssociatedAppointmentIds: [AppointmentId],
    Lines: appointment.BilledLines.map((line, index) => lineOf(line, lineIds[index] ?? 0, TaxRate)),
  });
  const whole = withTotals(blank, now);
  if (whole.Total < 0) return { invoice: { ...whole, InvoiceType: InvoiceType.Credit }, credits: [] };
  const credits = creditsOf(whole.Total, deposits);
  const lines = credits.map(({ Number: number, amount }, index) =>
    blankLine({
      Id: lineIds[blank.Lines.length + index] ?? 0,
      Description: `Deposit, invoice ${number}`,
      Rate: -amount,
    }),
  );
  const invoice = credits.length ? withTotals({ ...blank, Lines: [...blank.Lines, ...lines] }, now) : whole;
  return { invoice, credits };
}

/**
 * What of a proposal's deposit is still to be credited, by the invoice of the deposit; nothing of one that was voided.
 */
export const depositLeft = (
  { Id: ProposalId, DepositCredited: credited = 0 }: Pick<ProposalRecord, 'Id' | 'DepositCredited'>,
  { Number, Status, Total }: InvoiceRecord,
): Deposit | undefined =>
  Status === InvoiceStatus.Voided || Total <= credited
    ? undefined
    : { ProposalId, Number, left: subtract(Total, credited) };

/**
 * One untaxed line of all that an appointment costs, for one whose lines were not kept and cannot be priced as they
 * were.
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
