import type { ErasureRecord } from '../../entities/erasures.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { type Person, identityOf, personOf } from '../../domain/contacts/person.ts';
import { type Failure, conflict, notFound } from '../../shared/failure.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { SECOND } from '../../shared/time/time.ts';
import { writeErasureSecret } from '../../store/accounts/accounts.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import { listFormerStates } from '../../store/contacts/former-entries.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import {
  findErasure,
  removeSignedChange,
  startErasureChanges,
  writeFinishedErasure,
} from '../../store/contacts/erasures.ts';
import { listMergedStates } from './erase-merged.ts';
import { findMentions, writeRedactedMentions } from './find-mentions.ts';
import { type Work, findSharing, personToOthers, commit } from './erasure-work.ts';
import {
  listEntriesLeft,
  removeSearchEntries,
  removeFormerStates,
  removeImported,
  removeMerged,
  removeMessages,
  removeNotes,
  removeCalls,
  removePlaces,
  removeAddressPlaces,
  removeLinks,
  removeFiles,
  removeMentioningPdfs,
} from './remove-traces.ts';
import {
  rewriteRecords,
  rewriteTask,
  rewriteAppointment,
  listCanceledVisits,
  rewriteProposal,
  rewriteInvoice,
  rewritePayment,
} from './rewrite-records.ts';
import { removeDownloads, eraseSavedResponses, eraseParkedRecords, removeDeadCallbacks } from './erase-copies.ts';
import { eraseEvents } from './erase-events.ts';
import type { PatientStore } from '../../store/store.ts';

export interface ErasureOptions
  extends
    Pick<Work, 'contactId' | 'discardedPrefix' | 'files'>,
    Partial<Pick<Work, 'patience' | 'settleMilliseconds' | 'now'>> {
  /** Also removes signatures, evidence and texts of signed proposals. */
  readonly removeSigned?: boolean;
  /** Also removes the person from texts of other records, which the report lists in any case. */
  readonly redactMentions?: boolean;
  readonly onStep?: OnStep;
}

type OnStep = (step: string) => void | Promise<void>;

/** Longer than any call runs, plus the time an index needs to show its writes. */
export const SETTLE_MILLISECONDS = 35 * SECOND;

const PATIENCE = 120 * SECOND;

export interface ErasureResult {
  readonly erasure: ErasureRecord;
  /** Why it is incomplete and must run again. */
  readonly unfinished: readonly string[];
}

export type StartOptions = Pick<ErasureOptions, 'contactId' | 'removeSigned' | 'redactMentions' | 'now'>;

type Step = readonly [name: string, run: (work: Work) => Promise<void>];

/** `others` is the person as identified in texts of other people's records. */
type CopyStep = readonly [name: string, run: (work: Work, others: Person) => Promise<void>];

/** Everything that people wrote about and for the person, and whatever finds it. */
const recordSteps: readonly Step[] = [
  ['search entries', removeSearchEntries],
  ['notes', removeNotes],
  ['calls', removeCalls],
  ['messages', removeMessages],
  ['tasks', (work) => rewriteRecords(work, 'Task', rewriteTask)],
  ['appointments', (work) => rewriteRecords(work, 'Appointment', rewriteAppointment)],
  ['proposals', (work) => rewriteRecords(work, 'Proposal', rewriteProposal)],
  ['invoices', (work) => rewriteRecords(work, 'Invoice', rewriteInvoice)],
  ['payments', (work) => rewriteRecords(work, 'Payment', rewritePayment)],
  ['links', removeLinks],
  ['places of visits', removePlaces],
  ['places of addresses', removeAddressPlaces],
  ['files', removeFiles],
  ['imports', removeImported],
  ['merged contacts', removeMerged],
];

/** Copies of those, once nothing makes new ones. */
const copySteps: readonly CopyStep[] = [
  ['downloads', removeDownloads],
  ['callbacks', removeDeadCallbacks],
  ['saved responses', eraseSavedResponses],
  ['parked records', eraseParkedRecords],
];

/** An erasure whose first pass is done in this process. `work` is missing if it was done before. */
interface BegunErasure {
  readonly erasure: ErasureRecord;
  readonly work?: Work;
  /** By the clock of this process. */
  readonly begunAt: number;
}

/**
 * Erases a person: one transaction hides the contact from every call; then search entries, notes, calls and files are
 * removed, and texts about the person in the records that bookkeeping keeps; finally the copies in saved responses,
 * events and parked records. Writes at once. Every step finds what is left to be done, so after a kill at any point a
 * repeat completes it. Reads bounded ranges of the account, never the whole table.
 */
export async function eraseContact(store: PatientStore, options: ErasureOptions): Promise<ErasureResult> {
  const begun = await beginErasure(store, options);
  await awaitCalls([begun], options);
  return finishErasure(begun, options.onStep);
}

/** Contacts whose first pass runs at once. */
const CONTACTS_AT_ONCE = 4;

/**
 * Does the same for several people, with a single wait for calls under way. Reports each contact as it is done; one
 * that fails stops no other.
 */
export async function eraseContacts(
  store: PatientStore,
  contactIds: readonly number[],
  options: Omit<ErasureOptions, 'contactId'>,
  onErased: (contactId: number, outcome: PromiseSettledResult<ErasureResult>) => void,
): Promise<void> {
  const begun = await mapWithConcurrency(contactIds, CONTACTS_AT_ONCE, async (contactId) => {
    const own = { ...options, contactId };
    const [outcome] = await Promise.allSettled([beginErasure(store, own)]);
    return { own, outcome };
  });
  await awaitCalls(
    begun.flatMap(({ outcome }) => (outcome.status === 'fulfilled' ? outcome.value : [])),
    options,
  );
  for (const { own, outcome } of begun) {
    if (outcome.status === 'rejected') onErased(own.contactId, outcome);
    else {
      const [finished] = await Promise.allSettled([finishErasure(outcome.value, own.onStep)]);
      onErased(own.contactId, finished);
    }
  }
}

