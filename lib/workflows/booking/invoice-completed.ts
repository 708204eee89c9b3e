import type { ProposalRecord } from '../../entities/proposals.ts';
import { type InvoiceRecord, InvoiceStatus } from '../../entities/invoices.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { Status } from '../../domain/appointments/record.ts';
import { completionInvoice, depositLeft, totalLine } from '../../domain/invoices/completion.ts';
import { markInvoiced, proposalEffect } from '../../domain/invoices/proposal-effects.ts';
import { isOneOff } from '../../domain/proposals/sold-work.ts';
import { isToBeInvoiced } from '../../domain/proposals/record.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/records.ts';
import { findInvoice, invoiceChanges, takeInvoiceNumber } from '../../store/sales/invoices.ts';
import { layout } from '../../store/keys.ts';
import { proposalsWithParentChanges } from '../../store/sales/proposals.ts';
import type { WriteContext } from '../context.ts';
import { type AmountsDue, amountsDue } from './amounts-due.ts';
import type { BookingContext } from './types.ts';
import type { SideEffects } from './effects.ts';
import { billedFields, quoteWork } from './quote.ts';

/** The invoice of a completed appointment. */

interface AppointmentChange {
  readonly before: AppointmentRecord | undefined;
  readonly after: AppointmentRecord;
}

interface Billing {
  readonly invoiceId: number;
  /** Why a Completed appointment has no invoice, or an incomplete one; `""` otherwise. */
  readonly message: string;
  /** `undefined` if there is nothing to invoice now. */
  readonly effects: SideEffects | undefined;
}

/** Invoices an appointment that becomes Completed, if its service asks for it and no invoice bills it yet. */
export async function billCompleted(
  context: WriteContext,
  booking: BookingContext,
  change: AppointmentChange,
): Promise<Billing> {
  const { after } = change;
  return (await becomesBilled(context, booking, change))
    ? invoiceAppointment(context, booking, after)
    : { invoiceId: after.InvoiceId, message: '', effects: undefined };
}

/** Whether an appointment becomes completed and no invoice bills it. If it is completed again, its invoice is read. */
async function becomesBilled(
  { store }: WriteContext,
  { service }: BookingContext,
  { before, after }: AppointmentChange,
): Promise<boolean> {
  const isCompleted = after.Status === Status.Completed && before?.Status !== Status.Completed;
  if (!isCompleted || !service.IsMigrateInvoice) return false;
  const invoice = after.InvoiceId ? await findInvoice(store, after.InvoiceId) : undefined;
  return !invoice || invoice.Status === InvoiceStatus.Voided;
}

/** The number of invoice lines to assume while they are unknown. */
const USUAL_LINES = 5;

/** Reserves ids for a possible invoice in parallel with other reads, so that billing needs no round for them. */
export async function prefetchBillingIds({ store }: WriteContext, { BilledLines }: AppointmentRecord): Promise<void> {
  const lines = Math.max(USUAL_LINES, BilledLines.length + 1);
  await Promise.all([prefetchIds(store, 'Invoice', 1), prefetchIds(store, 'InvoiceLine', lines)]);
}

/**
 * Invoices a Completed appointment: credits deposits and sets the billed proposals to Invoiced. One round with
 * prefetched ids; one more if the proposal has signed change orders or belongs to another.
 */
async function invoiceAppointment(
  context: WriteContext,
  booking: BookingContext,
  after: AppointmentRecord,
): Promise<Billing> {
  const { store, now } = context;
  const appointment = await withBilledLines(context, booking, after);
  const amounts = await amountsDue(context, appointment, booking.proposals);
  if (!amounts.lines.length)
    return { invoiceId: 0, message: amounts.message, effects: { changes: [], contactSummary: {} } };

  const { invoice, numbered, checks } = await makeInvoice(context, appointment, amounts);
  const stored = invoiceChanges(store, { before: undefined, after: invoice, now });
  const proposals = await proposalsWithParentChanges(store, {
    before: amounts.involved,
    next: (proposal) => markInvoiced(proposal, invoice),
    now,
  });
  return {
    invoiceId: invoice.Id,
    message: amounts.message,
    effects: {
      changes: [...stored.changes, ...numbered, ...proposals.changes, ...checks],
      contactSummary: { ...stored.contactSummary, ...proposals.contactSummary },
    },
  };
}

