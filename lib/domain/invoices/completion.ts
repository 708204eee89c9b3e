import type { AppointmentRecord, BilledLine } from '../appointments/record.ts';
import { subtract } from '../decimals.ts';
import { blankInvoice, blankLine } from './blank.ts';
import { InvoiceStatus, InvoiceType, type InvoiceLineRecord, type InvoiceRecord } from './record.ts';
import { withTotals } from './totals.ts';

/** What was invoiced of a proposal before the work, as far as it was not credited yet. */
export interface Deposit {
  readonly Number: string;
  readonly left: number;
}

/** What an invoice is given that does not follow from the appointment. */
export interface InvoiceGiven {
  readonly Id: number;
  readonly Number: string;
  readonly HashKey: string;
  /** One for each line, and one for the deposit where there is one. */
  readonly lineIds: readonly number[];
  readonly deposit?: Deposit | undefined;
  readonly now: number;
}

function lineOf({ Tax, ...line }: BilledLine, Id: number, TaxRate: number): InvoiceLineRecord {
  const share = Tax === undefined ? {} : { TaxShare: { Extended: line.Extended, TaxRate, Tax } };
  return blankLine({ Id, ...line, ...share });
}

/** What of a deposit an invoice of this total takes off: 100.00 of 250.00 where the visit comes to 100.00, so that 150.00 are left for the next. */
const creditOf = (total: number, { left }: Deposit): number => Math.max(0, Math.min(total, left));

/**
 * The invoice of an appointment that is done: its lines as they were priced, which come to its very Total, tips aside;
 * what was paid for before as a line below zero, at most the total, untaxed, as the tax is in the other lines. A total of
 * 0 is Paid at once, one below it is a credit.
 */
export function completionInvoice(
  appointment: AppointmentRecord,
  { Id, Number, HashKey, lineIds, deposit, now }: InvoiceGiven,
): { readonly invoice: InvoiceRecord; readonly credited: number } {
  const { Id: AppointmentId, OrganizationId, ContactId, Zone, ProposalId, RootProposalId, BilledTaxRate: TaxRate, BilledRateName: RateName } = appointment;
  const blank = blankInvoice({
    Id, OrganizationId, ContactId, Number, HashKey, Zone, Created: now, TaxRate, RateName,
    ProposalId: ProposalId || RootProposalId || null, AppointmentId, AssociatedAppointmentIds: [AppointmentId],
    Lines: appointment.BilledLines.map((line, index) => lineOf(line, lineIds[index] ?? 0, TaxRate)),
  });
  const whole = withTotals(blank, now);
  const credited = deposit ? creditOf(whole.Total, deposit) : 0;
  if (whole.Total < 0) return { invoice: { ...whole, InvoiceType: InvoiceType.Credit }, credited };
  if (!deposit || !credited) return { invoice: whole, credited };
  const credit = blankLine({ Id: lineIds[blank.Lines.length] ?? 0, Description: `Deposit, invoice ${deposit.Number}`, Rate: -credited });
  return { invoice: withTotals({ ...blank, Lines: [...blank.Lines, credit] }, now), credited };
}

/** What of a deposit's invoice is still to be credited; nothing of one that was voided. */
export const depositOf = ({ Number, Status, Total }: InvoiceRecord, credited: number): Deposit | undefined =>
  Status === InvoiceStatus.Voided || Total <= credited ? undefined : { Number, left: subtract(Total, credited) };

/** One untaxed line of all that an appointment costs, for one whose lines were not kept and cannot be priced as they were. */
export const wholeLine = ({ ServiceId, ServiceName, Total }: AppointmentRecord): BilledLine => ({
  ServiceId, PartId: null, Description: ServiceName, Rate: Total, Qty: 1, Extended: Total, Taxable: false,
});
