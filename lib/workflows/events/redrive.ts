import { type StreamRecord, changeAccount } from '../../events/change.ts';
import type { Files } from '../../files/s3.ts';
import type { BatchOptions, BatchOutcome } from '../../shared/batch.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import { attributes } from '../../store/keys.ts';
import {
  type ParkedRecord,
  type ParkingWorker,
  givenUpPrefix,
  parkedAccount,
  parkedPrefix,
} from '../parked-records.ts';
import { runRecordTasks } from '../queues/background-work.ts';
import { queueEvents } from './queue-events.ts';

const workers = { 'event-queue': queueEvents, 'background-work': runRecordTasks };
const workerNames = Object.keys(workers) as ParkingWorker[];

/** A file of unhandled records. */
export interface KeptFile {
  readonly key: string;
  /** Only those of the account, if one is given. */
  readonly records: readonly StreamRecord[];
  /** Whether the file also has records of other accounts. */
  readonly isPartial: boolean;
  /** The workers that handle them: the one that parked the record; any, for batches that Lambda discarded. */
  readonly workers: readonly ParkingWorker[];
  /** Why it was parked; `null` for a batch that expired. */
  readonly error: string | null;
}

const timeOf = ({ records }: KeptFile): number => records[0]?.dynamodb?.ApproximateCreationDateTime ?? 0;

/** The account of a record; `undefined` if it has none. */
function accountOf(record: StreamRecord): string | undefined {
  try {
    return changeAccount(record);
  } catch {
    return undefined;
  }
}

/** Lambda's report of a discarded batch: the event for the function, as text. */
interface DiscardedBatch {
  readonly payload?: string;
}

function discardedRecords({ payload = '{}' }: DiscardedBatch): readonly StreamRecord[] {
  const { Records = [] } = JSON.parse(payload) as { Records?: readonly StreamRecord[] };
  return Records;
}

/** Parses a file, written by parkRecord, or by Lambda for a discarded batch. */
function toKeptFile(key: string, text: string, account: string | undefined): KeptFile {
  const content = JSON.parse(text) as ParkedRecord | DiscardedBatch;
  const isParked = 'Record' in content;
  const all = isParked ? [content.Record] : discardedRecords(content);
  const records = account === undefined ? all : all.filter((record) => accountOf(record) === account);
  return {
    key,
    records,
    isPartial: records.length < all.length,
    workers: isParked ? [content.Worker] : workerNames,
    error: isParked ? content.Error : null,
  };
}

/** The files of parked records and of batches that Lambda discarded, ordered by their first change. */
export async function listKeptFiles(
  files: Files,
  discardedPrefix: string,
  account: string | undefined,
): Promise<KeptFile[]> {
  const prefixes = [...workerNames.map((worker) => parkedPrefix(worker, account)), discardedPrefix];
  const keys = (await Promise.all(prefixes.map((prefix) => files.list(prefix)))).flat();
  const kept: KeptFile[] = [];
  for (const key of keys) {
    const file = toKeptFile(key, await files.get(key), account);
    if (file.records.length) kept.push(file);
  }
  return kept.sort((a, b) => timeOf(a) - timeOf(b));
}

export interface RedriveResult {
  readonly queued: number;
  /** Why the records are still unhandled. */
  readonly errors: readonly unknown[];
}

/**
 * Hands the records of a file to their workers, and removes the file when all are handled. Safe to repeat: a change
 * becomes one event, and a visit one appointment, however often they are delivered.
 */
export async function redriveFile(
  table: PatientTable,
  files: Files,
  file: KeptFile,
  options: BatchOptions,
): Promise<RedriveResult> {
  const outcomes: BatchOutcome[] = [];
  for (const worker of file.workers) outcomes.push(await workers[worker](table, file.records, options));
  const queued = outcomes.reduce((sum, outcome) => sum + outcome.queued, 0);
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  const parked = outcomes.flatMap((outcome) => outcome.parked);
  // A parked record of a discarded batch now has its own file.
  const unhandled = file.error === null ? failures : [...failures, ...parked];
  if (!unhandled.length && !file.isPartial) await files.remove(file.key);
  return { queued, errors: [...failures, ...parked].map(({ error }) => error) };
}

