import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
  SQSRecord,
} from 'aws-lambda';
import { type BatchOptions, type BatchOutcome, convertRecords } from '../shared/batch.ts';
import { InternalError } from '../shared/failure.ts';
import type {
  ChangeVisibility,
  QueueMessage,
  QueueName,
  QueueOptions,
  QueueOutcome,
  ReceivedMessage,
  WaitingMessage,
} from '../shared/queues.ts';
import { type PatientTable, asActor, openTable } from '../store/dynamodb/table.ts';
import { batchMetrics, errorFields, writeLogLine } from './log-lines.ts';

/** The Lambda handlers of workers. Each run writes one log line, which also carries its metrics. */

type WorkerContext = Pick<Context, 'getRemainingTimeInMillis'> & Partial<Pick<Context, 'awsRequestId'>>;

/** Milliseconds of a run. */
interface RunTime {
  /** Reserved before Lambda ends the run, to report what was done. */
  readonly reserved: number;
  /** The limit when Lambda does not run it. */
  readonly withoutLambda: number;
}

interface Run extends BatchOptions {
  readonly worker: string;
  /** The id of the invocation. */
  readonly requestId: string | null;
}

function beginRun(worker: string, context: WorkerContext | undefined, { reserved, withoutLambda }: RunTime): Run {
  const now = new Date();
  const remaining = context ? context.getRemainingTimeInMillis() - reserved : withoutLambda;
  return { worker, now, deadline: now.getTime() + remaining, requestId: context?.awsRequestId ?? null };
}

/** The table for a run; with a deadline its requests are retried until then. */
const tableOf = ({ worker, requestId }: Run, deadline?: number): PatientTable =>
  asActor(openTable(deadline === undefined ? {} : { deadline }), { Key: '', Name: worker, RequestId: requestId ?? '' });

interface RunReport {
  readonly isError: boolean;
  /**
   * Absent for a run without work, and for a successful run of a queue or schedule, which no alarm or graph uses: a
   * metric costs money in each hour in which it is sent.
   */
  readonly metrics?: Parameters<typeof batchMetrics>[1] | undefined;
  readonly counts: Readonly<Record<string, number | boolean>>;
  /** Describes the first failure. */
  readonly failure?: object | undefined;
}

function logRun(
  { worker, now, requestId }: Run,
  { meter }: PatientTable,
  { isError, metrics, counts, failure }: RunReport,
): void {
  writeLogLine({
    ...(metrics ? { _aws: batchMetrics(now, metrics) } : {}),
    Level: isError ? 'error' : 'info',
    RequestId: requestId,
    Worker: worker,
    ...counts,
    Milliseconds: Date.now() - now.getTime(),
    ReadUnits: meter.usage.readUnits,
    WriteUnits: meter.usage.writeUnits,
    ...failure,
  });
}

export type HandleRecords = (
  table: PatientTable,
  records: readonly DynamoDBRecord[],
  options: BatchOptions,
) => Promise<BatchOutcome>;

/** Lambda continues from the first failed record until it expires. */
export const streamHandler =
  (name: string, handle: HandleRecords) =>
  async ({ Records }: DynamoDBStreamEvent, context?: WorkerContext): Promise<DynamoDBBatchResponse> => {
    const run = beginRun(name, context, { reserved: 5_000, withoutLambda: 20_000 });
    const { now, deadline } = run;
    const table = tableOf(run, deadline);
    const { queued, parked, putAside, failures } = await handle(table, Records, { now, deadline });
    const [first] = failures.toSorted((a, b) => a.index - b.index);
    const sequenceNumber = first && (Records[first.index]?.dynamodb?.SequenceNumber ?? '');
    const failed = first ?? parked[0];
    if (queued || putAside || failed)
      logRun(run, table, {
        isError: failed !== undefined,
        metrics: { isError: first !== undefined, hasParked: parked.length > 0 },
        counts: {
          Records: Records.length,
          Queued: queued,
          Failures: first ? 1 : 0,
          Parked: parked.length,
          PutAside: putAside,
        },
        failure: failed && { SequenceNumber: sequenceNumber, ...errorFields(failed.error) },
      });
    return { batchItemFailures: sequenceNumber === undefined ? [] : [{ itemIdentifier: sequenceNumber }] };
  };

export type HandleMessages = (
  table: PatientTable,
  messages: readonly ReceivedMessage[],
  options: QueueOptions,
) => Promise<QueueOutcome>;

/** Handles what services of AWS report, each the JSON of a message. */
export type HandleReports = (
  table: PatientTable,
  reports: readonly unknown[],
  options: BatchOptions,
) => Promise<QueueOutcome>;

