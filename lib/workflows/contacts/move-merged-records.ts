import { creditOf } from '../../domain/credits.ts';
import type { ContactMerge, MovedKind } from '../../entities/merges.ts';
import type { MessageProgress, QueueMessage, QueueOptions } from '../../shared/queues.ts';
import { SECOND } from '../../shared/time/time.ts';
import { type PersonalKind, listLinkedContacts, listContactRecordIds } from '../../store/contacts/erasures.ts';
import { contactSummaryChanges, findContacts } from '../../store/contacts/contacts.ts';
import {
  findMergeAt,
  finishedMergeChange,
  listMoved,
  movedChange,
  unchangedMerge,
  unmovedChange,
} from '../../store/contacts/merges.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findPayment, findPayments, listInvoicePayments } from '../../store/sales/payments.ts';
import { listContactUploads } from '../../store/uploads.ts';
import { moveOlderNotes, returnOlderNotes } from './merged-notes.ts';
import { type Move, recordMoves } from './record-moves.ts';
import type { PatientStore } from '../../store/store.ts';

/**
 * A call that read the contact before the merge may still write: the merge may be committed half a minute after its
 * moment, such a call half a minute later, and an index shows it slightly later still.
 */
const SETTLE_MILLISECONDS = 70 * SECOND;

interface Work extends Move {
  readonly merge: ContactMerge;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

type MergeOptions = Pick<QueueOptions, 'now' | 'deadline'> & { readonly settleMilliseconds?: number };

/**
 * Moves the remaining records of one merge or undo: a record, everything derived from it, and the note of its move form
 * one transaction, which requires the merge to be still under way. The sums of both contacts therefore always match
 * their records, and a repeat after a kill continues where the last run stopped. Writes at once. Safe to repeat, also
 * concurrently.
 */
export async function goOnWithMerge(
  store: PatientStore,
  key: QueueMessage,
  { now, deadline, settleMilliseconds = SETTLE_MILLISECONDS }: MergeOptions,
): Promise<MessageProgress> {
  const merge = await findMergeAt(store, key);
  if (!merge || merge.State === 'merged') return { kind: 'done' };
  const isBack = merge.State === 'parting';
  const [from, to] = isBack ? [merge.Id, merge.MergedId] : [merge.MergedId, merge.Id];
  const [kept, merged] = await findContacts(store, [merge.Id, merge.MergedId], { asRecorded: true });
  // The remaining contact was erased: what is left of the other one goes with it.
  if (!kept || !merged) return { kind: 'done' };
  const [fromHash, toHash] = isBack ? [kept.Hash, merged.Hash] : [merged.Hash, kept.Hash];
  const work: Work = { store, from, to, fromHash, toHash, now: () => new Date(), merge, deadline };
  const settledAt = merge.StartedAt + settleMilliseconds;
  // Whether no call is under way that knows the contact as it was; determined before the records are listed.
  const isLast = isBack || now.getTime() >= settledAt;
  const isThrough = isBack ? await returnAll(work) : await moveAll(work);
  if (!isThrough) return { kind: 'waits', seconds: 0 };
  if (!isLast) return { kind: 'waits', seconds: Math.max(1, Math.ceil((settledAt - Date.now()) / SECOND)) };
  await retryOnConflict(() => finish(work, key));
  return { kind: 'done' };
}

/** Ends a merge or an undo. A visit completed in the meantime made the other contact a customer. */
async function finish({ store, merge: begun, now }: Work, key: QueueMessage): Promise<void> {
  const merge = await findMergeAt(store, key);
  // Another run has finished it.
  if (merge?.State !== begun.State) return;
  const [kept, merged] = await findContacts(store, [merge.Id, merge.MergedId], { asRecorded: true });
  const customer = merge.State === 'moving' && merged?.IsCustomer === true && kept?.IsCustomer === false;
  const releasesCredit = merge.HoldsCredit;
  await store.table.commit([
    finishedMergeChange(store, merge),
    ...contactSummaryChanges(store, merge.Id, { customer, releasesCredit }, now()),
    ...contactSummaryChanges(store, merge.MergedId, { releasesCredit }, now()),
  ]);
}

/** Lists the records of a contact by kind, and the contacts that name it. */
const listers: Readonly<Record<MovedKind, (work: Work) => Promise<readonly number[]>>> = {
  Task: (work) => listIds(work, 'Task'),
  Appointment: (work) => listIds(work, 'Appointment'),
  Proposal: (work) => listIds(work, 'Proposal'),
  Invoice: (work) => listIds(work, 'Invoice'),
  Payment: async (work) => lowestFirst(work, await listIds(work, 'Payment')),
  Call: (work) => listIds(work, 'Call'),
  Upload: async ({ store, from }) => (await listContactUploads(store, from)).map(({ Id }) => Id),
  Referrer: listLinks,
  ReferrerHash: listLinks,
  Manager: listLinks,
};

function listIds({ store, from }: Work, kind: PersonalKind): Promise<number[]> {
  return listContactRecordIds(store, from, kind);
}

/**
 * Orders payments by their effect on the credit: those that lower it move first, so no contact shows more than both
 * have.
 */
async function lowestFirst({ store }: Work, ids: readonly number[]): Promise<number[]> {
  const payments = await findPayments(store, ids);
  return payments.toSorted((one, other) => creditOf(one) - creditOf(other)).map(({ Id }) => Id);
}

function listLinks({ store, from, fromHash }: Work): Promise<number[]> {
  return listLinkedContacts(store, { Id: from, Hash: fromHash });
}

/** Returns whether everything was moved before the deadline. */
async function moveAll(work: Work): Promise<boolean> {
  const { store, merge } = work;
  if (!(await moveOlderNotes(work, merge))) return false;
  for (const [kind, list] of Object.entries(listers) as [MovedKind, (typeof listers)[MovedKind]][])
    for (const id of new Set(await list(work))) {
      if (Date.now() >= work.deadline) return false;
      await moveOne(work, kind, id, movedChange(store, merge.MergedId, { Kind: kind, Id: id }, work.now()));
    }
  return true;
}

/** Moves back what was moved and is still there; what the other contact received since then stays there. */
async function returnAll(work: Work): Promise<boolean> {
  const { store, merge } = work;
  if (!(await returnOlderNotes(work, merge))) return false;
  for (const moved of await listMoved(store, merge.MergedId)) {
    if (Date.now() >= work.deadline) return false;
    if (moved.Kind !== 'Payment' || !(await paysOtherInvoice(work, moved.Id)))
      await moveOne(work, moved.Kind, moved.Id);
    // A payment belongs to the contact of its invoice, even if it was made since.
    const payments = moved.Kind === 'Invoice' ? await listInvoicePayments(store, moved.Id) : [];
    for (const { Id } of payments) await moveOne(work, 'Payment', Id);
    await retryOnConflict(() =>
      store.table.commit([unmovedChange(store, merge.MergedId, moved), unchangedMerge(store, merge)]),
    );
  }
  return true;
}

/** Whether a payment that came with the other contact was applied to an invoice of the remaining one. */
async function paysOtherInvoice({ store, from }: Work, id: number): Promise<boolean> {
  const payment = await findPayment(store, id);
  if (payment?.ContactId !== from || !payment.InvoiceId) return false;
  return (await findInvoice(store, payment.InvoiceId))?.ContactId === from;
}

/** Moves a record, if it is still at its origin; `memory` records the move in the same transaction. */
async function moveOne({ merge, ...move }: Work, kind: MovedKind, id: number, memory?: Change): Promise<void> {
  await retryOnConflict(async () => {
    const moved = await recordMoves[kind](move, id);
    if (!moved) return;
    const { changes, credit } = 'changes' in moved ? moved : { changes: moved, credit: 0 };
    const still = unchangedMerge(move.store, merge, memory ? credit : 0);
    await move.store.table.commit([...changes, ...(memory ? [memory] : []), still]);
  });
}
