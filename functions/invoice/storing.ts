import type { Context } from '../../lib/api/context.ts';
import { bills } from '../../lib/domain/invoices/allowed.ts';
import { effectOn, invoiced } from '../../lib/domain/invoices/proposals.ts';
import type { InvoiceRecord } from '../../lib/domain/invoices/record.ts';
import { storeAppointment } from '../../lib/store/appointments.ts';
import type { Change } from '../../lib/store/changes.ts';
import { standingChanges } from '../../lib/store/contact-standing.ts';
import { storeInvoice } from '../../lib/store/invoices.ts';
import { storeProposals } from '../../lib/store/proposal-links.ts';
import type { Linked } from './links.ts';
import { unbilled, type Billed } from './voiding.ts';

/** An invoice before and after, as an import decided, and what of its links was read for it. */
export interface Decided {
  readonly before: InvoiceRecord | undefined;
  readonly after: InvoiceRecord;
  readonly linked: Linked;
  /** What it billed, where it is voided. */
  readonly billed?: Billed;
}

/**
 * Stores an invoice, and with it what follows of it, all or nothing: how its contact stands; that the proposal it bills
 * is Invoiced, also where another proposal lists it, which takes one round more; and that the appointment it bills has
 * an invoice. Voiding takes that back, and what it credits of a deposit.
 */
export async function storeImported(
  context: Context<'table:write'>,
  { before, after, linked, billed }: Decided,
): Promise<{ thing: InvoiceRecord; changes: Change[] }> {
  const { table, caller, now } = context;
  const { accountId } = caller;
  const isBilling = bills(after);
  const effect = isBilling && linked.proposal ? effectOn(linked.proposal, { bills: true, credited: 0 }) : undefined;
  const others = after.Proposals?.filter(({ Id }) => Id !== effect?.Id) ?? [];
  const had = after.Proposals?.find(({ Id }) => Id === effect?.Id);
  const Proposals = effect ? [...others, { ...effect, Credited: had?.Credited ?? 0 }] : after.Proposals;
  const { thing, changes, standing } = storeInvoice(accountId, {
    before,
    after: Proposals ? { ...after, Proposals } : after,
    now,
  });
  const told =
    effect && linked.proposal
      ? await storeProposals(table, accountId, {
          before: [linked.proposal],
          next: (proposal) => invoiced(proposal, { Id: thing.Id, Proposals: [effect] }),
          now,
        })
      : undefined;
  const taken = billed ? await unbilled(context, thing, billed) : undefined;
  const appointment = isBilling && !linked.appointment?.InvoiceId ? linked.appointment : undefined;
  const charged = appointment
    ? storeAppointment(accountId, { before: appointment, after: { ...appointment, InvoiceId: thing.Id }, now }).changes
    : [];
  return {
    thing,
    changes: [
      ...changes,
      ...(told?.changes ?? []),
      ...(taken?.changes ?? []),
      ...charged,
      ...standingChanges(accountId, thing.ContactId, { ...standing, ...told?.standing, ...taken?.standing }, now),
    ],
  };
}
