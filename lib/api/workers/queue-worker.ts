import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type BatchOptions, convertRecords } from '../../shared/batch.ts';
import { InternalError } from '../../shared/failure.ts';
import type { QueueMessage, QueueName, QueueOutcome } from '../../shared/queues.ts';
import { asActor } from '../../store/dynamodb/actor.ts';
import { type PatientTable, type TableOptions, openTable } from '../../store/dynamodb/table.ts';
import { errorFields } from '../error-fields.ts';
import { batchMetrics } from '../metrics.ts';

/** Reserved before Lambda ends the run, to report what was done. */
const RESERVED_MILLISECONDS = 3_000;
const WITHOUT_LAMBDA_MILLISECONDS = 25_000;

type WorkerContext = Pick<Context, 'getRemainingTimeInMillis'> & Partial<Pick<Context, 'awsRequestId'>>;

/**
 * The Lambda handler of a worker that is fed by a queue: SQS delivers the messages that fail again, and those of a run
 * that died.
 */
export const queueWorker =
  (
    name: QueueName,
    handle: (table: PatientTable, messages: readonly QueueMessage[], options: BatchOptions) => Promise<QueueOutcome>,
    tableOptions: Pick<TableOptions, 'bulkRead'> = {},
  ) =>
  async ({ Records }: SQSEvent, context?: WorkerContext): Promise<SQSBatchResponse> => {
    const now = new Date();
    const remaining = context
      ? context.getRemainingTimeInMillis() - RESERVED_MILLISECONDS
      : WITHOUT_LAMBDA_MILLISECONDS;
    const deadline = now.getTime() + remaining;
    const requestId = context?.awsRequestId ?? null;
    const table = asActor(openTable({ ...tableOptions, deadline }), {
      Key: '',
      Name: name,
      RequestId: requestId ?? '',
    });
    const { converted, poison } = convertRecords(Records, toMessage);
    const { done, failures, dead } = await handle(
      table,
      converted.map(({ message }) => message),
      { now, deadline },
    );
    const failed = [...failures.map(({ index, error }) => ({ index: converted[index]?.index ?? 0, error })), ...poison];
    logBatch({ worker: name, now, requestId }, Records.length, { done, failures: failed, dead: dead ?? 0 }, table);
    return { batchItemFailures: failed.map(({ index }) => ({ itemIdentifier: Records[index]?.messageId ?? '' })) };
  };

function toMessage({ body }: Pick<SQSRecord, 'body'>, index: number): { index: number; message: QueueMessage } {
  const { PK, SK } = JSON.parse(body) as Partial<QueueMessage>;
  if (!PK || !SK) throw new InternalError('a message without the key of an item');
  return { index, message: { PK, SK } };
}

/** One line a batch, which is also its metrics. LOG_LEVEL `error` logs failures only, `silent` nothing. */
function logBatch(
  { worker, now, requestId }: { worker: QueueName; now: Date; requestId: string | null },
  messages: number,
  { done, failures, dead = 0 }: QueueOutcome,
  { meter }: PatientTable,
): void {
  const level = process.env['LOG_LEVEL'] ?? 'info';
  const isError = failures.length > 0;
  if (level === 'silent' || (level === 'error' && !isError)) return;
  const line = {
    _aws: batchMetrics(now, { isError, hasDead: dead > 0 }),
    Level: isError ? 'error' : 'info',
    RequestId: requestId,
    Worker: worker,
    Messages: messages,
    Queued: done,
    Failures: failures.length,
    ...(dead ? { Dead: dead } : {}),
    Milliseconds: Date.now() - now.getTime(),
    ReadUnits: meter.usage.readUnits,
    WriteUnits: meter.usage.writeUnits,
    ...(failures.length ? errorFields(failures[0]?.error) : {}),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
