import type { Context, DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import type { Usage } from '../store/dynamodb/meter.ts';
import { stackFrames } from './log.ts';

/** Time kept back before Lambda ends the batch, so that what was done is reported and not done again. */
const KEPT_BACK_MILLISECONDS = 5_000;
const WITHOUT_LAMBDA_MILLISECONDS = 20_000;

/** What Lambda tells of the time that is left. */
export type WorkerContext = Pick<Context, 'getRemainingTimeInMillis'>;

/** Until when a worker may go on with a batch, in milliseconds since 1970. */
export const workerDeadline = (now: Date, context: WorkerContext | undefined): number =>
  now.getTime() + (context ? context.getRemainingTimeInMillis() - KEPT_BACK_MILLISECONDS : WITHOUT_LAMBDA_MILLISECONDS);

/** A record, by its place in the batch, that could not be handled. */
export interface FailedRecord {
  readonly index: number;
  readonly error: unknown;
}

/**
 * Ends a batch: writes its line, and tells Lambda to go on from the first record that failed. When that is the first of
 * several it is an error instead, upon which Lambda halves the batch: a record that never can be handled ends up alone,
 * and no other is given up with it.
 */
export function batchResult(
  records: readonly DynamoDBRecord[],
  failures: readonly (FailedRecord | undefined)[],
  { worker, now, queued, usage }: { worker: WorkerName; now: Date; queued: number; usage: Usage },
): DynamoDBBatchResponse {
  const [first] = failures.filter((failure) => failure !== undefined).sort((a, b) => a.index - b.index);
  const sequenceNumber = first && (records[first.index]?.dynamodb?.SequenceNumber ?? '');
  logBatch({
    worker,
    now,
    records: records.length,
    queued,
    usage,
    failed: first && { sequenceNumber, error: first.error },
  });
  if (sequenceNumber === undefined) return { batchItemFailures: [] };
  if (first?.index === 0 && records.length > 1)
    throw new Error('The first record of the batch cannot be handled; see the line above.');
  return { batchItemFailures: [{ itemIdentifier: sequenceNumber }] };
}

export type WorkerName = 'event-queue' | 'proposal-work';

/** What a worker has done with a batch. */
export interface Batch {
  readonly worker: WorkerName;
  readonly now: Date;
  readonly records: number;
  readonly queued: number;
  readonly usage: Usage;
  readonly failed: { readonly sequenceNumber: string | undefined; readonly error: unknown } | undefined;
}

const metrics = [
  { Name: 'Records', Unit: 'Count' },
  { Name: 'Queued', Unit: 'Count' },
  { Name: 'Failures', Unit: 'Count' },
  { Name: 'Milliseconds', Unit: 'Milliseconds' },
  { Name: 'WriteUnits', Unit: 'Count' },
];

/**
 * One line a batch of which something came, which is also its metrics (CloudWatch's embedded metric format). LOG_LEVEL
 * `error` writes failures only, `silent` nothing.
 */
export function logBatch({ worker, now, records, queued, usage, failed }: Batch): void {
  const level = process.env['LOG_LEVEL'] ?? 'info';
  if (level === 'silent' || (!failed && (level === 'error' || queued === 0))) return;
  const line = {
    _aws: {
      Timestamp: now.getTime(),
      CloudWatchMetrics: [{ Namespace: 'FieldService', Dimensions: [['Worker']], Metrics: metrics }],
    },
    Level: failed ? 'error' : 'info',
    Worker: worker,
    Records: records,
    Queued: queued,
    Failures: failed ? 1 : 0,
    Milliseconds: Date.now() - now.getTime(),
    ReadUnits: usage.readUnits,
    WriteUnits: usage.writeUnits,
    ...(failed
      ? {
          SequenceNumber: failed.sequenceNumber,
          ...(failed.error instanceof Error ? { Error: failed.error.name, At: stackFrames(failed.error) } : {}),
        }
      : {}),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
