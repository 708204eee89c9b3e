import type { CanceledVisit, ErasureCount, ErasureRecord } from '../../entities/erasures.ts';
import type { StoredCall } from '../../entities/calls.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { parseCall } from '../../domain/calls.ts';
import { type Mention, mentionsIn } from '../../domain/contacts/mentions.ts';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CANCELED_BY,
  eraseAppointment,
  eraseInvoice,
  erasePayment,
  eraseProposal,
  eraseSignedProposal,
  eraseTask,
  isSigned,
  mapTexts,
} from '../../domain/contacts/erasure.ts';
import { type Person, forgottenPerson, identityOf, personOf, withoutShared } from '../../domain/contacts/person.ts';
import type { Identity } from '../../domain/contacts/former.ts';
import { eventPayload, eventText, withoutPerson } from '../../events/event-text.ts';
import { hasEvent } from '../../events/event.ts';
import { removePdfs } from '../../files/pdfs.ts';
import type { Files } from '../../files/s3.ts';
import type { EventPayload } from '../../resources/events.ts';
import { isEqual } from '../../shared/objects.ts';
import { type Failure, conflict, notFound } from '../../shared/failure.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import { MINUTE, SECOND } from '../../shared/time/time.ts';
import { findAppointment, listAppointments } from '../../store/appointments.ts';
import { identity, listPlaces } from '../../store/client-places.ts';
import { listDeadCallbacks, removedCallbackChanges } from '../../store/events/callbacks.ts';
import { writeErasureSecret } from '../../store/accounts/accounts.ts';
import { type CallerScope, accountCaller } from '../../store/requests/caller.ts';
import { writePendingEntriesSettled } from '../../store/contacts/contact-entries.ts';
import { contactChanges, contactSummaryChanges, findContacts } from '../../store/contacts/contacts.ts';
import { listFormerStates } from '../../store/contacts/former-entries.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { type PatientTable, chunks } from '../../store/dynamodb/table.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import {
  type PersonalKind,
  erasureProgressChange,
  findErasure,
  listContactPages,
  listContactRecordIds,
  listLinkedContacts,
  listOrphanedEntries,
  listPersonCalls,
  listSearchEntries,
  listSharing,
  removeSignedChange,
  startErasureChanges,
  writeFinishedErasure,
} from '../../store/contacts/erasures.ts';
import { listMerges, removedMergeChange } from '../../store/contacts/merges.ts';
import { findHasher } from '../../store/links.ts';
import { countPresent } from '../../store/events/event-sequence.ts';
import { findQueue, listStoredEvents, writePayload } from '../../store/events/events.ts';
import { writeErasedResponses } from '../../store/requests/idempotency.ts';
import { erasedKeyChange } from '../../store/erased-keys.ts';
import { findInvoice, invoiceChanges, invoiceNumberKey } from '../../store/sales/invoices.ts';
import { type Key, accountWideGuards, layout } from '../../store/keys.ts';
import { findPayment, paymentChanges } from '../../store/sales/payments.ts';
import { findProposal, proposalWithParentChanges } from '../../store/sales/proposals.ts';
import { findTask, taskChanges } from '../../store/tasks.ts';
import { releaseTime } from '../appointments/reserve-time.ts';
import { removePersonalDownloads } from '../downloads/remove-downloads.ts';
import { drainAccountBacklog } from '../events/drain-backlogs.ts';
import { removePersonFromKeptFiles } from '../events/redrive.ts';
import { removeUploads } from '../uploads/remove-uploads.ts';
import { eraseMerged, listMergedStates } from './erase-merged.ts';
import { findMentions, writeRedactedMentions } from './find-mentions.ts';

export interface ErasureOptions {
  readonly account: string;
  readonly contactId: number;
  /** Removes signatures, evidence and texts of signed proposals too. */
  readonly removeSigned?: boolean;
  /** Removes the person from texts of other records too, which the report lists in any case. */
  readonly redactMentions?: boolean;
  /** Where Lambda writes batches that it discards. */
  readonly discardedPrefix: string;
  /** `undefined` for a stack without bucket. */
  readonly files: Files | undefined;
  /** Calls that began before this run may still write: a second pass follows after so long. */
  readonly settleMilliseconds?: number;
  /** How long it waits for the event queue. */
  readonly patience?: number;
  readonly now?: () => Date;
  readonly onStep?: (step: string) => void | Promise<void>;
}

