import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { convertRecords } from '../../shared/batch.ts';
import { InternalError } from '../../shared/failure.ts';
import type {
  ChangeVisibility,
  QueueMessage,
  QueueName,
  QueueOptions,
  QueueOutcome,
  ReceivedMessage,
  WaitingMessage,
} from '../../shared/queues.ts';
import { asActor } from '../../store/dynamodb/actor.ts';
import { type PatientTable, openTable } from '../../store/dynamodb/table.ts';
import { errorFields } from '../error-fields.ts';
import { batchMetrics } from '../metrics.ts';

/** Reserved before Lambda ends the run, to report what was done. */
const RESERVED_MILLISECONDS = 3_000;
const WITHOUT_LAMBDA_MILLISECONDS = 25_000;

type WorkerContext = Pick<Context, 'getRemainingTimeInMillis'> & Partial<Pick<Context, 'awsRequestId'>>;

interface QueueWorkerOptions {
  readonly changeVisibility?: ChangeVisibility;
}

/**
 * The Lambda handler of a worker that is fed by a queue. SQS delivers messages that wait or fail again, and those of a
 * run that died; `changeVisibility` says when, for workers that do not leave it to the queue.
 */
export const queueWorker =
  (
    name: QueueName,
    handle: (table: PatientTable, messages: readonly ReceivedMessage[], options: QueueOptions) => Promise<QueueOutcome>,
    { changeVisibility }: QueueWorkerOptions = {},
  ) =>
  async ({ Records }: SQSEvent, context?: WorkerContext): Promise<SQSBatchResponse> => {
    const now = new Date();
    const remaining = context
      ? context.getRemainingTimeInMillis() - RESERVED_MILLISECONDS
      : WITHOUT_LAMBDA_MILLISECONDS;
    const deadline = now.getTime() + remaining;
    const requestId = context?.awsRequestId ?? null;
    const table = asActor(openTable({ deadline }), { Key: '', Name: name, RequestId: requestId ?? '' });
    const { converted, poison } = convertRecords(Records, toMessage);
    const recordOf = ({ index }: { index: number }) => Records[converted[index]?.index ?? 0];
    const hide = async (messages: readonly WaitingMessage[]): Promise<void> => {
      const hidden = messages.map((each) => ({
        receiptHandle: recordOf(each)?.receiptHandle ?? '',
        seconds: each.seconds,
      }));
      if (hidden.length) await changeVisibility?.(name, hidden);
    };
    const {
      done,
      failures,
      waiting = [],
      dead,
    } = await handle(
      table,
      converted.map(({ message }) => message),
      { now, deadline, hide: (index, seconds) => hide([{ index, seconds }]) },
    );
    await hide([
      ...waiting,
      ...failures.flatMap(({ index, seconds }) => (seconds === undefined ? [] : [{ index, seconds }])),
    ]);
    const failed = [...failures.map(({ index, error }) => ({ index: converted[index]?.index ?? 0, error })), ...poison];
    logBatch({ worker: name, now, requestId }, Records.length, { done, failures: failed, dead: dead ?? 0 }, table);
    const again = [...failed.map(({ index }) => Records[index]), ...waiting.map(recordOf)];
    return { batchItemFailures: again.map((record) => ({ itemIdentifier: record?.messageId ?? '' })) };
  };

function toMessage({ body, attributes }: SQSRecord, index: number): { index: number; message: ReceivedMessage } {
  const { PK, SK } = JSON.parse(body) as Partial<QueueMessage>;
  if (!PK || !SK) throw new InternalError('a message without the key of an item');
  return { index, message: { PK, SK, receives: Number(attributes.ApproximateReceiveCount) } };
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
