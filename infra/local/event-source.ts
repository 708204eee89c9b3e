import type { EventPattern, PatternRule } from '../../lib/api/workers.ts';
import { randomUUID } from 'node:crypto';
import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import { functionArn } from './lambda.ts';
import { createdAt, sequenceOf } from './shards.ts';

/** The settings of an event source mapping, as in infra/table.ts. */
export interface Rules {
  readonly batchSize: number;
  readonly maximumBatchingWindowSeconds: number;
  readonly bisectBatchOnError: boolean;
  /** -1 means no limit: until a record expires. */
  readonly retryAttempts: number;
  readonly maximumRecordAgeHours: number;
  /** A record must match one of them. */
  readonly filters: readonly EventPattern[];
}

export interface Delivery {
  readonly rules: Rules;
  /** Calls the function; `undefined` if it failed as a whole. */
  readonly invoke: (
    records: readonly DynamoDBRecord[],
  ) => Promise<{ readonly answer: DynamoDBBatchResponse | null | undefined } | undefined>;
  /** Everything up to this record is handled or discarded. */
  readonly advance: (record: DynamoDBRecord) => void | Promise<void>;
  readonly discard: (batch: DiscardedBatch) => void | Promise<void>;
  /** Waits before another attempt, longer each time. */
  readonly backOff: (attempts: number) => Promise<void>;
  readonly ageHours: (record: DynamoDBRecord) => number;
  readonly isStopped: () => boolean;
}

interface Batch {
  readonly records: readonly DynamoDBRecord[];
  /** How often exactly this batch has failed. */
  readonly attempts: number;
}

/**
 * The index of the first record to deliver again; the length of the batch if it succeeded. A response that names no
 * record of the batch fails all of it.
 */
export function firstFailure(
  records: readonly DynamoDBRecord[],
  answer: DynamoDBBatchResponse | null | undefined,
): number {
  const failures = answer?.batchItemFailures ?? [];
  if (failures.length === 0) return records.length;
  const indexes = failures.map(({ itemIdentifier }) =>
    records.findIndex((record) => sequenceOf(record) === itemIdentifier),
  );
  return Math.max(0, Math.min(...indexes));
}

/**
 * Delivers the records of a shard to the function, in order, as Lambda does for an event source with
 * ReportBatchItemFailures:
 * - up to the first record that the function reports it succeeds, and the rest is a new batch;
 * - a failure of the whole batch (an exception, a timeout) halves it, until the failing record is alone;
 * - a batch that cannot be halved, or whose first record is reported, is repeated `retryAttempts` times, or until its
 *   records expire, and then discarded as a whole.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export async function deliver(records: readonly DynamoDBRecord[], delivery: Delivery): Promise<void> {
  const { rules, invoke, advance, discard, backOff, ageHours, isStopped } = delivery;
  const waiting: Batch[] = [{ records, attempts: 0 }];

  async function discardBatch(batch: DiscardedBatch): Promise<void> {
    await discard(batch);
    const last = batch.records.at(-1);
    if (last) await advance(last);
  }

  for (let batch = waiting.shift(); batch && !isStopped(); batch = waiting.shift()) {
    const fresh = batch.records.findIndex((record) => ageHours(record) <= rules.maximumRecordAgeHours);
    const expired = fresh < 0 ? batch.records : batch.records.slice(0, fresh);
    if (expired.length) {
      await discardBatch({ records: expired, condition: 'RecordAgeExceeded', attempts: batch.attempts });
      if (fresh > 0) waiting.unshift({ ...batch, records: batch.records.slice(fresh) });
      continue;
    }
    const result = await invoke(batch.records);
    const end = result ? firstFailure(batch.records, result.answer) : 0;
    const handled = batch.records[end - 1];
    if (handled) {
      await advance(handled);
      if (end < batch.records.length) waiting.unshift({ records: batch.records.slice(end), attempts: 0 });
    } else if (!result && rules.bisectBatchOnError && batch.records.length > 1) {
      const middle = Math.ceil(batch.records.length / 2);
      waiting.unshift(
        { records: batch.records.slice(0, middle), attempts: 0 },
        { records: batch.records.slice(middle), attempts: 0 },
      );
    } else if (rules.retryAttempts < 0 || batch.attempts < rules.retryAttempts) {
      await backOff(batch.attempts);
      waiting.unshift({ ...batch, attempts: batch.attempts + 1 });
    } else {
      await discardBatch({ records: batch.records, condition: 'RetryAttemptsExhausted', attempts: batch.attempts + 1 });
    }
  }
}

function meets(rule: PatternRule, value: unknown): boolean {
  if (typeof rule === 'string') return value === rule;
  if ('exists' in rule) return rule.exists === (value !== undefined);
  return value !== undefined && !rule['anything-but'].includes(String(value));
}

/**
 * Whether an event matches a pattern: every leaf by one of its rules.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function matches(pattern: EventPattern, event: unknown): boolean {
  return Object.entries(pattern).every(([name, part]) => {
    const value = (event as Readonly<Record<string, unknown>> | null | undefined)?.[name];
    return isRules(part) ? part.some((rule) => meets(rule, value)) : matches(part, value);
  });
}

const isRules = (part: EventPattern | readonly PatternRule[]): part is readonly PatternRule[] => Array.isArray(part);

export interface DiscardedBatch {
  readonly records: readonly DynamoDBRecord[];
  /** Why Lambda discards the batch. */
  readonly condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  readonly attempts: number;
}

const moment = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', 'Z');

/** The name of the file that Lambda writes for a discarded batch, below `aws/lambda/`. */
export function discardedFileName({
  functionName,
  shardId,
  now,
}: {
  functionName: string;
  shardId: string;
  now: Date;
}): string {
  const [day = '', time = ''] = now.toISOString().split('T');
  const moment = `${day}T${time.slice(0, 8).replaceAll(':', '.')}`;
  return `${functionName}/${shardId}/${day.replaceAll('-', '/')}/${moment}-${randomUUID()}`;
}

/** Lambda's file for a discarded batch: the records, and their position in the stream. */
export function discardedFile(
  { records, condition, attempts }: DiscardedBatch,
  { streamArn, shardId, functionName, now }: { streamArn: string; shardId: string; functionName: string; now: Date },
): string {
  const first = records[0];
  const last = records.at(-1);
  return JSON.stringify({
    requestContext: {
      requestId: randomUUID(),
      functionArn: functionArn(functionName),
      condition,
      approximateInvokeCount: attempts,
    },
    // The function was not invoked for a record that was too old before its first attempt.
    ...(attempts
      ? { responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' } }
      : {}),
    version: '1.0',
    timestamp: now.toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: sequenceOf(first),
      endSequenceNumber: sequenceOf(last),
      approximateArrivalOfFirstRecord: moment(createdAt(first)),
      approximateArrivalOfLastRecord: moment(createdAt(last)),
      batchSize: records.length,
      streamArn,
    },
    payload: JSON.stringify({ Records: records }),
  });
}