/** Longer than any call runs, and than an index needs to show what it wrote. */
const SETTLE_MILLISECONDS = 35 * SECOND;
const PATIENCE = 120 * SECOND;

/** An erasure under way. */
interface Work extends Required<
  Pick<ErasureOptions, 'account' | 'contactId' | 'discardedPrefix' | 'patience' | 'settleMilliseconds' | 'now'>
> {
  readonly table: PatientTable;
  readonly files: Files | undefined;
  readonly erasure: ErasureRecord;
  readonly contact: ContactRecord;
  readonly person: Person;
  readonly former: readonly Identity[];
  readonly redactsMentions: boolean;
  /** Of the account, for business keys that name the person. */
  readonly secret: string;
  readonly scope: CallerScope;
}

export interface ErasureResult {
  readonly erasure: ErasureRecord;
  /** Why it is not done: run it again. */
  readonly unfinished: readonly string[];
}

type Step = readonly [name: string, run: (work: Work) => Promise<void>];
/** `others` is the person as texts of other people's records mean it. */
type CopyStep = readonly [name: string, run: (work: Work, others: Person) => Promise<void>];

/** What people wrote about and for the person, and what finds them. */
const recordSteps: readonly Step[] = [
  ['search entries', removeSearchEntries],
  ['notes', removeNotes],
  ['calls', removeCalls],
  ['tasks', (work) => rewriteRecords(work, 'Task', rewriteTask)],
  ['appointments', (work) => rewriteRecords(work, 'Appointment', rewriteAppointment)],
  ['proposals', (work) => rewriteRecords(work, 'Proposal', rewriteProposal)],
  ['invoices', (work) => rewriteRecords(work, 'Invoice', rewriteInvoice)],
  ['payments', (work) => rewriteRecords(work, 'Payment', rewritePayment)],
  ['links', removeLinks],
  ['places of visits', removePlaces],
  ['files', removeFiles],
  ['merged contacts', removeMerged],
];

/** Copies of them, once nothing makes new ones. */
const copySteps: readonly CopyStep[] = [
  ['downloads', removeDownloads],
  ['callbacks', removeDeadCallbacks],
  ['saved responses', eraseSavedResponses],
  ['parked records', eraseParkedRecords],
];

/**
 * Erases a person: one transaction takes the contact away from every call; then search entries, notes, calls and files
 * are removed, and texts about the person in the records that bookkeeping keeps; at last the copies in saved responses,
 * events and parked records. Writes at once. Every step finds what is left to be done: after a kill at any point, a
 * repeat completes it. Reads bounded ranges of the account, never the whole table.
 */
export async function eraseContact(table: PatientTable, options: ErasureOptions): Promise<ErasureResult> {
  const { onStep = () => undefined } = options;
  await onStep('contact');
  const erasure = await startErasure(table, options);
  const begun = performance.now();
  if (!erasure.Contact) return { erasure, unfinished: [] };
  const secret = await retryUnavailable(() => writeErasureSecret(table, options.account));
  const work: Work = { ...toWork(table, options, erasure, erasure.Contact), secret };
  const runAll = async () => {
    for (const [name, run] of recordSteps) {
      await onStep(name);
      await run(work);
    }
  };
  await runAll();
  // Every run waits for its own calls, by its own clock: a call may have read a record before a killed run went on.
  await onStep('calls under way');
  await pause(Math.max(0, work.settleMilliseconds - (performance.now() - begun)));
  await runAll();
  await onStep('mentions');
  const others = personToOthers(work, await findSharing(work));
  const search = { ...work, person: others, likeness: work.person };
  const mentions = await findMentions(table, search);
  if (work.redactsMentions) {
    await writeRedactedMentions(table, mentions, search, (changes, written) => commit(work, changes, {}, written));
    await removeMentioningPdfs(work, mentions);
  }
  for (const [name, run] of copySteps) {
    await onStep(name);
    await run(work, others);
  }
  await onStep('events');
  const unfinished = await eraseEvents(work, others);
  if (unfinished)
    return { erasure: (await findErasure(table, work.account, work.contactId)) ?? erasure, unfinished: [unfinished] };
  await onStep('report');
  const left = await listEntriesLeft(work);
  if (left.length) return { erasure, unfinished: [`${left.length} search entries were written meanwhile.`] };
  await removeFormerStates(work);
  const visits = await listCanceledVisits(work);
  await writeFinishedErasure(table, work.account, erasure, { now: work.now(), mentions, visits });
  return { erasure: (await findErasure(table, work.account, work.contactId)) ?? erasure, unfinished: [] };
}

