import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { BatchOptions, BatchOutcome, FailedRecord } from '../../shared/batch.ts';
import { asActor } from '../../store/dynamodb/actor.ts';
import { type PatientTable, openTable } from '../../store/dynamodb/table.ts';
import type { Usage } from '../../store/dynamodb/call-requests.ts';
import { errorFields } from '../error-fields.ts';
import { batchMetrics } from '../metrics.ts';

/** Reserved before Lambda ends the batch, to report what was done. */
const RESERVED_MILLISECONDS = 5_000;
const WITHOUT_LAMBDA_MILLISECONDS = 20_000;

type WorkerContext = Pick<Context, 'getRemainingTimeInMillis'> & Partial<Pick<Context, 'awsRequestId'>>;

/** The Lambda handler of a worker that is fed by the table's stream. */
export const worker =
  (
    name: BatchLog['worker'],
    handle: (table: PatientTable, records: readonly DynamoDBRecord[], options: BatchOptions) => Promise<BatchOutcome>,
  ) =>
  async ({ Records }: DynamoDBStreamEvent, context?: WorkerContext): Promise<DynamoDBBatchResponse> => {
    const now = new Date();
    const deadline = deadlineAt(now, context);
    const requestId = context?.awsRequestId ?? null;
    const table = asActor(openTable({ deadline }), { Key: '', Name: name, RequestId: requestId ?? '' });
    const outcome = await handle(table, Records, { now, deadline });
    return batchResult(Records, outcome, { worker: name, now, requestId, usage: table.meter.usage });
  };

/** Until when a worker may continue with a batch, in milliseconds since 1970. */
const deadlineAt = (now: Date, context: WorkerContext | undefined): number =>
  now.getTime() + (context ? context.getRemainingTimeInMillis() - RESERVED_MILLISECONDS : WITHOUT_LAMBDA_MILLISECONDS);

interface BatchLog {
  readonly worker: 'event-queue' | 'background-work';
  readonly now: Date;
  /** Of the worker's invocation. */
  readonly requestId: string | null;
  readonly usage: Usage;
}

/** Logs a batch, and has Lambda continue from the first record that failed, again and again until it expires. */
function batchResult(records: readonly DynamoDBRecord[], outcome: BatchOutcome, log: BatchLog): DynamoDBBatchResponse {
  const [first] = outcome.failures.toSorted((a, b) => a.index - b.index);
  const sequenceNumber = first && (records[first.index]?.dynamodb?.SequenceNumber ?? '');
  logBatch(log, { records: records.length, outcome, first, sequenceNumber });
  return { batchItemFailures: sequenceNumber === undefined ? [] : [{ itemIdentifier: sequenceNumber }] };
}

/**
 * One line for a batch that queued something or failed; it is also its metrics (CloudWatch's embedded metric format).
 * LOG_LEVEL `error` logs failures only, `silent` nothing.
 */
function logBatch(
  { worker, now, requestId, usage }: BatchLog,
  batch: {
    records: number;
    outcome: BatchOutcome;
    first: FailedRecord | undefined;
    sequenceNumber: string | undefined;
  },
): void {
  const { records, outcome, first, sequenceNumber } = batch;
  const { queued, parked, putAside } = outcome;
  const isError = first !== undefined || parked.length > 0;
  const level = process.env['LOG_LEVEL'] ?? 'info';
  if (level === 'silent' || (!isError && (level === 'error' || queued + putAside === 0))) return;
  const failed = first ?? parked[0];
  const failure = failed && { SequenceNumber: sequenceNumber, ...errorFields(failed.error) };
  const line = {
    _aws: batchMetrics(now, { isError: first !== undefined, hasParked: parked.length > 0 }),
    Level: isError ? 'error' : 'info',
    RequestId: requestId,
    Worker: worker,
    Records: records,
    Queued: queued,
    Failures: first ? 1 : 0,
    Parked: parked.length,
    PutAside: putAside,
    Milliseconds: Date.now() - now.getTime(),
    ReadUnits: usage.readUnits,
    WriteUnits: usage.writeUnits,
    ...failure,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
