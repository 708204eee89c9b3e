import type { OpenDocument } from '../../entities/contact-parts.ts';
import { creditOf } from '../../domain/credits.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { MovedKind } from '../../entities/merges.ts';
import { subtract } from '../../shared/money.ts';
import { appointmentChanges, findAppointment } from '../../store/appointments.ts';
import { callChange, findCalls } from '../../store/contacts/calls.ts';
import {
  type ContactSummary,
  contactSummaryChanges,
  findContacts,
  updateContactChanges,
} from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findInvoice, invoiceChanges } from '../../store/sales/invoices.ts';
import { findPayment, paymentChanges } from '../../store/sales/payments.ts';
import { findProposal, proposalChanges } from '../../store/sales/proposals.ts';
import { findTask, taskChanges } from '../../store/tasks.ts';
import { findUpload, uploadChanges } from '../../store/uploads.ts';
import type { PatientStore } from '../../store/store.ts';

/** The contacts between which records move. */
export interface Move {
  readonly store: PatientStore;
  readonly from: number;
  readonly to: number;
  readonly fromHash: string;
  readonly toHash: string;
  readonly now: () => Date;
}

/** The changes that move a record; `undefined` if it does not belong to the contact of origin. */
type MoveRecord = (move: Move, id: number) => Promise<readonly Change[] | MovedCredit | undefined>;

/** A record that counts toward the credit. */
interface MovedCredit {
  readonly credit: number;
  readonly changes: readonly Change[];
}

/** What moves from one contact's summary to the other's. */
const summaryMoves = (
  { store, from, to, now }: Move,
  leaving: ContactSummary,
  coming: ContactSummary,
): readonly Change[] => [
  ...contactSummaryChanges(store, from, leaving, now()),
  ...contactSummaryChanges(store, to, coming, now()),
];

/** No contact refers to itself. */
const otherThan = (id: number, to: number): number | null => (id === to ? null : to);

async function moveLink(
  { store, now }: Move,
  id: number,
  move: (contact: ContactRecord) => Partial<ContactRecord> | undefined,
): Promise<readonly Change[] | undefined> {
  const [before] = await findContacts(store, [id]);
  const moved = before && move(before);
  return before && moved && updateContactChanges(store, { before, after: { ...before, ...moved }, now: now() });
}

type Documents = Readonly<Record<string, OpenDocument | undefined>>;
const left = (documents: Documents): Documents =>
  Object.fromEntries(Object.keys(documents).map((id) => [id, undefined]));

export const recordMoves: Readonly<Record<MovedKind, MoveRecord>> = {
  async Task(move, id) {
    const before = await findTask(move.store, id);
    if (before?.ContactId !== move.from) return undefined;
    const after = { ...before, ContactId: move.to };
    return [taskChanges(move.store, { before, after, now: move.now() }).change];
  },
  async Appointment(move, id) {
    const before = await findAppointment(move.store, id);
    if (before?.ContactId !== move.from) return undefined;
    const after = { ...before, ContactId: move.to };
    return appointmentChanges(move.store, { before, after, now: move.now() }).changes;
  },
  async Proposal(move, id) {
    const before = await findProposal(move.store, id);
    if (before?.ContactId !== move.from) return undefined;
    const now = move.now();
    const after = { ...before, ContactId: move.to };
    const { change, expiry } = proposalChanges(move.store, { before, after, now });
    // Treats it as new, to decide whether the contact lists it.
    const { proposals = {} } = proposalChanges(move.store, { before: undefined, after, now }).contactSummary;
    const leaving = { proposals: { [id]: undefined } };
    return [change, ...expiry, ...summaryMoves(move, leaving, { proposals })];
  },
  async Invoice(move, id) {
    const before = await findInvoice(move.store, id);
    if (before?.ContactId !== move.from) return undefined;
    const now = move.now();
    const after = { ...before, ContactId: move.to };
    const { changes } = invoiceChanges(move.store, { before, after, now });
    const { invoices = {} } = invoiceChanges(move.store, { before: undefined, after, now }).contactSummary;
    return [...changes, ...summaryMoves(move, { invoices: left(invoices) }, { invoices })];
  },
  async Payment(move, id) {
    const before = await findPayment(move.store, id);
    if (before?.ContactId !== move.from) return undefined;
    const after = { ...before, ContactId: move.to };
    const { changes } = paymentChanges(move.store, { before, after, now: move.now() });
    const paid = before.InvoiceId ? before.Amount : 0;
    const credit = creditOf(before);
    const leaving = { paid: subtract(0, paid), credit: subtract(0, credit), mayOverdraw: true };
    return { credit, changes: [...changes, ...summaryMoves(move, leaving, { paid, credit, mayOverdraw: true })] };
  },
  async Call(move, id) {
    const [before] = await findCalls(move.store, [id]);
    if (before?.ContactId !== move.from) return undefined;
    return [callChange(move.store, before, { ...before, ContactId: move.to })];
  },
  async Upload(move, id) {
    const before = await findUpload(move.store, id);
    if (before?.ContactId !== move.from) return undefined;
    return uploadChanges(move.store, { before, after: { ...before, ContactId: move.to } }).changes;
  },
  Referrer: (move, id) =>
    moveLink(move, id, ({ ReferredByContactId }) =>
      ReferredByContactId === move.from ? { ReferredByContactId: otherThan(id, move.to) } : undefined,
    ),
  ReferrerHash: (move, id) =>
    moveLink(move, id, ({ ReferredByHash }) =>
      ReferredByHash === move.fromHash ? { ReferredByHash: id === move.to ? '' : move.toHash } : undefined,
    ),
  Manager: (move, id) =>
    moveLink(move, id, ({ ManagedByContactId }) =>
      ManagedByContactId === move.from ? { ManagedByContactId: otherThan(id, move.to) } : undefined,
    ),
};