/**
 * The erasure of a contact, begun now or before; one that kept signed documents removes them where that is asked for.
 */
function startErasure(table: PatientTable, options: ErasureOptions): Promise<ErasureRecord> {
  const { account, contactId, removeSigned = false, now = () => new Date() } = options;
  return retryUnavailable(async () => {
    const begun = await findErasure(table, account, contactId);
    if (begun && (begun.RemoveSigned || !removeSigned)) return begun;
    if (begun) {
      const { change, erasure } = removeSignedChange(account, begun, now());
      await table.commit([change]);
      return erasure;
    }
    const [contact] = await findContacts(table, account, [contactId], { asRecorded: true });
    if (!contact) throw notFound('contact', 'ContactId', contactId);
    if (contact.MergedInto !== undefined) throw notErasedAlone(contactId, contact.MergedInto);
    // Once the contact was read: a later state makes the commit fail, and so does a merge that begins.
    const { states, merged } = await listMergedStates(table, account, contactId);
    const former = [...(await listFormerStates(table, account, contact)), ...states].map(identityOf);
    const { changes, erasure } = startErasureChanges(account, contact, { former, merged, removeSigned, now: now() });
    await table.commit(changes);
    return erasure;
  });
}

const notErasedAlone = (contactId: number, into: number): Failure =>
  conflict('wrong_state', `Contact ${contactId} is merged into contact ${into}. Erase that one, and both are erased.`);

const toWork = (
  table: PatientTable,
  options: ErasureOptions,
  erasure: ErasureRecord,
  contact: ContactRecord,
): Omit<Work, 'secret'> => ({
  table,
  account: options.account,
  contactId: options.contactId,
  files: options.files,
  discardedPrefix: options.discardedPrefix,
  patience: options.patience ?? PATIENCE,
  settleMilliseconds: options.settleMilliseconds ?? SETTLE_MILLISECONDS,
  now: options.now ?? (() => new Date()),
  erasure,
  contact,
  person: personOf(contact, erasure.Former ?? []),
  former: erasure.Former ?? [],
  redactsMentions: options.redactMentions ?? false,
  scope: { accountId: options.account, organizationId: null },
});

/** The contact, and those that were merged into it. */
const idsOf = ({ contactId, erasure }: Work): number[] => [contactId, ...(erasure.Merged ?? [])];

/** Other contacts with an e-mail or a phone of the person. */
const findSharing = ({ table, account, contact, former }: Work): Promise<ContactRecord[]> =>
  listSharing(table, account, contact.Id, [contact, ...former]);

/** The person as others mean it: a mailbox or phone that other contacts have too is theirs. */
function personToOthers({ contact, former }: Work, sharing: readonly ContactRecord[]): Person {
  return personOf(
    withoutShared(contact, sharing),
    former.map((state) => withoutShared(state, sharing)),
  );
}

/** Commits a part of the work with its count. */
async function commit(
  { table, account, erasure }: Work,
  changes: readonly Change[],
  counts: Partial<Record<ErasureCount, number>>,
  written: readonly string[] = [],
): Promise<void> {
  if (!changes.length && !Object.values(counts).some(Boolean)) return;
  await table.commit([...changes, erasureProgressChange(account, erasure, counts, written)]);
}

const REMOVALS_AT_ONCE = 90;

async function removeKeys(work: Work, keys: readonly Key[], count?: ErasureCount): Promise<void> {
  for (const some of chunks(keys, REMOVALS_AT_ONCE))
    await retryUnavailable(() =>
      commit(
        work,
        some.map((remove) => ({ remove })),
        count ? { [count]: some.length } : {},
      ),
    );
}

