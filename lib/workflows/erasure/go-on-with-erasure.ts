import type { Files } from '../../files/s3.ts';
import type { MessageProgress, QueueMessage } from '../../shared/queues.ts';
import { SECOND } from '../../shared/time/time.ts';
import { findErasure, findErasureAt, firstPassChange, handOverChanges } from '../../store/contacts/erasures.ts';
import type { ErasureRecord } from '../../entities/erasures.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import { discardedPrefix } from '../parked-records.ts';
import {
  SETTLE_MILLISECONDS,
  type StartOptions,
  finishErasure,
  runRecordSteps,
  startErasure,
  toWork,
} from './erase-contact.ts';
import type { PatientStore } from '../../store/store.ts';

/** How long a message may wait before an alarm fires; after that, a worker is asked once more. */
const LATE_MILLISECONDS = 900 * SECOND;

/** Whether a worker should be asked to continue an erasure: none was asked, or too long ago. */
export const isLeftAlone = ({ Contact, StartedAt, HandedOverAt = StartedAt }: ErasureRecord, now: Date): boolean =>
  Contact !== undefined && HandedOverAt < now.getTime() - LATE_MILLISECONDS;

/**
 * Begins the erasure of a person and has the worker do it: from one transaction on, the contact is hidden from every
 * call, and the worker has the message. Safe to repeat: an erasure under way is handed over again if more is requested,
 * or if the worker seems to have lost it.
 */
export async function requestErasure(store: PatientStore, options: StartOptions): Promise<ErasureRecord> {
  const { removeSigned = false, redactMentions = false, now = () => new Date() } = options;
  const before = await findErasure(store, options.contactId);
  const erasure = await startErasure(store, options, { handsOver: true });
  if (!before || !erasure.Contact) return erasure;
  const asksMore = (removeSigned && !before.RemoveSigned) || (redactMentions && !before.RedactMentions);
  if (asksMore || before.HandedOverAt === undefined || isLeftAlone(before, now()))
    await retryUnavailable(() => store.table.commit(handOverChanges(store, erasure, { redactMentions, now: now() })));
  return erasure;
}

/** How soon another run follows one that could not be completed. */
const AGAIN_SECONDS = 60;

interface RunOptions {
  readonly deadline: number;
  readonly files: Files;
  readonly settleMilliseconds?: number;
}

/**
 * Does the rest of an erasure: the first pass, and the second one once the calls that were under way at its end have
 * ended. Each pass is done as a whole: if a run dies, its message repeats it. Writes at once. Safe to repeat.
 */
export async function goOnWithErasure(
  store: PatientStore,
  key: QueueMessage,
  { deadline, files, settleMilliseconds = SETTLE_MILLISECONDS }: RunOptions,
): Promise<MessageProgress> {
  const erasure = await findErasureAt(store, key);
  if (!erasure) return { kind: 'done' };
  const now = () => new Date();
  const patience = Math.max(0, (deadline - Date.now()) / 2);
  const own = { contactId: erasure.Id, files, discardedPrefix, now, patience, settleMilliseconds };
  const work = await toWork(store, own, erasure);
  if (!work) return { kind: 'done' };
  if (erasure.FirstPassAt === undefined) {
    await runRecordSteps(work);
    await retryUnavailable(() => store.table.commit([firstPassChange(store, erasure, now())]));
    return { kind: 'waits', seconds: Math.ceil(settleMilliseconds / SECOND) };
  }
  const left = erasure.FirstPassAt + settleMilliseconds - Date.now();
  if (left > 0) return { kind: 'waits', seconds: Math.ceil(left / SECOND) };
  const { unfinished } = await finishErasure({ erasure, work });
  return unfinished.length ? { kind: 'waits', seconds: AGAIN_SECONDS } : { kind: 'done' };
}
