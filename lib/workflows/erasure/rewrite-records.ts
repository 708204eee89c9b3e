import type { CanceledVisit, ErasureCount } from '../../entities/erasures.ts';
import {
  CANCELED_BY,
  eraseAppointment,
  eraseInvoice,
  erasePayment,
  eraseProposal,
  eraseSignedProposal,
  eraseRecord,
  isSigned,
} from '../../domain/contacts/erasure.ts';
import { forgottenPerson } from '../../domain/contacts/person.ts';
import { hasEvent } from '../../events/event.ts';
import { isEqual } from '../../shared/objects.ts';
import { findAppointment, listAppointments } from '../../store/appointments.ts';
import { accountCaller } from '../../store/requests/caller.ts';
import { contactSummaryChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import { type PersonalKind, listContactRecordIds } from '../../store/contacts/erasures.ts';
import { erasedKeyChange } from '../../store/erased-keys.ts';
import { findInvoice, invoiceChanges, invoiceNumberKey } from '../../store/sales/invoices.ts';
import { layout, toKey } from '../../store/keys.ts';
import { findPayment, paymentChanges } from '../../store/sales/payments.ts';
import { findProposal, proposalWithParentChanges } from '../../store/sales/proposals.ts';
import { findTask, taskChanges } from '../../store/tasks.ts';
import { releaseTime } from '../booking/release.ts';
import { type Work, commit } from './erasure-work.ts';

/** The outcome for a record: the changes that store it, and what is counted. */
interface Rewrite {
  readonly before: { readonly Id: number; readonly V: number };
  readonly after: { readonly Id: number };
  readonly changes: readonly Change[];
  readonly counts: Partial<Record<ErasureCount, number>>;
}

/** Rewrites the contact's records of a kind; `rewrite` returns nothing if there is nothing to remove. */
export async function rewriteRecords(
  work: Work,
  kind: Exclude<PersonalKind, 'Call'>,
  rewrite: (work: Work, id: number) => Promise<Rewrite | undefined>,
): Promise<void> {
  const ids = await listContactRecordIds(work.store, work.contactId, kind);
  for (const id of new Set(ids))
    await retryUnavailable(async () => {
      const result = await rewrite(work, id);
      if (!result) return;
      const { before, after, changes, counts } = result;
      const name = `${kind}.${id}.${before.V + 1}`;
      await commit(work, changes, counts, hasEvent(kind, before, after) ? [name] : []);
    });
}

export async function rewriteTask({ store, now }: Work, id: number): Promise<Rewrite | undefined> {
  const before = await findTask(store, id);
  if (!before) return undefined;
  const after = eraseRecord('Task', before);
  if (isEqual(before, after)) return undefined;
  const { change } = taskChanges(store, { before, after, now: now() });
  return { before, after, changes: [change], counts: { Tasks: 1 } };
}

/**
 * The person whom a record's texts may name. Every text of a signed contract goes if that is requested: a reopened
 * erasure no longer knows the person, nor whom records made since by the contract name.
 */
const personIn = ({ erasure, person }: Work, isContract: boolean, { Created }: { readonly Created: number }) =>
  isContract || (erasure.ReopenedAt !== undefined && Created > erasure.StartedAt) ? forgottenPerson : person;

export async function rewriteAppointment(work: Work, id: number): Promise<Rewrite | undefined> {
  const { store } = work;
  const before = await findAppointment(store, id);
  if (!before) return undefined;
  const now = work.now();
  const after = eraseAppointment(before, personIn(work, false, before), now.getTime());
  if (isEqual(before, after)) return undefined;
  const context = { store, caller: accountCaller(store.account), now };
  const { changes } = await releaseTime(context, { before, after });
  return { before, after, changes, counts: { Appointments: 1 } };
}

/** The visits that this erasure canceled, including before it was killed. */
export async function listCanceledVisits({ store, contactId }: Work): Promise<CanceledVisit[]> {
  const ids = await listContactRecordIds(store, contactId, 'Appointment');
  const appointments = (await listAppointments(store, ids)).filter(({ CanceledBy }) => CanceledBy === CANCELED_BY);
  return appointments.map(({ Id, Start }) => ({ Id, Start }));
}

export async function rewriteProposal(work: Work, id: number): Promise<Rewrite | undefined> {
  const { store, erasure } = work;
  const before = await findProposal(store, id);
  if (!before) return undefined;
  const isKept = isSigned(before) && !erasure.RemoveSigned;
  const after = isKept ? eraseSignedProposal(before) : eraseProposal(before, personIn(work, isSigned(before), before));
  if (isEqual(before, after)) return undefined;
  const now = work.now();
  const { changes, contactSummary } = await proposalWithParentChanges(store, { before, after, now });
  const evidence = isKept
    ? []
    : [layout.evidence, layout.signature].map((keyPattern) => keyPattern.key({ account: store.account, id }));
  return {
    before,
    after,
    changes: [
      ...changes,
      ...contactSummaryChanges(store, work.contactId, contactSummary, now),
      ...(before.EvidenceSha256 ? evidence.map((remove) => ({ remove })) : []),
    ],
    counts: isKept ? { SignedProposals: 1 } : { Proposals: 1 },
  };
}

export async function rewriteInvoice(work: Work, id: number): Promise<Rewrite | undefined> {
  const { store } = work;
  const before = await findInvoice(store, id);
  if (!before) return undefined;
  const after = eraseInvoice(before, personIn(work, false, before));
  if (isEqual(before, after)) return undefined;
  const now = work.now();
  const { changes, contactSummary } = invoiceChanges(store, { before, after, now });
  const summary = contactSummaryChanges(store, work.contactId, { ...contactSummary, customer: false }, now);
  const key = invoiceNumberKey(store, before.OrganizationId, before.Number);
  const kept = before.Number === after.Number ? [] : [erasedKeyChange(store, work.secret, key, { Id: id })];
  return { before, after, changes: [...changes, ...kept, ...summary], counts: { Invoices: 1 } };
}

export async function rewritePayment(work: Work, id: number): Promise<Rewrite | undefined> {
  const { store, person, now } = work;
  const before = await findPayment(store, id);
  if (!before) return undefined;
  const after = erasePayment(before, person);
  if (isEqual(before, after)) return undefined;
  const { changes } = paymentChanges(store, { before, after, now: now() });
  if (before.TransactionId === after.TransactionId) return { before, after, changes, counts: { Payments: 1 } };
  const { TransactionId: transaction, OrganizationId: organization } = before;
  const key = layout.transaction.key({ account: store.account, transaction, organization });
  const guards = (await store.table.getMany([key])).filter((guard) => guard['Id'] === id);
  const { InvoiceId, Amount } = guards[0] ?? before;
  const kept = erasedKeyChange(store, work.secret, key, { Id: id, InvoiceId, Amount });
  const removals = guards.map((guard) => ({ remove: toKey(guard) }));
  return { before, after, changes: [...changes, ...removals, kept], counts: { Payments: 1 } };
}