/** Entries of the contact, and those with its name of contacts that were never made. */
async function listEntriesLeft({ table, account, contact, now }: Work): Promise<Key[]> {
  const own = await listSearchEntries(table, account, contact);
  return [...own, ...(await listOrphanedEntries(table, account, contact, now()))];
}

async function removeSearchEntries(work: Work): Promise<void> {
  const { table, account, now, settleMilliseconds } = work;
  const through = new Date(now().getTime() - settleMilliseconds);
  await retryUnavailable(() => writePendingEntriesSettled(table, account, { through }));
  await removeKeys(work, await listEntriesLeft(work), 'SearchEntries');
}

/** Former states go last: entries are found by them. */
async function removeFormerStates(work: Work): Promise<void> {
  await removeKeys(work, (await listContactPages(work.table, work.account, work.contactId)).former);
}

/** What is left of contacts that were merged into the person's: whoever knows their Ids finds nobody. */
async function removeMerged(work: Work): Promise<void> {
  const { table, account, contactId, erasure, person, now } = work;
  for (const id of erasure.Merged ?? []) await eraseMerged(table, { account, id, person, now: now() });
  const merges = await listMerges(table, account, contactId);
  if (merges.length) await table.commit(merges.map((merge) => removedMergeChange(account, merge)));
}

async function removeNotes(work: Work): Promise<void> {
  const { table, account, contactId } = work;
  await removeKeys(work, (await listContactPages(table, account, contactId)).notes, 'NotePages');
}

/** Between the clocks of two machines. */
const MAX_SKEW = 5 * MINUTE;

/** A call from a number that another contact has too may be that contact's: it stays unless it names the person. */
const mayBeOfAnother = (call: StoredCall, { contactId }: Work, others: Person): boolean =>
  call.ContactId === null && parseCall(call.Text).ContactId !== contactId && !mentionsIn('Call', call, others).length;

async function removeCalls(work: Work): Promise<void> {
  const { table, account, contact, erasure } = work;
  const calls = await listPersonCalls(table, account, contact, { since: erasure.StartedAt - MAX_SKEW });
  const sharing = calls.length ? await findSharing(work) : [];
  const shared = new Set(sharing.flatMap(({ PhoneKey, AltPhoneKey }) => [PhoneKey, AltPhoneKey]));
  const others = personToOthers(work, sharing);
  for (const call of calls) {
    const { Id, V, PhoneKey } = call;
    if (shared.has(PhoneKey) && mayBeOfAnother(call, work, others)) continue;
    await retryUnavailable(async () => {
      await commit(work, [{ remove: layout.call.key({ account, id: Id }), if: { equals: { V } } }], { Calls: 1 }, [
        `Call.${Id}.${V + 1}`,
      ]);
    });
  }
}

/** What a record becomes: the changes that store it, and what is counted. */
interface Rewrite {
  readonly before: { readonly Id: number; readonly V: number };
  readonly after: { readonly Id: number };
  readonly changes: readonly Change[];
  readonly counts: Partial<Record<ErasureCount, number>>;
}

/** Rewrites the contact's records of a kind; `rewrite` returns nothing for one without anything to remove. */
async function rewriteRecords(
  work: Work,
  kind: Exclude<PersonalKind, 'Call'>,
  rewrite: (work: Work, id: number) => Promise<Rewrite | undefined>,
): Promise<void> {
  const ids = await listContactRecordIds(work.table, work.account, work.contactId, kind);
  for (const id of new Set(ids))
    await retryUnavailable(async () => {
      const result = await rewrite(work, id);
      if (!result) return;
      const { before, after, changes, counts } = result;
      const name = `${kind}.${id}.${before.V + 1}`;
      await commit(work, changes, counts, hasEvent(kind, before, after) ? [name] : []);
    });
}

async function rewriteTask({ table, account, scope, now }: Work, id: number): Promise<Rewrite | undefined> {
  const before = await findTask(table, scope, id);
  if (!before) return undefined;
  const after = eraseTask(before);
  if (isEqual(before, after)) return undefined;
  const { change } = taskChanges(account, { before, after, now: now() });
  return { before, after, changes: [change], counts: { Tasks: 1 } };
}

/**
 * Whom a record's texts may name. Every text of a signed contract goes, whenever that is asked for: an erasure that is
 * reopened for it does not know the person any more, nor whom the records name that were made by it since.
 */
