import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Checkpoints } from './checkpoints.ts';
import { type Rules, deliver, discardedFile, discardedFileName, matches } from './event-source.ts';
import { explainFailure, invoke } from './lambda.ts';
import { LoopControl } from './loop-control.ts';
import {
  type Follower,
  createdAt,
  followShard,
  idleMilliseconds,
  listShards,
  sequenceOf,
  shardReader,
  shardsToFollow,
} from './shards.ts';

type Response = DynamoDBBatchResponse | void;
export type BatchHandler = (event: DynamoDBStreamEvent, context: Context) => Promise<Response>;
/** Wraps a worker in tests: may change the batch, call the worker twice, or fail. */
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
  /** Keeps a batch that is discarded: the name of its file, and its content. */
  readonly discard: (file: string, text: string) => void | Promise<void>;
  readonly log: (line: string) => void;
  readonly timeoutMilliseconds?: number;
  /** The wait before the first repeated attempt; it doubles each time. */
  readonly retryMilliseconds?: number;
  /** How long it waits for changes without a nudge, by the number of empty readings since the last change. */
  readonly idle?: typeof idleMilliseconds;
}

/** Feeds the table's stream to one worker. */
export interface StreamPump {
  /** Something may have been written: reads at once. */
  nudge(): void;
  /** Resolves when no batch is running; none begins until `resume`. */
  pause(): Promise<void>;
  resume(): void;
  /** Resolves when all that was written before the call is handled or discarded. */
  drain(): Promise<void>;
  /** Wraps the worker in a test; `undefined` unwraps it. */
  wrap(around: Around | undefined): void;
  /** Resolves when the running batch has ended. */
  stop(): Promise<void>;
}

/** How often new shards are listed; also at once when a shard has ended. */
const SHARDS_MILLISECONDS = 10_000;
/** The longest wait between attempts, as a multiple of the first: 10 s after 100 ms. */
const LONGEST_WAIT = 100;
/** A stream returns so many records, or 1 MB, at once. */
const MAX_RECORDS = 1_000;
const ERROR_MILLISECONDS = 250;
const DRAIN_MILLISECONDS = 50;

const unwrapped: Around = (event, next) => next(event);

/** Follows the stream: each shard separately and in order, and only after its parent shard has ended. */
export function startStreamPump(options: StreamOptions): StreamPump {
  const { client, streamArn, rules, handler, functionName, checkpoints, discard, log } = options;
  const { timeoutMilliseconds = 60_000, retryMilliseconds = 100, idle = idleMilliseconds } = options;
  const startedAt = Date.now();
  const control = new LoopControl();
  const followers = new Map<string, Follower>();
  const work = new Set<Promise<void>>();
  let around = unwrapped;
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
      discard(batch) {
        const now = new Date();
        const text = discardedFile(batch, { streamArn, shardId, functionName, now });
        return discard(discardedFileName({ functionName, shardId, now }), text);
      },
      backOff: (attempts) => control.wait(retryMilliseconds * Math.min(2 ** attempts, LONGEST_WAIT)),
      // Time in which the stack was off does not age a record: nobody could fix the worker.
      ageHours: (record) => (Date.now() - Math.max(createdAt(record), startedAt)) / 3_600_000,
      isStopped: () => control.isEnded,
    });

  async function handle(shardId: string, records: readonly DynamoDBRecord[]): Promise<void> {
    const matching = records.filter((record) => rules.filters.some((pattern) => matches(pattern, record)));
    for (let start = 0; start < matching.length && !control.isEnded; start += rules.batchSize) {
      await deliverBatch(shardId, matching.slice(start, start + rules.batchSize));
    }
    // Filtered records count as handled.
    const last = records.at(-1);
    if (last !== matching.at(-1) && !control.isEnded) checkpoints.set(shardId, { sequenceNumber: sequenceOf(last) });
  }

  async function follow(shardId: string): Promise<void> {
    const follower: Follower = { emptyAt: -1, handledThrough: 0, isBusy: false };
    followers.set(shardId, follower);
    const from = checkpoints.of(shardId).sequenceNumber;
    const reader = shardReader({ client, streamArn, shardId, batchSize: MAX_RECORDS, from });
    try {
      const ended = await followShard(follower, reader, (records) => handle(shardId, records), control, idle);
      if (ended) checkpoints.set(shardId, { ...checkpoints.of(shardId), ended });
    } catch (error) {
      // The engine is restarting; the checkpoint says where to continue.
      if (!control.isEnded) log(`stream ${shardId}: ${String(error)}`);
      await control.wait(ERROR_MILLISECONDS);
    }
    followers.delete(shardId);
    shardsKnown = false;
    control.progress.fire();
    control.nudge();
  }

  function track(task: Promise<void>): void {
    work.add(task);
    void task.finally(() => work.delete(task));
  }

  async function followNewShards(): Promise<void> {
    try {
      const shards = await listShards(client, streamArn);
      for (const shardId of shardsToFollow(shards, checkpoints.of)) if (!followers.has(shardId)) track(follow(shardId));
      shardsKnown = true;
    } catch (error) {
      if (!control.isEnded) log(`stream: ${String(error)}`);
      await control.wait(ERROR_MILLISECONDS);
    }
    control.progress.fire();
  }

  const isListedSince = (moment: number): boolean => shardsKnown && performance.now() - moment < SHARDS_MILLISECONDS;

  async function watchShards(): Promise<void> {
    while (!control.isEnded) {
      const listedAt = performance.now();
      await followNewShards();
      while (!control.isEnded && isListedSince(listedAt))
        await control.waitForNudge(performance.now(), SHARDS_MILLISECONDS);
    }
  }

  // New shards are listed when one ends: the followers are all shards.
  /** While others go on writing, no reading is empty: a later change that is handled shows the same. */
  const isHandledUntil = (moment: number, clock: number): boolean =>
    shardsKnown &&
    followers.size > 0 &&
    [...followers.values()].every(({ emptyAt, handledThrough }) => emptyAt >= moment || handledThrough > clock);

  track(watchShards());
  return {
    nudge: () => control.nudge(),
    async pause() {
      control.pause();
      while ([...followers.values()].some(({ isBusy }) => isBusy)) await control.progress.wait();
    },
    resume: () => control.resume(),
    async drain() {
      const [moment, clock] = [performance.now(), Date.now()];
      while (!isHandledUntil(moment, clock) && !control.isEnded) {
        control.nudge();
        await control.progress.wait(DRAIN_MILLISECONDS);
      }
    },
    wrap(wrapper) {
      around = wrapper ?? unwrapped;
    },
    async stop() {
      control.end();
      await Promise.all(work);
    },
  };
}
