import type { Context } from '../../api/context.ts';
import type { AppointmentRecord } from '../../domain/appointments/record.ts';
import { proposalEffect, markInvoiced, unmarkInvoiced } from '../../domain/invoices/proposal-effects.ts';
import type { InvoiceRecord } from '../../domain/invoices/record.ts';
import { isBilling } from '../../domain/invoices/status.ts';
import type { ProposalRecord } from '../../domain/proposals/record.ts';
import { findAppointment, appointmentChanges } from '../../store/appointments.ts';
import { type ContactSummary, contactSummaryChanges } from '../../store/contact-summary.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { invoiceChanges } from '../../store/invoices.ts';
import { findProposals, proposalsWithParentChanges } from '../../store/proposals.ts';
import type { InvoiceLinks } from './load-links.ts';

/** An invoice before and after, as an import decided, and what of its links was read for it. */
export interface InvoiceDecision {
  readonly before: InvoiceRecord | undefined;
  readonly after: InvoiceRecord;
  readonly linked: InvoiceLinks;
  /** What it billed, where it is voided. */
  readonly billed?: BilledWork;
}

/**
 * Stores an invoice, and with it what follows of it, all or nothing: how its contact stands; that the proposal it bills
 * is Invoiced, also where another proposal lists it, which takes one round more; and that the appointment it bills has
 * an invoice. Voiding takes that back, and what it credits of a deposit.
 */
export async function importedInvoiceChanges(
  context: Context<'table:write'>,
  { before, after, linked, billed }: InvoiceDecision,
): Promise<{ record: InvoiceRecord; changes: Change[] }> {
  const { table, caller, now } = context;
  const { accountId } = caller;
  const billing = isBilling(after);
  const effect = billing && linked.proposal ? proposalEffect(linked.proposal, { bills: true, credited: 0 }) : undefined;
  const others = after.Proposals?.filter(({ Id }) => Id !== effect?.Id) ?? [];
  const had = after.Proposals?.find(({ Id }) => Id === effect?.Id);
  const Proposals = effect ? [...others, { ...effect, Credited: had?.Credited ?? 0 }] : after.Proposals;
  const { record, changes, contactSummary } = invoiceChanges(accountId, {
    before,
    after: Proposals ? { ...after, Proposals } : after,
    now,
  });
  const told =
    effect && linked.proposal
      ? await proposalsWithParentChanges(table, accountId, {
          before: [linked.proposal],
          next: (proposal) => markInvoiced(proposal, { Id: record.Id, Proposals: [effect] }),
          now,
        })
      : undefined;
  const taken = billed ? await unbilledChanges(context, record, billed) : undefined;
  const appointment = billing && !linked.appointment?.InvoiceId ? linked.appointment : undefined;
  const charged = appointment
    ? appointmentChanges(accountId, { before: appointment, after: { ...appointment, InvoiceId: record.Id }, now })
        .changes
    : [];
  return {
    record,
    changes: [
      ...changes,
      ...(told?.changes ?? []),
      ...(taken?.changes ?? []),
      ...charged,
      ...contactSummaryChanges(
        accountId,
        record.ContactId,
        { ...contactSummary, ...told?.contactSummary, ...taken?.standing },
        now,
      ),
    ],
  };
}

/** What an import comes to: the invoice as it is then, and what is to be stored for it. */
export interface ImportedInvoice {
  readonly invoice: InvoiceRecord;
  readonly changes: readonly Change[];
  readonly message?: string;
}

/** What an invoice that is to be voided has billed. */
export interface BilledWork {
  readonly proposals: readonly ProposalRecord[];
  readonly appointment: AppointmentRecord | undefined;
}

/** Reads what an invoice has billed, side by side; nothing unless it is to be voided. */
export async function loadBilledWork(
  { table, caller }: Context<'table:write'>,
  { Id, AppointmentId, Proposals = [] }: InvoiceRecord,
  isVoiding: boolean,
): Promise<BilledWork> {
  if (!isVoiding) return { proposals: [], appointment: undefined };
  const ids = Proposals.map((proposal) => proposal.Id);
  const [proposals, appointment] = await Promise.all([
    findProposals(table, caller.accountId, ids),
    AppointmentId ? findAppointment(table, caller, AppointmentId) : undefined,
  ]);
  return { proposals, appointment: appointment?.InvoiceId === Id ? appointment : undefined };
}

/**
 * Takes back what the invoice changed: its appointment has no invoice, its proposals are what they were, unless others
 * bill them.
 */
export async function unbilledChanges(
  { table, caller: { accountId }, now }: Context<'table:write'>,
  invoice: InvoiceRecord,
  { proposals, appointment: before }: BilledWork,
): Promise<{ readonly changes: readonly Change[]; readonly standing: Pick<ContactSummary, 'proposals'> }> {
  const next = (proposal: ProposalRecord) => unmarkInvoiced(proposal, invoice);
  const { changes, contactSummary: standing } = await proposalsWithParentChanges(table, accountId, {
    before: proposals,
    next,
    now,
  });
  const freed = before
    ? appointmentChanges(accountId, { before, after: { ...before, InvoiceId: 0 }, now }).changes
    : [];
  return { changes: [...changes, ...freed], standing };
}