const personIn = ({ erasure, person }: Work, isContract: boolean, { Created }: { readonly Created: number }) =>
  isContract || (erasure.ReopenedAt !== undefined && Created > erasure.StartedAt) ? forgottenPerson : person;

async function rewriteAppointment(work: Work, id: number): Promise<Rewrite | undefined> {
  const { table, account, scope } = work;
  const before = await findAppointment(table, scope, id);
  if (!before) return undefined;
  const now = work.now();
  const after = eraseAppointment(before, personIn(work, false, before), now.getTime());
  if (isEqual(before, after)) return undefined;
  const { changes } = await releaseTime({ table, caller: accountCaller(account), now }, { before, after });
  return { before, after, changes, counts: { Appointments: 1 } };
}

/** The visits that this erasure canceled, also before it was killed. */
async function listCanceledVisits({ table, account, contactId }: Work): Promise<CanceledVisit[]> {
  const ids = await listContactRecordIds(table, account, contactId, 'Appointment');
  const appointments = (await listAppointments(table, account, ids)).filter(
    ({ CanceledBy }) => CanceledBy === CANCELED_BY,
  );
  return appointments.map(({ Id, Start }) => ({ Id, Start }));
}

async function rewriteProposal(work: Work, id: number): Promise<Rewrite | undefined> {
  const { table, account, scope, erasure } = work;
  const before = await findProposal(table, scope, id);
  if (!before) return undefined;
  const isKept = isSigned(before) && !erasure.RemoveSigned;
  const after = isKept ? eraseSignedProposal(before) : eraseProposal(before, personIn(work, isSigned(before), before));
  if (isEqual(before, after)) return undefined;
  const now = work.now();
  const { changes, contactSummary } = await proposalWithParentChanges(table, account, { before, after, now });
  const evidence = isKept
    ? []
    : [layout.evidence, layout.signature].map((keyPattern) => keyPattern.key({ account, id }));
  return {
    before,
    after,
    changes: [
      ...changes,
      ...contactSummaryChanges(account, work.contactId, contactSummary, now),
      ...(before.EvidenceSha256 ? evidence.map((remove) => ({ remove })) : []),
    ],
    counts: isKept ? { SignedProposals: 1 } : { Proposals: 1 },
  };
}

async function rewriteInvoice(work: Work, id: number): Promise<Rewrite | undefined> {
  const { table, account, scope } = work;
  const before = await findInvoice(table, scope, id);
  if (!before) return undefined;
  const after = eraseInvoice(before, personIn(work, false, before));
  if (isEqual(before, after)) return undefined;
  const now = work.now();
  const { changes, contactSummary } = invoiceChanges(account, { before, after, now });
  const summary = contactSummaryChanges(account, work.contactId, { ...contactSummary, customer: false }, now);
  const key = invoiceNumberKey(account, before.OrganizationId, before.Number);
  const kept = before.Number === after.Number ? [] : [erasedKeyChange(account, work.secret, key, { Id: id })];
  return { before, after, changes: [...changes, ...kept, ...summary], counts: { Invoices: 1 } };
}

async function rewritePayment(work: Work, id: number): Promise<Rewrite | undefined> {
  const { table, account, scope, person, now } = work;
  const before = await findPayment(table, scope, id);
  if (!before) return undefined;
  const after = erasePayment(before, person);
  if (isEqual(before, after)) return undefined;
  const { changes } = paymentChanges(account, { before, after, now: now() });
  if (before.TransactionId === after.TransactionId) return { before, after, changes, counts: { Payments: 1 } };
  const { TransactionId: transaction, OrganizationId: organization } = before;
  const key = layout.transaction.key({ account, transaction, organization });
  const stored = await table.getMany([key, { ...key, SK: accountWideGuards.transaction }]);
  const guards = stored.filter((guard) => guard['Id'] === id);
  const { InvoiceId, Amount } = guards[0] ?? before;
  const kept = erasedKeyChange(account, work.secret, key, { Id: id, InvoiceId, Amount });
  const removals = guards.map(({ PK, SK }) => ({ remove: { PK, SK } }));
  return { before, after, changes: [...changes, ...removals, kept], counts: { Payments: 1 } };
}

