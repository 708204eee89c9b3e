import { setTimeout as pause } from 'node:timers/promises';
import { DescribeStreamCommand, type DynamoDBStreamsClient, type Shard } from '@aws-sdk/client-dynamodb-streams';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Checkpoints } from './checkpoint.ts';
import { deadLetter } from './dead-letter.ts';
import { deliver, type Rules } from './deliver.ts';
import { invoke, whyNot } from './lambda.ts';
import { shardReader } from './shard-reader.ts';
import { Signal } from './signal.ts';
import { createdAt, sequenceOf } from './stream-record.ts';

export type BatchHandler = (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse | void>;
/** Stands between the stream and the worker in tests: may change the batch, call the worker twice, or fail. */
export type Around = (event: DynamoDBStreamEvent, next: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse | void>) => Promise<DynamoDBBatchResponse | void>;

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

/** Feeds the table's stream to the worker. */
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

/** How often new shards are looked for. */
const SHARDS_MILLISECONDS = 10_000;
const MOST_BACK_OFF_MILLISECONDS = 10_000;
const TROUBLE_MILLISECONDS = 250;

/**
 * How long to wait for news that nobody nudges about: changes made by another process, like the command-line tool. From 50 ms just after
 * work to 250 ms in quiet times, when looking costs 1 % of a processor.
 */
const idleMilliseconds = (quiet: number): number => Math.min(50 + 10 * quiet, 250);

interface Follower {
  /** Since when, at least, nothing waits in the shard; by the clock of `performance`. */
  emptyAt: number;
  busy: boolean;
}

async function listShards(client: DynamoDBStreamsClient, StreamArn: string): Promise<Shard[]> {
  const shards: Shard[] = [];
  let after: string | undefined;
  do {
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn, ...(after ? { ExclusiveStartShardId: after } : {}) }));
    shards.push(...(StreamDescription?.Shards ?? []));
    after = StreamDescription?.LastEvaluatedShardId;
  } while (after);
  return shards;
}

/** Begins to follow the stream: each shard by itself and in order, a shard only after the one it came from. */
export function startStream(options: StreamOptions): StreamPump {
  const { client, streamArn, rules, handler, functionName, checkpoints, bury, log } = options;
  const { timeoutMilliseconds = 60_000, retryMilliseconds = 100 } = options;
  const startedAt = Date.now();
  const followers = new Map<string, Follower>();
  const work = new Set<Promise<void>>();
  const news = new Signal();
  const progress = new Signal();
  const going = new Signal();
  let around: Around = (event, next) => next(event);
  let stopped = false;
  let paused = false;
  let shardsKnownAt = -1;

  async function call(records: readonly DynamoDBRecord[]) {
    const event: DynamoDBStreamEvent = { Records: [...records] };
    const outcome = await invoke((copy: DynamoDBStreamEvent, context) => around(copy, (batch) => handler(batch, context)), event, { name: functionName, timeoutMilliseconds });
    if (outcome.kind === 'answer') return { answer: outcome.answer ?? undefined };
    log(`${functionName}, ${records.length} records from ${sequenceOf(records[0])}: ${whyNot(outcome)}`);
    return undefined;
  }

  const handle = (shardId: string, records: readonly DynamoDBRecord[]): Promise<void> =>
    deliver(records, {
      rules,
      invoke: call,
      advance: (record) => checkpoints.set(shardId, { sequenceNumber: sequenceOf(record) }),
      giveUp: (batch) => bury(deadLetter(batch, { streamArn, shardId, functionName, now: new Date() })),
      backOff: (attempts) => going.wait(Math.min(retryMilliseconds * 2 ** attempts, MOST_BACK_OFF_MILLISECONDS)),
      // Time in which the stack was off does not age a record: there is nobody here to keep a worker running.
      ageHours: (record) => (Date.now() - Math.max(createdAt(record), startedAt)) / 3_600_000,
      stopped: () => stopped,
    });

  async function follow(shardId: string, follower: Follower): Promise<void> {
    const reader = shardReader({ client, streamArn, shardId, batchSize: rules.batchSize, from: checkpoints.of(shardId).sequenceNumber });
    let quiet = 0;
    while (!stopped) {
      if (paused) {
        await going.wait();
        continue;
      }
      follower.busy = true;
      const askedAt = performance.now();
      const { records, ended } = await reader.next();
      if (records.length) await handle(shardId, records);
      else follower.emptyAt = askedAt;
      quiet = records.length ? 0 : quiet + 1;
      follower.busy = false;
      progress.fire();
      if (ended && !stopped) {
        checkpoints.set(shardId, { ...checkpoints.of(shardId), ended: true });
        shardsKnownAt = -1;
        news.fire();
        return;
      }
      if (!records.length && !stopped) await news.wait(idleMilliseconds(quiet));
    }
  }

  async function lookForShards(): Promise<void> {
    const askedAt = performance.now();
    const shards = await listShards(client, streamArn);
    const listed = new Set(shards.map(({ ShardId }) => ShardId));
    for (const { ShardId = '', ParentShardId } of shards) {
      const ready = !ParentShardId || !listed.has(ParentShardId) || checkpoints.of(ParentShardId).ended;
      if (ready && !checkpoints.of(ShardId).ended && !followers.has(ShardId)) begin(ShardId);
    }
    shardsKnownAt = askedAt;
  }

  function begin(shardId: string): void {
    const follower: Follower = { emptyAt: -1, busy: false };
    followers.set(shardId, follower);
    track(
      follow(shardId, follower).catch((error: unknown) => {
        // The engine is away or starts again; the checkpoint says where to go on.
        if (!stopped) log(`stream ${shardId}: ${String(error)}`);
        shardsKnownAt = -1;
        return pause(stopped ? 0 : TROUBLE_MILLISECONDS);
      }).then(() => {
        followers.delete(shardId);
        progress.fire();
        news.fire();
      }),
    );
  }

  function track(task: Promise<void>): void {
    work.add(task);
    void task.finally(() => work.delete(task));
  }

  async function supervise(): Promise<void> {
    while (!stopped) {
      if (shardsKnownAt < 0 || performance.now() - shardsKnownAt > SHARDS_MILLISECONDS) {
        await lookForShards().catch(async (error: unknown) => {
          if (!stopped) log(`stream: ${String(error)}`);
          await going.wait(TROUBLE_MILLISECONDS);
        });
        progress.fire();
      }
      if (!stopped) await news.wait(SHARDS_MILLISECONDS);
    }
  }

  // Children of a shard are looked for when it ends, so that the followers are all there is.
  const settledSince = (moment: number): boolean => shardsKnownAt >= 0 && followers.size > 0 && [...followers.values()].every(({ emptyAt }) => emptyAt >= moment);

  track(supervise());
  return {
    nudge: () => news.fire(),
    async pause() {
      paused = true;
      while ([...followers.values()].some(({ busy }) => busy)) await progress.wait();
    },
    resume() {
      paused = false;
      going.fire();
    },
    async drain() {
      const moment = performance.now();
      while (!settledSince(moment) && !stopped) {
        news.fire();
        await progress.wait(idleMilliseconds(0));
      }
    },
    wrap(by) {
      around = by ?? ((event, next) => next(event));
    },
    async stop() {
      stopped = true;
      for (const signal of [news, going]) signal.fire();
      await Promise.all(work);
      progress.fire();
    },
  };
}
