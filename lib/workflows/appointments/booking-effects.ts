import { ProposalStatus } from '../../entities/proposal-status.ts';
import type { ChildProposal } from '../../entities/proposal-parts.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { type BilledLine, type InvoiceRecord, InvoiceStatus } from '../../entities/invoices.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { Status } from '../../domain/appointments/record.ts';
import { completionInvoice, depositLeft, totalLine } from '../../domain/invoices/completion.ts';
import { markInvoiced, proposalEffect } from '../../domain/invoices/proposal-effects.ts';
import { isOneOff, oneOffWork } from '../../domain/proposals/sold-work.ts';
import { isSigned, isToBeInvoiced, proposalStatusName } from '../../domain/proposals/record.ts';
import { type ContactSummary, contactSummaryChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/records.ts';
import { findInvoice, invoiceChanges, takeInvoiceNumber } from '../../store/sales/invoices.ts';
import { layout } from '../../store/keys.ts';
import { findProposals, proposalsWithParentChanges } from '../../store/sales/proposals.ts';
import type { WriteContext } from '../context.ts';
import { type BookingContext, ownProposal } from './booking-context.ts';
import { billedFields, quoteWork } from './price-work.ts';

interface AppointmentChange {
  readonly before: AppointmentRecord | undefined;
  readonly after: AppointmentRecord;
}

export interface BookingEffects {
  readonly invoiceId: number;
  /** Why a Completed appointment has no invoice or not all of it; `""` otherwise. */
  readonly message: string;
  readonly changes: readonly Change[];
}

/** What changes with an appointment besides itself: its invoice, its proposals and its contact. */
export async function bookingEffects(
  context: WriteContext,
  booking: BookingContext,
  change: AppointmentChange,
): Promise<BookingEffects> {
  const { after } = change;
  const billing = (await becomesBilled(context, booking, change))
    ? await invoiceAppointment(context, booking, after)
    : { invoiceId: after.InvoiceId, message: '', ...(await scheduleProposals(context, booking, after)) };
  const customer = after.Status === Status.Completed && !booking.contact.IsCustomer;
  const summary = { customer, ...billing.contactSummary };
  const { invoiceId, message, changes } = billing;
  return {
    invoiceId,
    message,
    changes: [...changes, ...contactSummaryChanges(context.store, booking.contact.Id, summary, context.now)],
  };
}

/** Whether an appointment is completed that no invoice bills. One that is completed again reads its invoice. */
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

interface SideEffects {
  readonly changes: readonly Change[];
  readonly contactSummary: ContactSummary;
}

/** The Accepted proposals of a Scheduled appointment become Scheduled. */
async function scheduleProposals(
  { store, now }: WriteContext,
  { proposals }: BookingContext,
  { Status: status }: AppointmentRecord,
): Promise<SideEffects> {
  if (status !== Status.Scheduled || !proposals.length) return { changes: [], contactSummary: {} };
  return proposalsWithParentChanges(store, {
    before: proposals,
    next: (proposal) =>
      proposal.Status === ProposalStatus.Accepted ? { ...proposal, Status: ProposalStatus.Scheduled } : proposal,
    now,
  });
}

/** The lines of an invoice if they are not known yet. */
const USUAL_LINES = 5;

/** Reserves ids for a possible invoice in parallel with other reads, so that billing needs no round for them. */
export async function prefetchBillingIds({ store }: WriteContext, { BilledLines }: AppointmentRecord): Promise<void> {
  const lines = Math.max(USUAL_LINES, BilledLines.length + 1);
  await Promise.all([prefetchIds(store, 'Invoice', 1), prefetchIds(store, 'InvoiceLine', lines)]);
}

/**
 * Invoices a Completed appointment: deposits are credited, and the proposals that it bills become Invoiced. One round
 * with prefetched ids; one more if the proposal has signed change orders or belongs to another.
 */
async function invoiceAppointment(
  context: WriteContext,
  booking: BookingContext,
  after: AppointmentRecord,
): Promise<BookingEffects & SideEffects> {
  const { store, caller, now } = context;
  const { account } = caller;
  const appointment = await withBilledLines(context, booking, after);
  const amounts = await amountsDue(context, appointment, booking.proposals);
  if (!amounts.lines.length) return { invoiceId: 0, message: amounts.message, changes: [], contactSummary: {} };

  const payers = amounts.involved.filter(({ DepositInvoiceId }) => DepositInvoiceId);
  const [Id = 0] = await reserveIds(store, 'Invoice', 1);
  const lineIds = await reserveIds(store, 'InvoiceLine', amounts.lines.length + payers.length);
  const [{ number: Number, changes: numbered }, deposits] = await Promise.all([
    takeInvoiceNumber(store, { organization: appointment.OrganizationId, id: Id }),
    loadDeposits(context, payers),
  ]);
  const { invoice: draft, credits } = completionInvoice(
    { ...appointment, BilledLines: amounts.lines },
    {
      Id,
      Number,
      lineIds,
      deposits: deposits.map(({ proposal, invoice, left }) => ({
        ProposalId: proposal.Id,
        Number: invoice.Number,
        left,
        isLast: isOneOff(proposal) && (amounts.billed.includes(proposal) || !isToBeInvoiced(proposal)),
      })),
      now: now.getTime(),
    },
  );
  const creditOf = new Map(credits.map((credit) => [credit.ProposalId, credit]));
  const Proposals = amounts.involved.flatMap(
    (proposal) =>
      proposalEffect(proposal, { bills: amounts.billed.includes(proposal), credit: creditOf.get(proposal.Id) }) ?? [],
  );
  const invoice = Proposals.length ? { ...draft, Proposals } : draft;
  const stored = invoiceChanges(store, { before: undefined, after: invoice, now });
  const proposals = await proposalsWithParentChanges(store, {
    before: amounts.involved,
    next: (proposal) => markInvoiced(proposal, invoice),
    now,
  });
  const checks = deposits.flatMap((deposit) =>
    creditOf.has(deposit.proposal.Id) ? [unchangedInvoice(account, deposit.invoice)] : [],
  );
  return {
    invoiceId: Id,
    message: amounts.message,
    changes: [...stored.changes, ...numbered, ...proposals.changes, ...checks],
    contactSummary: { ...stored.contactSummary, ...proposals.contactSummary },
  };
}

/** The stored lines of the invoice; else today's, if they come to the same price; else one line of the total. */
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
  /** What is not credited yet, above 0. */
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

interface AmountsDue {
  /** Empty if all is invoiced already. */
  readonly lines: readonly BilledLine[];
  /** The proposals that become Invoiced. */
  readonly billed: readonly ProposalRecord[];
  /** The proposals whose deposits are credited, those billed among them. */
  readonly involved: readonly ProposalRecord[];
  /** Why nothing is due, or what the invoice leaves out; `""` if it has all. */
  readonly message: string;
}

/**
 * What is due for a completed appointment. Of a sale that is no subscription: the sold work and that of signed change
 * orders, as far as it is not invoiced, and what was added to this appointment; other appointments of such a proposal
 * never bill it. Of any other: its own lines.
 */
async function amountsDue(
  context: WriteContext,
  { Sold, BilledLines, ...links }: AppointmentRecord,
  proposals: readonly ProposalRecord[],
): Promise<AmountsDue> {
  const own = ownProposal(links, proposals);
  if (!own || !isOneOff(own)) return { lines: BilledLines, billed: own ? [own] : [], involved: proposals, message: '' };
  if (Sold?.ProposalId !== own.Id) return { lines: BilledLines, billed: [], involved: [], message: '' };
  const { orders, left } = await loadChangeOrders(context, own);
  const billed = [own, ...orders].filter((proposal) => isToBeInvoiced(proposal) && isOneOff(proposal));
  const lines = [
    ...(billed.includes(own) ? BilledLines.slice(0, Sold.BilledLines) : []),
    ...billed.flatMap((proposal) => (proposal === own ? [] : (oneOffWork(proposal)?.BilledLines ?? []))),
    ...BilledLines.slice(Sold.BilledLines),
  ];
  const rest = left
    ? `An invoice takes ${MAX_CHANGE_ORDERS} change orders: ${left} more of proposal ${own.Id} are not in this one.`
    : '';
  return {
    lines,
    billed,
    involved: [...new Map([...proposals, ...orders].map((proposal) => [proposal.Id, proposal])).values()],
    message: lines.length
      ? rest
      : `Completed without an invoice: what was sold has been invoiced, proposal ${own.Id} is ` +
        `${proposalStatusName(own.Status)}.`,
  };
}

/** Change orders that one invoice bills; a transaction takes 100 changes, some orders need three. */
const MAX_CHANGE_ORDERS = 20;

/**
 * The signed change orders of a proposal, and theirs, those still to be invoiced first, and how many an invoice leaves
 * out. One round a generation.
 */
async function loadChangeOrders(
  { store }: WriteContext,
  own: ProposalRecord,
): Promise<{ orders: ProposalRecord[]; left: number }> {
  const found = new Map<number, ProposalRecord>();
  let parents = [own];
  let left = 0;
  while (parents.length) {
    const signed = parents.flatMap(({ ChangeOrders }) =>
      ChangeOrders.filter(({ Id, Status: status }) => isSigned(status) && Id !== own.Id && !found.has(Id)),
    );
    const rank = (child: ChildProposal) => Number(!isToBeInvoiced(child) && !child.Unbilled);
    const ids = signed.toSorted((one, other) => rank(one) - rank(other) || one.Id - other.Id).map(({ Id }) => Id);
    const room = MAX_CHANGE_ORDERS - found.size;
    left += Math.max(0, ids.length - room);
    parents = await findProposals(store, ids.slice(0, room));
    for (const order of parents.toSorted((one, other) => one.Id - other.Id)) found.set(order.Id, order);
  }
  return { orders: [...found.values()], left };
}