/** Contacts that the person referred or manages lose the link. */
/** What counts the visits that were booked on pages with the person's e-mails and phones, or for the person. */
async function removePlaces(work: Work): Promise<void> {
  const { table, account, contact, former } = work;
  const hash = await findHasher(table, account);
  if (!hash) return;
  const identities = [
    ...idsOf(work).flatMap((id) => [identity.ofContact(id), identity.ofClient(id)]),
    ...[contact, ...former].flatMap(({ Email, PhoneKey, AltPhoneKey }) => [
      identity.ofEmail(normalizeEmail(Email)),
      ...[PhoneKey, AltPhoneKey].map(identity.ofPhone),
    ]),
  ];
  await removeKeys(work, await listPlaces(table, account, identities.map(hash)));
}

async function removeLinks(work: Work): Promise<void> {
  const { table, account, contactId, contact } = work;
  for (const id of await listLinkedContacts(table, account, contact))
    await retryUnavailable(async () => {
      const [before] = await findContacts(table, account, [id]);
      if (!before) return;
      const after = {
        ...before,
        ReferredByContactId: before.ReferredByContactId === contactId ? null : before.ReferredByContactId,
        ManagedByContactId: before.ManagedByContactId === contactId ? null : before.ManagedByContactId,
        ReferredByHash: before.ReferredByHash === contact.Hash ? '' : before.ReferredByHash,
      };
      if (isEqual(before, after)) return;
      const changes = contactChanges(account, [{ before, after, guards: [] }], { now: work.now() });
      await commit(work, changes, { Links: 1 }, [`Contact.${id}.${before.V + 1}`]);
    });
}

/** Files in the bucket first: the record that finds them goes last. */
async function removeFiles(work: Work): Promise<void> {
  const { files, table, account, contactId } = work;
  await removeUploads(table, files, { account, contactId, now: work.now() }, async (changes, written) =>
    commit(work, changes, { Files: 1 }, written),
  );
  if (!files) return;
  const [invoices, proposals] = await Promise.all([
    listContactRecordIds(table, account, contactId, 'Invoice'),
    listContactRecordIds(table, account, contactId, 'Proposal'),
  ]);
  await removePdfs(files, account, { invoices, proposals });
}

/** The PDFs of other people's records, from before the person was taken out of their texts. */
async function removeMentioningPdfs({ files, account }: Work, mentions: readonly Mention[]): Promise<void> {
  const idsOf = (kind: Mention['Kind']) => mentions.filter(({ Kind }) => Kind === kind).map(({ Id }) => Id);
  if (files) await removePdfs(files, account, { invoices: idsOf('Invoice'), proposals: idsOf('Proposal') });
}

/** A download that was made before has rows of the person; who started it can start it again. */
async function removeDownloads(work: Work): Promise<void> {
  const { table, files, account } = work;
  if (!files) return;
  await commit(work, [], { Downloads: await removePersonalDownloads(table, files, account, work.now()) });
}

async function eraseSavedResponses(work: Work, others: Person): Promise<void> {
  const { table, account, person } = work;
  const ids = idsOf(work).join('|');
  const ofContact = new RegExp(`"(ContactId|MergeId|MergedId)":(${ids})[,}]`);
  const ownRecord = new RegExp(`"Id":(${ids})[,}]`);
  const isAbout = (body: string) =>
    ofContact.test(body) || others.isMeantIn(body) || (ownRecord.test(body) && person.isMeantIn(body));
  const count = await retryUnavailable(() => writeErasedResponses(table, account, isAbout));
  await commit(work, [], { SavedResponses: count });
}

async function eraseParkedRecords(work: Work): Promise<void> {
  const { files, account, discardedPrefix } = work;
  if (!files) return;
  for (const id of idsOf(work)) {
    const count = await removePersonFromKeptFiles(files, { account, contactId: id, discardedPrefix });
    await commit(work, [], { ParkedRecords: count });
  }
}

const STRETCH = 500;
/** Ids so close to the newest may belong to a transaction that is not visible as a whole yet. */
const UNSETTLED = 200;
const POLL_MILLISECONDS = 250;

/**
 * Takes the person out of every stored event, once the queue has the events of what this erasure wrote: no event of an
 * earlier state comes later. Returns why it could not be completed.
 */