interface DraftInvoice {
  readonly invoice: InvoiceRecord;
  /** The changes that take its number. */
  readonly numbered: readonly Change[];
  /** Its deposits must be unchanged since they were read. */
  readonly checks: readonly Change[];
}

async function makeInvoice(
  context: WriteContext,
  appointment: AppointmentRecord,
  { lines, billed, involved }: AmountsDue,
): Promise<DraftInvoice> {
  const { store, now } = context;
  const payers = involved.filter(({ DepositInvoiceId }) => DepositInvoiceId);
  const [Id = 0] = await reserveIds(store, 'Invoice', 1);
  const lineIds = await reserveIds(store, 'InvoiceLine', lines.length + payers.length);
  const [{ number: Number, changes: numbered }, deposits] = await Promise.all([
    takeInvoiceNumber(store, { organization: appointment.OrganizationId, id: Id }),
    loadDeposits(context, payers),
  ]);
  const { invoice, credits } = completionInvoice(
    { ...appointment, BilledLines: lines },
    {
      Id,
      Number,
      lineIds,
      deposits: deposits.map(({ proposal, invoice: { Number: number }, left }) => ({
        ProposalId: proposal.Id,
        Number: number,
        left,
        isLast: isOneOff(proposal) && (billed.includes(proposal) || !isToBeInvoiced(proposal)),
      })),
      now: now.getTime(),
    },
  );
  const creditOf = new Map(credits.map((credit) => [credit.ProposalId, credit]));
  const Proposals = involved.flatMap(
    (proposal) =>
      proposalEffect(proposal, { bills: billed.includes(proposal), credit: creditOf.get(proposal.Id) }) ?? [],
  );
  const checks = deposits.flatMap((deposit) =>
    creditOf.has(deposit.proposal.Id) ? [unchangedInvoice(store.account, deposit.invoice)] : [],
  );
  return { invoice: Proposals.length ? { ...invoice, Proposals } : invoice, numbered, checks };
}

/** The stored lines of the invoice; else today's, if they add up to the same price; else one line with the total. */
async function withBilledLines(
  context: WriteContext,
  booking: BookingContext,
  appointment: AppointmentRecord,
): Promise<AppointmentRecord> {
  if (appointment.BilledLines.length) return appointment;
  const { Quantity: quantity, Discount: discount, AddOnParts: lines, CustomProperties: properties } = appointment;
  const { service, contact } = booking;
  const request = { service, contact, quantity, discount, lines, formerLines: lines, properties };
  const result = await quoteWork(context, booking, request);
  if (result.kind === 'invalid' || result.quote.total !== appointment.Total)
    return { ...appointment, BilledLines: [totalLine(appointment)] };
  return { ...appointment, ...billedFields(result.quote) };
}

interface UncreditedDeposit {
  readonly proposal: ProposalRecord;
  readonly invoice: InvoiceRecord;
  /** The part that is not credited yet, above 0. */
  readonly left: number;
}

/** The deposits that are not credited yet, each with its invoice. */
async function loadDeposits({ store }: WriteContext, payers: readonly ProposalRecord[]): Promise<UncreditedDeposit[]> {
  const deposits = payers.map(async (proposal) => {
    const invoice = proposal.DepositInvoiceId ? await findInvoice(store, proposal.DepositInvoiceId) : undefined;
    const left = invoice ? depositLeft(proposal, invoice) : 0;
    return invoice && left > 0 ? [{ proposal, invoice, left }] : [];
  });
  return (await Promise.all(deposits)).flat();
}

/** A credited deposit may be voided at the same time. */
const unchangedInvoice = (account: string, { Id, V }: InvoiceRecord): Change => ({
  check: layout.invoice.key({ account, id: Id }),
  if: { equals: { V } },
});