/** SQS redelivers messages that wait or fail, and those of a run that died; `changeVisibility` sets the time. */
export const queueHandler = (name: QueueName, handle: HandleMessages, changeVisibility?: ChangeVisibility) =>
  bodyHandler(name, { read: toMessage, handle, changeVisibility });

export const reportHandler = (name: QueueName, handle: HandleReports) =>
  bodyHandler<unknown>(name, { read: ({ body }) => JSON.parse(body) as unknown, handle });

interface BodyHandler<Message> {
  /** Throws for a message that no run can handle. */
  readonly read: (record: SQSRecord) => Message;
  readonly handle: (table: PatientTable, messages: readonly Message[], options: QueueOptions) => Promise<QueueOutcome>;
  readonly changeVisibility?: ChangeVisibility | undefined;
}

const bodyHandler =
  <Message>(name: QueueName, { read, handle, changeVisibility }: BodyHandler<Message>) =>
  async ({ Records }: SQSEvent, context?: WorkerContext): Promise<SQSBatchResponse> => {
    const run = beginRun(name, context, { reserved: 3_000, withoutLambda: 25_000 });
    const { now, deadline } = run;
    const table = tableOf(run, deadline);
    const { converted, poison } = convertRecords(Records, (record, index) => ({ index, message: read(record) }));
    const recordOf = ({ index }: { index: number }) => Records[converted[index]?.index ?? 0];
    const hide = async (messages: readonly WaitingMessage[]): Promise<void> => {
      const hidden = messages.flatMap(({ index, seconds }) =>
        seconds === undefined ? [] : [{ receiptHandle: recordOf({ index })?.receiptHandle ?? '', seconds }],
      );
      if (hidden.length) await changeVisibility?.(name, hidden);
    };
    const messages = converted.map(({ message }) => message);
    const outcome = await handle(table, messages, {
      now,
      deadline,
      hide: (index, seconds) => hide([{ index, seconds }]),
    });
    const { done, failures, waiting = [], dead = 0 } = outcome;
    await hide([...waiting, ...failures]);
    const failed = [...failures.map(({ index, error }) => ({ index: converted[index]?.index ?? 0, error })), ...poison];
    const isError = failed.length > 0;
    logRun(run, table, {
      isError,
      metrics: isError || dead ? { isError, hasDead: dead > 0 } : undefined,
      counts: { Messages: Records.length, Queued: done, Failures: failed.length, ...(dead ? { Dead: dead } : {}) },
      failure: isError ? errorFields(failed[0]?.error) : undefined,
    });
    const again = [...failed.map(({ index }) => Records[index]), ...waiting.map(recordOf)];
    return { batchItemFailures: again.map((record) => ({ itemIdentifier: record?.messageId ?? '' })) };
  };

function toMessage({ body, attributes }: SQSRecord): ReceivedMessage {
  const { PK, SK } = JSON.parse(body) as Partial<QueueMessage>;
  if (!PK || !SK) throw new InternalError('a message without the key of an item');
  return { PK, SK, receives: Number(attributes.ApproximateReceiveCount) };
}

interface ScheduledOutcome {
  /** How many items were processed. */
  readonly done: number;
  readonly failures: readonly unknown[];
  /** Records that can never be handled as they are, and that are kept in full. */
  readonly parked?: number;
  /** Whether work is left for a later run. */
  readonly isUnfinished: boolean;
}

export type HandleRun = (table: PatientTable, options: BatchOptions) => Promise<ScheduledOutcome>;

/**
 * An event with `FirstCall` only checks whether the version starts and does nothing (functions/workers/first-call.ts).
 * It throws if something failed or is left: Lambda then repeats the run after a minute, and an alarm counts it.
 */
export const scheduledHandler =
  (name: string, handle: HandleRun) =>
  async (event?: object, context?: WorkerContext): Promise<void> => {
    if (event && 'FirstCall' in event) return;
    const run = beginRun(name, context, { reserved: 5_000, withoutLambda: 60_000 });
    const { now, deadline } = run;
    const table = tableOf(run);
    const { done, failures, parked = 0, isUnfinished } = await handle(table, { now, deadline });
    const isError = failures.length > 0 || parked > 0 || isUnfinished;
    logRun(run, table, {
      isError,
      metrics: isError ? { isError, hasParked: parked > 0 } : undefined,
      counts: { Queued: done, Failures: failures.length, Parked: parked, Unfinished: isUnfinished },
      failure: failures.length ? errorFields(failures[0]) : undefined,
    });
    if (failures.length || isUnfinished)
      throw new InternalError(`${name}: ${failures.length} failures${isUnfinished ? ', and work is left' : ''}.`);
  };