async function eraseEvents(work: Work, others: Person): Promise<string | undefined> {
  const { table, account, contactId } = work;
  const started = Date.now();
  const deadline = started + work.patience;
  const changes = Object.keys((await findErasure(table, account, contactId))?.Changes ?? {});
  const awaited = new Set(changes);
  const calls = new Set(changes.flatMap((name) => (name.startsWith('Call.') ? Number(name.split('.')[1]) : [])));
  const queue = () => findQueue(table, { account, subscriber: '' }, work.now());
  let next = await oldestStored(work, (await queue()).next);
  for (;;) {
    const drained = await drainAccountBacklog(table, account, { now: work.now(), deadline });
    const { last, absent } = await queue();
    while (next <= last) {
      const end = Math.min(last, next + STRETCH - 1);
      const stored = await listStoredEvents(table, account, next, end);
      const own: number[] = [];
      let erased = 0;
      for (const { id, change, payload } of stored) {
        if (change) awaited.delete(change);
        const event = eventPayload(payload);
        if (!isAbout(work, event, calls)) {
          if (work.redactsMentions) await redactEvent(work, others, { id, event });
          continue;
        }
        own.push(id);
        if (await eraseEvent(work, id, event)) erased++;
      }
      await removeCallbacks(work, own);
      if (erased) await commit(work, [], { Events: erased });
      const seen = new Set(stored.map(({ id }) => id));
      const hidden = Array.from({ length: end - next + 1 }, (_, index) => next + index).find(
        (id) => id > last - UNSETTLED && !seen.has(id) && countPresent(absent, id, id) > 0,
      );
      next = hidden ?? end + 1;
      if (hidden !== undefined) break;
    }
    if (!awaited.size && next > last && !drained.isUnfinished) return undefined;
    if (Date.now() >= deadline) return 'The event queue is behind: events of earlier changes are still to come.';
    await pause(POLL_MILLISECONDS);
  }
}

/** Expired events stay in the table until its time to live removes them, within days. */
async function oldestStored({ table, account }: Work, oldest: number): Promise<number> {
  let first = oldest;
  while (first > 1) {
    const start = Math.max(1, first - STRETCH);
    if (!(await listStoredEvents(table, account, start, first - 1)).length) return first;
    first = start;
  }
  return first;
}

const isAbout = (work: Work, { Kind, Id, ContactId }: EventPayload, calls: ReadonlySet<number>): boolean =>
  idsOf(work).some((id) => id === ContactId) || (Kind.startsWith('call.') && calls.has(Id));

/** Whether the event had anything of the person. */
async function eraseEvent({ table, account }: Work, id: number, event: EventPayload): Promise<boolean> {
  const erased = withoutPerson(event);
  if (isEqual(event, erased)) return false;
  await retryUnavailable(() => writePayload(table, account, id, eventText(erased)));
  return true;
}

/** An event of another record that mentions the person. */
async function redactEvent(
  { table, account }: Work,
  others: Person,
  { id, event }: { readonly id: number; readonly event: EventPayload },
): Promise<void> {
  const redacted = mapTexts(event, (text) => others.redact(text));
  if (!isEqual(event, redacted)) await retryUnavailable(() => writePayload(table, account, id, eventText(redacted)));
}

/** Receivers are not called with what happened to the person any more. */
async function removeCallbacks(work: Work, eventIds: readonly number[]): Promise<void> {
  const { table, account } = work;
  for (const id of eventIds) {
    const changes = await removedCallbackChanges(table, account, id);
    // Each has an entry in the list of those that were given up, or could have.
    for (const part of chunks(changes, REMOVALS_AT_ONCE))
      await retryUnavailable(() => commit(work, part, { Callbacks: part.length / 2 }));
  }
}

/** Callbacks that were given up keep their event, which may have expired. */
async function removeDeadCallbacks(work: Work): Promise<void> {
  const { table, account } = work;
  const dead = await listDeadCallbacks(table, account, { limit: Infinity });
  const own = dead.filter(({ Payload }) => Payload && isAbout(work, eventPayload(Payload), new Set()));
  await removeCallbacks(work, [...new Set(own.map(({ EventId }) => EventId))]);
}
