import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import type { GivenUp } from './dead-letter.ts';
import type { EventPattern } from './event-pattern.ts';
import { sequenceOf } from './stream-record.ts';

/** The rules of an event source mapping, as infra/table.ts has them. */
export interface Rules {
  readonly batchSize: number;
  readonly maximumBatchingWindowSeconds: number;
  readonly bisectBatchOnError: boolean;
  readonly retryAttempts: number;
  readonly maximumRecordAgeHours: number;
  /** A record is handed over that meets one of them. */
  readonly filters: readonly EventPattern[];
}

export interface Delivery {
  readonly rules: Rules;
  /** Calls the function; `undefined` when it failed as a whole. */
  readonly invoke: (
    records: readonly DynamoDBRecord[],
  ) => Promise<{ readonly answer: DynamoDBBatchResponse | null | undefined } | undefined>;
  /** All through this record is handled or given up. */
  readonly advance: (record: DynamoDBRecord) => void | Promise<void>;
  readonly giveUp: (batch: GivenUp) => void | Promise<void>;
  /** Waits before another attempt, longer each time. */
  readonly backOff: (attempts: number) => Promise<void>;
  readonly ageHours: (record: DynamoDBRecord) => number;
  readonly stopped: () => boolean;
}

interface Batch {
  readonly records: readonly DynamoDBRecord[];
  /** How often this very batch has failed. */
  readonly attempts: number;
}

/**
 * Where a batch failed: the index of the first record to be given again, its length when it succeeded. A response that
 * names no record of the batch is a failure of the whole.
 */
export function failedAt(records: readonly DynamoDBRecord[], answer: DynamoDBBatchResponse | null | undefined): number {
  const failures = answer?.batchItemFailures ?? [];
  if (failures.length === 0) return records.length;
  const indexes = failures.map(({ itemIdentifier }) =>
    records.findIndex((record) => sequenceOf(record) === itemIdentifier),
  );
  return Math.max(0, Math.min(...indexes));
}

/**
 * Hands the records of a shard to the function, in order, as Lambda does for an event source with
 * ReportBatchItemFailures:
 * - it succeeds up to the first record that the function reports, and the rest is a new batch;
 * - a failure of the whole batch (an exception, time run out) halves it, until the culprit stands alone;
 * - a batch that cannot be halved, or whose very first record is reported, is tried `retryAttempts` times again and
 *   then given up, all of it: Lambda halves at the record reported, and before the first record there is nothing to
 *   part off. So a worker that fails at the first record of a batch throws.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export async function deliver(records: readonly DynamoDBRecord[], delivery: Delivery): Promise<void> {
  const { rules, invoke, advance, giveUp, backOff, ageHours, stopped } = delivery;
  const waiting: Batch[] = [{ records, attempts: 0 }];

  async function drop(batch: GivenUp): Promise<void> {
    await giveUp(batch);
    const last = batch.records.at(-1);
    if (last) await advance(last);
  }

  for (let batch = waiting.shift(); batch && !stopped(); batch = waiting.shift()) {
    const fresh = batch.records.findIndex((record) => ageHours(record) <= rules.maximumRecordAgeHours);
    const old = fresh < 0 ? batch.records : batch.records.slice(0, fresh);
    if (old.length) {
      await drop({ records: old, condition: 'RecordAgeExceeded', attempts: batch.attempts });
      if (fresh > 0) waiting.unshift({ ...batch, records: batch.records.slice(fresh) });
      continue;
    }
    const result = await invoke(batch.records);
    const end = result ? failedAt(batch.records, result.answer) : 0;
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
    } else if (batch.attempts < rules.retryAttempts) {
      await backOff(batch.attempts);
      waiting.unshift({ ...batch, attempts: batch.attempts + 1 });
    } else {
      await drop({ records: batch.records, condition: 'RetryAttemptsExhausted', attempts: batch.attempts + 1 });
    }
  }
}