/** Hides the contact from every call, and makes one pass over the person's own records. */
async function beginErasure(store: PatientStore, options: ErasureOptions): Promise<BegunErasure> {
  const { onStep = () => undefined } = options;
  await onStep('contact');
  const erasure = await startErasure(store, options);
  const begunAt = performance.now();
  const work = await toWork(store, options, erasure);
  if (!work) return { erasure, begunAt };
  await runRecordSteps(work, onStep);
  return { erasure, work, begunAt };
}

export async function runRecordSteps(work: Work, onStep: OnStep = () => undefined): Promise<void> {
  for (const [name, run] of recordSteps) {
    await onStep(name);
    await run(work);
  }
}

/**
 * Every run waits for its own calls, by its own clock: a call may have read a record before a killed run was resumed.
 */
async function awaitCalls(
  begun: readonly BegunErasure[],
  { onStep, settleMilliseconds = SETTLE_MILLISECONDS }: Pick<ErasureOptions, 'onStep' | 'settleMilliseconds'>,
): Promise<void> {
  const last = Math.max(...begun.filter(({ work }) => work).map(({ begunAt }) => begunAt));
  if (last === -Infinity) return;
  await onStep?.('calls under way');
  await pause(Math.max(0, settleMilliseconds - (performance.now() - last)));
}

/** Repeats the pass, then removes the copies that calls left elsewhere. */
export async function finishErasure(
  { erasure, work }: Pick<BegunErasure, 'erasure' | 'work'>,
  onStep: OnStep = () => undefined,
): Promise<ErasureResult> {
  if (!work) return { erasure, unfinished: [] };
  const { store } = work;
  await runRecordSteps(work, onStep);
  await onStep('mentions');
  const others = personToOthers(work, await findSharing(work));
  const search = { ...work, person: others, likeness: work.person };
  const mentions = await findMentions(store, search);
  if (work.redactsMentions) {
    await writeRedactedMentions(store, mentions, search, (changes, written) => commit(work, changes, {}, written));
    await removeMentioningPdfs(work, mentions);
  }
  for (const [name, run] of copySteps) {
    await onStep(name);
    await run(work, others);
  }
  await onStep('events');
  const unfinished = await eraseEvents(work, others);
  if (unfinished) return { erasure: (await findErasure(store, work.contactId)) ?? erasure, unfinished: [unfinished] };
  await onStep('report');
  const left = await listEntriesLeft(work);
  if (left.length) return { erasure, unfinished: [`${left.length} search entries were written meanwhile.`] };
  await removeFormerStates(work);
  const visits = await listCanceledVisits(work);
  await writeFinishedErasure(store, erasure, { now: work.now(), mentions, visits });
  return { erasure: (await findErasure(store, work.contactId)) ?? erasure, unfinished: [] };
}

/**
 * The erasure of a contact, begun now or earlier; an erasure that kept signed documents removes them if that is
 * requested.
 */
export function startErasure(
  store: PatientStore,
  options: StartOptions,
  { handsOver = false } = {},
): Promise<ErasureRecord> {
  const { contactId, removeSigned = false, redactMentions = false, now = () => new Date() } = options;
  return retryUnavailable(async () => {
    const begun = await findErasure(store, contactId);
    if (begun && (begun.RemoveSigned || !removeSigned)) return begun;
    if (begun) {
      const { change, erasure } = removeSignedChange(store, begun, now());
      await store.table.commit([change]);
      return erasure;
    }
    const [contact] = await findContacts(store, [contactId], { asRecorded: true });
    if (!contact) throw notFound('contact', 'ContactId', contactId);
    if (contact.MergedInto !== undefined) throw notErasedAlone(contactId, contact.MergedInto);
    // Runs after the contact was read: a later state makes the commit fail, and so does a merge that begins.
    const { states, merged } = await listMergedStates(store, contactId);
    const former = [...(await listFormerStates(store, contact)), ...states].map(identityOf);
    const { changes, erasure } = startErasureChanges(store, contact, {
      former,
      merged,
      removeSigned,
      redactMentions,
      handsOver,
      now: now(),
    });
    await store.table.commit(changes);
    return erasure;
  });
}

const notErasedAlone = (contactId: number, into: number): Failure =>
  conflict('wrong_state', `Contact ${contactId} is merged into contact ${into}. Erase that one, and both are erased.`);

/** `undefined` if the erasure is done. */
export async function toWork(
  store: PatientStore,
  options: ErasureOptions,
  erasure: ErasureRecord,
): Promise<Work | undefined> {
  const { Contact: contact, Former: former = [] } = erasure;
  if (!contact) return undefined;
  return {
    store,
    contactId: options.contactId,
    files: options.files,
    discardedPrefix: options.discardedPrefix,
    patience: options.patience ?? PATIENCE,
    settleMilliseconds: options.settleMilliseconds ?? SETTLE_MILLISECONDS,
    now: options.now ?? (() => new Date()),
    erasure,
    contact,
    person: personOf(contact, former),
    former,
    redactsMentions: options.redactMentions || erasure.RedactMentions,
    secret: await retryUnavailable(() => writeErasureSecret(store)),
  };
}
