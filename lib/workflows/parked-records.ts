import { type StreamRecord, changeAccount } from '../events/change.ts';
import type { Files } from '../files/s3.ts';
import { SECOND } from '../shared/time/time.ts';

export type ParkingWorker = 'event-queue' | 'background-work';

/** Where a worker keeps stream records that it can never handle, for `fs events redrive`. */
export const parkedPrefix = (worker: ParkingWorker, account = ''): string =>
  `parked/${worker}/${account ? `${account}/` : ''}`;

/**
 * Where Lambda writes whole batches that it discards, in the bucket. The prefix is Lambda's own and cannot be chosen.
 */
export const discardedPrefix = 'aws/lambda/';

/** Where records that an operator has given up are kept. */
export const givenUpPrefix = (account = ''): string => `discarded/${account ? `${account}/` : ''}`;

/** The content of a parked file: the record as it was delivered, with both images. */
export interface ParkedRecord {
  readonly Worker: ParkingWorker;
  readonly ParkedAt: string;
  readonly Error: string;
  readonly Record: StreamRecord;
}

const parkingWorkers: readonly ParkingWorker[] = ['event-queue', 'background-work'];

/** Removes an account's parked records and those given up; returns the number of files. Safe to repeat. */
export async function removeParkedRecords(files: Files, account: string): Promise<number> {
  const prefixes = [...parkingWorkers.map((worker) => parkedPrefix(worker, account)), givenUpPrefix(account)];
  const found = await Promise.all(prefixes.map((prefix) => files.list(prefix)));
  for (const key of found.flat()) await files.remove(key);
  return found.flat().length;
}

/** The account of a record, even of a malformed one. */
export function parkedAccount(record: StreamRecord): string {
  try {
    return changeAccount(record);
  } catch {
    return 'unknown';
  }
}

/** The same key at every delivery, so that a record that is parked again replaces itself. */
function parkedKey(worker: ParkingWorker, record: StreamRecord): string {
  const { ApproximateCreationDateTime = 0, SequenceNumber = '' } = record.dynamodb ?? {};
  const time = new Date(ApproximateCreationDateTime * SECOND).toISOString().replaceAll(':', '-');
  return `${parkedPrefix(worker, parkedAccount(record))}${time}-${SequenceNumber}.json`;
}

/** Keeps a record whole in the bucket. Writes at once: the same record always has the same file. */
export async function parkRecord(
  worker: ParkingWorker,
  record: StreamRecord,
  error: unknown,
  now: Date,
): Promise<void> {
  // A batch without a failing record does not load the S3 client.
  const { openFiles } = await import('../files/s3.ts');
  const parked: ParkedRecord = {
    Worker: worker,
    ParkedAt: now.toISOString(),
    Error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    Record: record,
  };
  await openFiles().put(parkedKey(worker, record), JSON.stringify(parked));
}
