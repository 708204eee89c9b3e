import type { Context } from '../../lib/api/context.ts';
import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import { uninvoiced } from '../../lib/domain/invoices/proposals.ts';
import type { InvoiceRecord } from '../../lib/domain/invoices/record.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import { findAppointment, storeAppointment } from '../../lib/store/appointments.ts';
import type { Change } from '../../lib/store/changes.ts';
import type { Standing } from '../../lib/store/contact-standing.ts';
import { readProposals, storeProposals } from '../../lib/store/proposal-links.ts';

/** What an invoice that is to be voided has billed. */
export interface Billed {
  readonly proposals: readonly ProposalRecord[];
  readonly appointment: AppointmentRecord | undefined;
}

/** Reads what an invoice has billed, side by side; nothing unless it is to be voided. */
export async function readBilled(
  { table, caller }: Context<'table:write'>,
  { Id, AppointmentId, Proposals = [] }: InvoiceRecord,
  isVoiding: boolean,
): Promise<Billed> {
  if (!isVoiding) return { proposals: [], appointment: undefined };
  const ids = Proposals.map((proposal) => proposal.Id);
  const [proposals, appointment] = await Promise.all([
    readProposals(table, caller.accountId, ids),
    AppointmentId ? findAppointment(table, caller, AppointmentId) : undefined,
  ]);
  return { proposals, appointment: appointment?.InvoiceId === Id ? appointment : undefined };
}

/**
 * Takes back what the invoice changed: its appointment has no invoice, its proposals are what they were, unless others
 * bill them.
 */
export async function unbilled(
  { table, caller: { accountId }, now }: Context<'table:write'>,
  invoice: InvoiceRecord,
  { proposals, appointment: before }: Billed,
): Promise<{ readonly changes: readonly Change[]; readonly standing: Pick<Standing, 'proposals'> }> {
  const next = (proposal: ProposalRecord) => uninvoiced(proposal, invoice);
  const { changes, standing } = await storeProposals(table, accountId, { before: proposals, next, now });
  const freed = before ? storeAppointment(accountId, { before, after: { ...before, InvoiceId: 0 }, now }).changes : [];
  return { changes: [...changes, ...freed], standing };
}
