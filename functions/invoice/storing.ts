import type { Context } from '../../lib/api/context.ts';
import { bills } from '../../lib/domain/invoices/allowed.ts';
import type { InvoiceRecord } from '../../lib/domain/invoices/record.ts';
import { mayBecome, ProposalStatus } from '../../lib/domain/proposals/status.ts';
import { storeAppointment } from '../../lib/store/appointments.ts';
import type { Change } from '../../lib/store/changes.ts';
import { standingChanges } from '../../lib/store/contact-standing.ts';
import { storeInvoice } from '../../lib/store/invoices.ts';
import { storeWithParents } from '../../lib/store/proposal-links.ts';
import type { Linked } from './links.ts';

/** An invoice before and after, as an import decided, and what of its links was read for it. */
export interface Decided {
  readonly before: InvoiceRecord | undefined;
  readonly after: InvoiceRecord;
  readonly linked: Linked;
}

/**
 * Stores an invoice, and with it what follows of it, all or nothing: how its contact stands; that the proposal it bills
 * is Invoiced, also where another proposal lists it, which takes one round more; and that the appointment it bills has
 * an invoice.
 */
export async function storing(
  { table, caller: { accountId }, now }: Context<'table:write'>,
  { before, after, linked }: Decided,
): Promise<{ thing: InvoiceRecord; changes: Change[] }> {
  const { thing, changes, standing } = storeInvoice(accountId, { before, after, now });
  const proposal = bills(thing) ? linked.proposal : undefined;
  const appointment = bills(thing) && !linked.appointment?.InvoiceId ? linked.appointment : undefined;
  const invoiced =
    proposal && mayBecome(proposal.Status, ProposalStatus.Invoiced)
      ? await storeWithParents(table, accountId, {
          before: proposal,
          after: { ...proposal, Status: ProposalStatus.Invoiced },
          now,
        })
      : undefined;
  const billed = appointment
    ? storeAppointment(accountId, { before: appointment, after: { ...appointment, InvoiceId: thing.Id }, now }).changes
    : [];
  return {
    thing,
    changes: [
      ...changes,
      ...(invoiced?.changes ?? []),
      ...billed,
      ...standingChanges(accountId, thing.ContactId, { ...standing, ...invoiced?.standing }, now),
    ],
  };
}