/** A file that an operator has given up. */
interface GivenUpFile {
  readonly DiscardedAt: string;
  readonly Reason: string;
  /** The file that held the records. */
  readonly File: string;
  /** Why they were parked; `null` for a batch that expired. */
  readonly Error: string | null;
  /** Records of one account. */
  readonly Records: readonly StreamRecord[];
}

/**
 * Gives up the records of a file, so that no redrive finds them. They stay in the bucket with the reason, in one file
 * per account, which is removed with the account. Safe to repeat, also after a kill: the same file has the same name.
 */
export async function discardFile(
  files: Files,
  file: KeptFile,
  { reason, now }: { readonly reason: string; readonly now: Date },
): Promise<void> {
  for (const [account, Records] of Map.groupBy(file.records, parkedAccount)) {
    const name = file.key.replaceAll('/', '-');
    const content: GivenUpFile = {
      DiscardedAt: now.toISOString(),
      Reason: reason,
      File: file.key,
      Error: file.error,
      Records,
    };
    await files.put(`${givenUpPrefix(account)}${name}`, JSON.stringify(content));
  }
  if (!file.isPartial) return files.remove(file.key);
  const given = new Set(file.records.map((record) => JSON.stringify(record)));
  const batch = JSON.parse(await files.get(file.key)) as DiscardedBatch;
  const others = discardedRecords(batch).filter((record) => !given.has(JSON.stringify(record)));
  await files.put(file.key, withRecords(batch, others));
}

const withRecords = (batch: DiscardedBatch, Records: readonly StreamRecord[]): string =>
  JSON.stringify({ ...batch, payload: JSON.stringify({ Records }) });

/** Whether a record belongs to a contact or names it. */
function isOfContact({ dynamodb }: StreamRecord, contactId: number): boolean {
  const images = [dynamodb?.NewImage, dynamodb?.OldImage].filter((image) => image !== undefined);
  return images.some(
    ({ [attributes.entity]: entity, Id, ContactId }) =>
      ContactId?.N === String(contactId) || (entity?.S === 'Contact' && Id?.N === String(contactId)),
  );
}

/**
 * Removes what is kept of a contact: whole parked records, and its records from batches that Lambda discarded and from
 * what an operator has given up. Their events are not queued later. Returns the number of records. Safe to repeat.
 */
export async function removePersonFromKeptFiles(
  files: Files,
  { account, contactId, discardedPrefix }: { account: string; contactId: number; discardedPrefix: string },
): Promise<number> {
  let removed = 0;
  for (const { key, records, error } of await listKeptFiles(files, discardedPrefix, account)) {
    const own = records.filter((record) => isOfContact(record, contactId));
    if (!own.length) continue;
    removed += own.length;
    const batch = error === null ? (JSON.parse(await files.get(key)) as DiscardedBatch) : undefined;
    await files.removeVersions(key);
    const others = batch
      ? discardedRecords(batch).filter((record) => accountOf(record) !== account || !isOfContact(record, contactId))
      : [];
    // A kill in between loses the other records of a discarded batch; `events rebuild` queues their events.
    if (batch && others.length) await files.put(key, withRecords(batch, others));
  }
  for (const key of await files.list(givenUpPrefix(account))) {
    const content = JSON.parse(await files.get(key)) as GivenUpFile;
    const Records = content.Records.filter((record) => !isOfContact(record, contactId));
    if (Records.length === content.Records.length) continue;
    removed += content.Records.length - Records.length;
    await files.removeVersions(key);
    if (Records.length) await files.put(key, JSON.stringify({ ...content, Records }));
  }
  return removed;
}
