import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Delivery, type Rules, deliver, firstFailure } from '../../../infra/local/event-source.ts';
import { sequenceOf } from '../../../infra/local/shards.ts';

/** Rules of the tests' own, so that the numbers below stand whatever the deployed ones are. */
const rules: Rules = {
  batchSize: 100,
  maximumBatchingWindowSeconds: 0,
  bisectBatchOnError: true,
  retryAttempts: 5,
  maximumRecordAgeHours: 23,
  filters: [],
};

const record = (sequence: number): DynamoDBRecord => ({ dynamodb: { SequenceNumber: String(sequence) } });
const records = (count: number) => Array.from({ length: count }, (_, index) => record(index + 1));
const numbers = (of: readonly DynamoDBRecord[]) => of.map((one) => Number(sequenceOf(one)));

/**
 * Delivers `count` records to a worker that answers as `work` says: handled (`undefined`), the number of a failed
 * record, or an exception.
 */
async function run(
  count: number,
  work: (batch: number[], call: number) => number | undefined,
  change: Partial<Rules> = {},
  ageHours: Delivery['ageHours'] = () => 0,
) {
  const seen = {
    calls: [] as number[][],
    checkpoints: [] as number[],
    dead: [] as { numbers: number[]; condition: string; attempts: number }[],
    waits: [] as number[],
  };
  await deliver(records(count), {
    rules: { ...rules, ...change },
    async invoke(batch) {
      seen.calls.push(numbers(batch));
      try {
        const failed = work(numbers(batch), seen.calls.length);
        return { answer: { batchItemFailures: failed === undefined ? [] : [{ itemIdentifier: String(failed) }] } };
      } catch {
        return undefined;
      }
    },
    advance: (one) => void seen.checkpoints.push(Number(sequenceOf(one))),
    discard: ({ records: batch, condition, attempts }) =>
      void seen.dead.push({ numbers: numbers(batch), condition, attempts }),
    backOff: async (attempts) => void seen.waits.push(attempts),
    ageHours,
    isStopped: () => false,
  });
  return seen;
}

const fail = (): never => {
  throw new Error('no');
};

describe('the rules of the event source', () => {
  test('a batch that succeeds moves the checkpoint to its end', async () => {
    expect(await run(3, () => undefined)).toMatchObject({ calls: [[1, 2, 3]], checkpoints: [3], dead: [] });
  });

  test('what comes before the first failed record is done, the rest is a new batch', async () => {
    const seen = await run(5, (_, call) => (call === 1 ? 3 : undefined));
    expect(seen).toMatchObject({
      calls: [
        [1, 2, 3, 4, 5],
        [3, 4, 5],
      ],
      checkpoints: [2, 5],
      dead: [],
    });
  });

  test('an exception halves the batch until the poison record is alone, and only that is discarded, after six attempts', async () => {
    const seen = await run(8, (batch) => (batch.includes(3) ? fail() : undefined));
    expect(seen.calls).toEqual([
      [1, 2, 3, 4, 5, 6, 7, 8],
      [1, 2, 3, 4],
      [1, 2],
      [3, 4],
      ...Array.from({ length: 6 }, () => [3]),
      [4],
      [5, 6, 7, 8],
    ]);
    expect(seen).toMatchObject({
      checkpoints: [2, 3, 4, 8],
      dead: [{ numbers: [3], condition: 'RetryAttemptsExhausted', attempts: 6 }],
      waits: [0, 1, 2, 3, 4],
    });
  });

  test('a first record that is always reported discards the whole batch', async () => {
    const seen = await run(3, () => 1);
    expect(seen).toMatchObject({ checkpoints: [3], dead: [{ numbers: [1, 2, 3], attempts: 6 }] });
  });

  test('without bisection the whole batch is repeated and discarded', async () => {
    const seen = await run(2, fail, { bisectBatchOnError: false, retryAttempts: 1 });
    expect(seen).toMatchObject({
      calls: [
        [1, 2],
        [1, 2],
      ],
      dead: [{ numbers: [1, 2], attempts: 2 }],
      checkpoints: [2],
    });
  });

  test('without a limit of attempts a batch is repeated until its records expire, and then discarded whole', async () => {
    let calls = 0;
    const seen = await run(
      3,
      () => (calls++, 1),
      { retryAttempts: -1 },
      () => (calls < 40 ? 1 : 23.5),
    );
    expect(seen.calls).toHaveLength(40);
    expect(seen).toMatchObject({
      dead: [{ numbers: [1, 2, 3], condition: 'RecordAgeExceeded', attempts: 40 }],
      checkpoints: [3],
    });
  });

  test('records that are too old are discarded without a call', async () => {
    const seen = await run(
      4,
      () => undefined,
      {},
      (one) => (Number(sequenceOf(one)) <= 2 ? 23.5 : 1),
    );
    expect(seen).toMatchObject({
      calls: [[3, 4]],
      dead: [{ numbers: [1, 2], condition: 'RecordAgeExceeded', attempts: 0 }],
      checkpoints: [2, 4],
    });
  });

  test('a stop in the middle leaves the checkpoint where it is', async () => {
    const checkpoints: number[] = [];
    let stopped = false;
    await deliver(records(4), {
      rules,
      async invoke(batch) {
        stopped = true;
        return { answer: { batchItemFailures: [{ itemIdentifier: sequenceOf(batch[2]) }] } };
      },
      advance: (one) => void checkpoints.push(Number(sequenceOf(one))),
      discard: fail,
      backOff: () => Promise.resolve(),
      ageHours: () => 0,
      isStopped: () => stopped,
    });
    expect(checkpoints).toEqual([2]);
  });

  test('every record but the poisoned is handled, in order, and the checkpoint never goes back, however a worker fails', async () => {
    const worker = fc.record({
      count: fc.integer({ min: 1, max: 40 }),
      poison: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        worker,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        async ({ count, poison }, chances) => {
          const poisoned = poison.filter((one) => one <= count);
          const handled: number[] = [];
          const chance = () => chances.next().value as number;
          const seen = await run(count, (batch) => {
            for (const [index, one] of batch.entries()) {
              if (!poisoned.includes(one) && !(chance() < 0.1 && batch.length > 1)) handled.push(one);
              else if (index > 0) return one;
              else fail();
            }
            return undefined;
          });
          expect(handled).toEqual(numbers(records(count)).filter((one) => !poisoned.includes(one)));
          expect(seen.dead.map((batch) => batch.numbers)).toEqual(
            poisoned.toSorted((a, b) => a - b).map((one) => [one]),
          );
          expect(seen.checkpoints).toEqual(seen.checkpoints.toSorted((a, b) => a - b));
          expect(seen.checkpoints.at(-1)).toBe(count);
        },
      ),
    );
  });
});

describe('the answer of a worker', () => {
  const batch = records(3);
  const reporting = (...identifiers: string[]) => ({
    batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })),
  });
  test.each([
    ['nothing', undefined, 3],
    ['null', null, 3],
    ['no failures', reporting(), 3],
    ['a failure', reporting('2'), 1],
    ['several failures', reporting('3', '2'), 1],
    ['a record that is not in the batch', reporting('9'), 0],
    ['an empty name', reporting(''), 0],
  ])('with %s fails where Lambda says', (_, answer, index) => {
    expect(firstFailure(batch, answer)).toBe(index);
  });
});
