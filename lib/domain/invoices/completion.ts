import {
  type BilledLine,
  type InvoiceLineRecord,
  type InvoiceRecord,
  InvoiceStatus,
  InvoiceType,
} from '../../entities/invoices.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { add, subtract } from '../../shared/money.ts';
import { blankInvoice, blankLine, withTotals } from './record.ts';

/** A deposit that was invoiced before the work; `left` is what has not been credited yet. */
interface Deposit {
  readonly ProposalId: number;
  readonly Number: string;
  readonly left: number;
  /** Whether nothing else of its proposal will be invoiced later, so that all of it is credited at once. */
  readonly isLast: boolean;
}

/** The part of a deposit that an invoice takes off, with its line. */
export interface Credit {
  readonly ProposalId: number;
  readonly amount: number;
  readonly lineId: number;
}

/** What the invoice of an appointment requires besides the appointment. */
export interface CompletionInput extends Pick<InvoiceRecord, 'Id' | 'Number'> {
  /** One for each line and each deposit. */
  readonly lineIds: readonly number[];
  readonly deposits?: readonly Deposit[];
  readonly now: number;
}

/**
 * The invoice of a completed appointment: its priced lines, which add up to its Total without tips. Deposits are
 * negative lines, untaxed because the other lines have the tax: up to the total, or whole if nothing else will be
 * invoiced. A total of 0 is Paid at once; a negative one is a credit.
 */
export function completionInvoice(
  appointment: AppointmentRecord,
  { lineIds, deposits = [], now, ...identity }: CompletionInput,
): { readonly invoice: InvoiceRecord; readonly credits: readonly Credit[] } {
  const { Id: AppointmentId, OrganizationId, ContactId, Zone, ProposalId, RootProposalId } = appointment;
  const { BilledTaxRate: TaxRate, BilledRateName: RateName, BilledTaxParts } = appointment;
  const blank = blankInvoice({
    ...identity,
    OrganizationId,
    ContactId,
    Zone,
    Created: now,
    TaxRate,
    RateName,
    TaxParts: BilledTaxParts.map((part) => ({ ...part, Amount: 0 })),
    ProposalId: ProposalId || RootProposalId || null,
    AppointmentId,
    Lines: appointment.BilledLines.map((line, index) => toInvoiceLine(line, lineIds[index] ?? 0, TaxRate)),
  });
  const taken = creditDeposits(withTotals(blank, now).Total, deposits);
  const creditLines = taken.map(({ deposit, amount }, index) =>
    blankLine({
      Id: lineIds[blank.Lines.length + index] ?? 0,
      Description: `Deposit, invoice ${deposit.Number}`,
      Rate: -amount,
    }),
  );
  const invoice = withTotals({ ...blank, Lines: [...blank.Lines, ...creditLines] }, now);
  return {
    invoice: invoice.Total < 0 ? { ...invoice, InvoiceType: InvoiceType.Credit } : invoice,
    credits: taken.map(({ deposit: { ProposalId: id }, amount }, index) => ({
      ProposalId: id,
      amount,
      lineId: creditLines[index]?.Id ?? 0,
    })),
  };
}

function toInvoiceLine({ Tax, ...line }: BilledLine, Id: number, TaxRate: number): InvoiceLineRecord {
  const share = Tax === undefined ? {} : { TaxShare: { Extended: line.Extended, TaxRate, Tax } };
  return blankLine({ Id, ...line, ...share });
}

/**
 * Takes deposits off a total in turn: a deposit of 250.00 takes 100.00 off 100.00, which leaves 150.00 for the next
 * visit. The last invoice of a proposal takes off 250.00 and owes the client 150.00.
 */
function creditDeposits(
  total: number,
  deposits: readonly Deposit[],
): { readonly deposit: Deposit; readonly amount: number }[] {
  let due = total;
  return deposits.flatMap((deposit) => {
    const amount = deposit.isLast ? deposit.left : Math.min(Math.max(0, due), deposit.left);
    due = subtract(due, amount);
    return amount > 0 ? [{ deposit, amount }] : [];
  });
}

/** What is left to credit of a proposal's deposit, according to the deposit's invoice; 0 if that is Voided. */
export function depositLeft(
  { DepositCredits = [] }: Pick<ProposalRecord, 'DepositCredits'>,
  { Status, Total }: Pick<InvoiceRecord, 'Status' | 'Total'>,
): number {
  if (Status === InvoiceStatus.Voided) return 0;
  return Math.max(0, subtract(Total, add(...DepositCredits.map(({ Amount }) => Amount))));
}

/**
 * One untaxed line with the whole price, for an appointment whose lines are not stored and whose price has changed
 * since.
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
