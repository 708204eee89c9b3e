import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Checkpoints } from './checkpoint.ts';
import { type Rules, deadLetter, deliver, matches } from './deliver.ts';
import { invoke, explainFailure } from './lambda.ts';
import { Pace } from './pace.ts';
import {
  type Follower,
  createdAt,
  followShard,
  idleMilliseconds,
  listShards,
  sequenceOf,
  shardReader,
  shardsInTurn,
} from './shards.ts';

type Response = DynamoDBBatchResponse | void;
export type BatchHandler = (event: DynamoDBStreamEvent, context: Context) => Promise<Response>;
/** Stands between stream and worker in tests: may change the batch, call the worker twice, or fail. */
export type Around = (
  event: DynamoDBStreamEvent,
  next: (event: DynamoDBStreamEvent) => Promise<Response>,
) => Promise<Response>;

export interface StreamOptions {
  readonly client: DynamoDBStreamsClient;
  readonly streamArn: string;
  readonly rules: Rules;
  readonly handler: BatchHandler;
  readonly functionName: string;
  readonly checkpoints: Checkpoints;
  /** Takes a message for the dead-letter queue. */
  readonly bury: (message: string) => void;
  readonly log: (line: string) => void;
  readonly timeoutMilliseconds?: number;
  /** The wait before the first repeated attempt; it doubles from one to the next. */
  readonly retryMilliseconds?: number;
}

/** Feeds the table's stream to one worker. */
export interface StreamPump {
  /** Something may have been written: look at once. */
  nudge(): void;
  /** Resolves when no batch is under way; none begins until `resume`. */
  pause(): Promise<void>;
  resume(): void;
  /** Resolves when all that was written before the call is handled or given up. */
  drain(): Promise<void>;
  /** Puts a test between stream and worker; `undefined` takes it away. */
  wrap(around: Around | undefined): void;
  /** Resolves when the batch under way has ended. */
  stop(): Promise<void>;
}

/** How often new shards are looked for; also at once when a shard has ended. */
const SHARDS_MILLISECONDS = 10_000;
/** The longest wait between attempts, as a multiple of the first: 10 s after 100 ms. */
const LONGEST_WAIT = 100;
/** So many records, or 1 MB, a stream gives at once. */
const MAX_RECORDS = 1_000;
const TROUBLE_MILLISECONDS = 250;

const untouched: Around = (event, next) => next(event);

/** Begins to follow the stream: each shard by itself and in order, a shard only after the one it came from. */
export function startStream(options: StreamOptions): StreamPump {
  const { client, streamArn, rules, handler, functionName, checkpoints, bury, log } = options;
  const { timeoutMilliseconds = 60_000, retryMilliseconds = 100 } = options;
  const startedAt = Date.now();
  const pace = new Pace();
  const followers = new Map<string, Follower>();
  const work = new Set<Promise<void>>();
  let around = untouched;
  let shardsKnown = false;

  async function call(records: readonly DynamoDBRecord[]) {
    const worker: BatchHandler = (event, context) => around(event, (batch) => handler(batch, context));
    const outcome = await invoke(worker, { Records: [...records] }, { name: functionName, timeoutMilliseconds });
    if (outcome.kind === 'answer') return { answer: outcome.answer ?? undefined };
    log(`${functionName}, ${records.length} records from ${sequenceOf(records[0])}: ${explainFailure(outcome)}`);
    return undefined;
  }

  const deliverBatch = (shardId: string, records: readonly DynamoDBRecord[]): Promise<void> =>
    deliver(records, {
      rules,
      invoke: call,
      advance: (record) => checkpoints.set(shardId, { sequenceNumber: sequenceOf(record) }),
      giveUp: (batch) => bury(deadLetter(batch, { streamArn, shardId, functionName, now: new Date() })),
      backOff: (attempts) => pace.rest(retryMilliseconds * Math.min(2 ** attempts, LONGEST_WAIT)),
      // Time in which the stack was off does not age a record: nobody was here to mend the worker.
      ageHours: (record) => (Date.now() - Math.max(createdAt(record), startedAt)) / 3_600_000,
      stopped: () => pace.ended,
    });

  async function handle(shardId: string, records: readonly DynamoDBRecord[]): Promise<void> {
    const wanted = records.filter((record) => rules.filters.some((pattern) => matches(pattern, record)));
    for (let start = 0; start < wanted.length && !pace.ended; start += rules.batchSize) {
      await deliverBatch(shardId, wanted.slice(start, start + rules.batchSize));
    }
    // What the filter holds back counts as handled.
    const last = records.at(-1);
    if (last !== wanted.at(-1) && !pace.ended) checkpoints.set(shardId, { sequenceNumber: sequenceOf(last) });
  }

  async function follow(shardId: string): Promise<void> {
    const follower: Follower = { emptyAt: -1, busy: false };
    followers.set(shardId, follower);
    const from = checkpoints.of(shardId).sequenceNumber;
    const reader = shardReader({ client, streamArn, shardId, batchSize: MAX_RECORDS, from });
    try {
      const ended = await followShard(follower, reader, (records) => handle(shardId, records), pace);
      if (ended) checkpoints.set(shardId, { ...checkpoints.of(shardId), ended });
    } catch (error) {
      // The engine is away or starts again; the checkpoint says where to go on.
      if (!pace.ended) log(`stream ${shardId}: ${String(error)}`);
      await pace.rest(TROUBLE_MILLISECONDS);
    }
    followers.delete(shardId);
    shardsKnown = false;
    pace.progress.fire();
    pace.nudge();
  }

  function track(task: Promise<void>): void {
    work.add(task);
    void task.finally(() => work.delete(task));
  }

  async function lookForShards(): Promise<void> {
    try {
      const shards = await listShards(client, streamArn);
      for (const shardId of shardsInTurn(shards, checkpoints.of)) if (!followers.has(shardId)) track(follow(shardId));
      shardsKnown = true;
    } catch (error) {
      if (!pace.ended) log(`stream: ${String(error)}`);
      await pace.rest(TROUBLE_MILLISECONDS);
    }
    pace.progress.fire();
  }

  const knownSince = (moment: number): boolean => shardsKnown && performance.now() - moment < SHARDS_MILLISECONDS;

  async function watchShards(): Promise<void> {
    while (!pace.ended) {
      const lookedAt = performance.now();
      await lookForShards();
      while (!pace.ended && knownSince(lookedAt)) await pace.quiet(performance.now(), SHARDS_MILLISECONDS);
    }
  }

  // What a shard splits into is looked for when it ends, so that the followers are all there is.
  const settledSince = (moment: number): boolean =>
    shardsKnown && followers.size > 0 && [...followers.values()].every(({ emptyAt }) => emptyAt >= moment);

  track(watchShards());
  return {
    nudge: () => pace.nudge(),
    async pause() {
      pace.pause();
      while ([...followers.values()].some(({ busy }) => busy)) await pace.progress.wait();
    },
    resume: () => pace.resume(),
    async drain() {
      const moment = performance.now();
      while (!settledSince(moment) && !pace.ended) {
        pace.nudge();
        await pace.progress.wait(idleMilliseconds(0));
      }
    },
    wrap(by) {
      around = by ?? untouched;
    },
    async stop() {
      pace.end();
      await Promise.all(work);
    },
  };
}
