import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { streamWorkers } from '../../functions/workers/index.ts';
import type { Checkpoint, Checkpoints } from './checkpoints.ts';
import { type Rules, deliver, discardedFile, discardedFileName, matches } from './event-source.ts';
import { explainFailure, invoke } from './lambda.ts';
import { LoopControl } from './loop-control.ts';
import {
  type Follower,
  ShardReader,
  createdAt,
  followShard,
  idleMilliseconds,
  listShards,
  sequenceOf,
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
  /** Keeps a discarded batch, given the name of its file and its content. */
  readonly discard: (file: string, text: string) => void | Promise<void>;
  readonly log: (line: string) => void;
  readonly timeoutMilliseconds?: number;
  /** The wait before the first retry; it doubles each time. */
  readonly retryMilliseconds?: number;
  /** How long it waits without a nudge for changes, by the number of empty reads since the last change. */
  readonly idle?: typeof idleMilliseconds;
}

/** How often new shards are listed; this also happens when a shard ends. */
const SHARDS_MILLISECONDS = 10_000;
/** The longest wait between attempts, as a multiple of the first: 10 s after 100 ms. */
const LONGEST_WAIT = 100;
/**
 * The size of the largest batch. The engine does not end pages at 1 MB as DynamoDB does: 1,000 changes of a contact
 * with 1,200 open invoices were 54 MB, which repeatedly exceeded the time limit of a request.
 */
const MAX_RECORDS = Math.max(...Object.values(streamWorkers).map(({ stream }) => stream.batchSize));
const ERROR_MILLISECONDS = 250;
const DRAIN_MILLISECONDS = 50;
/**
 * The delay between a batch and writing checkpoints, also for all batches in between: at 50 ms this takes 4% of a busy
 * stack.
 */
const SAVE_MILLISECONDS = 500;

const unwrapped: Around = (event, next) => next(event);

/**
 * Feeds the table's stream to one worker: each shard separately and in order, and only after its parent has ended.
 */
export class StreamPump {
  readonly #options: StreamOptions;
  readonly #startedAt = Date.now();
  readonly #control = new LoopControl();
  readonly #followers = new Map<string, Follower>();
  readonly #work = new Set<Promise<void>>();
  #around = unwrapped;
  #shardsKnown = false;
  #saving: NodeJS.Timeout | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#track(this.#watchShards());
  }

  /** Reads at once, because something may have been written. */
  nudge(): void {
    this.#control.nudge();
  }

  /** Resolves when no batch is running; none starts until `resume`. */
  async pause(): Promise<void> {
    this.#control.pause();
    while ([...this.#followers.values()].some(({ isBusy }) => isBusy)) await this.#control.progress.wait();
  }

  resume(): void {
    this.#control.resume();
  }

  /** Resolves when everything written before the call is handled or discarded. */
  async drain(): Promise<void> {
    const [moment, clock] = [performance.now(), Date.now()];
    while (!this.#isHandledUntil(moment, clock) && !this.#control.isEnded) {
      this.#control.nudge();
      await this.#control.progress.wait(DRAIN_MILLISECONDS);
    }
  }

  /** Wraps the worker in a test; `undefined` unwraps it. */
  wrap(around: Around | undefined): void {
    this.#around = around ?? unwrapped;
  }

  /** Resolves when the running batch has ended. */
  async stop(): Promise<void> {
    this.#control.end();
    await Promise.all(this.#work);
    clearTimeout(this.#saving);
    this.#save();
  }

  #setCheckpoint(shardId: string, checkpoint: Checkpoint): void {
    this.#options.checkpoints.set(shardId, checkpoint);
    this.#saving ??= setTimeout(() => this.#save(), SAVE_MILLISECONDS);
  }

  #save(): void {
    this.#saving = undefined;
    try {
      this.#options.checkpoints.save();
    } catch (error) {
      this.#options.log(`stream checkpoints: ${String(error)}`);
    }
  }

  /** New shards are listed when one ends; every shard has a follower. */
  async #watchShards(): Promise<void> {
    while (!this.#control.isEnded) {
      const listedAt = performance.now();
      await this.#followNewShards();
      while (!this.#control.isEnded && this.#shardsKnown && performance.now() - listedAt < SHARDS_MILLISECONDS)
        await this.#control.waitForNudge(performance.now(), SHARDS_MILLISECONDS);
    }
  }

  async #followNewShards(): Promise<void> {
    const { client, streamArn, checkpoints, log } = this.#options;
    try {
      const shards = await listShards(client, streamArn);
      for (const shardId of shardsToFollow(shards, checkpoints.of))
        if (!this.#followers.has(shardId)) this.#track(this.#follow(shardId));
      this.#shardsKnown = true;
    } catch (error) {
      if (!this.#control.isEnded) log(`stream: ${String(error)}`);
      await this.#control.wait(ERROR_MILLISECONDS);
    }
    this.#control.progress.fire();
  }

  async #follow(shardId: string): Promise<void> {
    const { client, streamArn, functionName, checkpoints, log, idle = idleMilliseconds } = this.#options;
    const follower: Follower = { emptyAt: -1, handledThrough: 0, isBusy: false };
    this.#followers.set(shardId, follower);
    const from = checkpoints.of(shardId).sequenceNumber;
    const onTrimmed = (position: string) =>
      log(
        `${functionName}: stream ${shardId} no longer has the change behind ${position}. ` +
          'Changes that were removed before they were handled are lost; it goes on with the oldest one.',
      );
    const reader = new ShardReader({ client, streamArn, shardId, batchSize: MAX_RECORDS, from, onTrimmed });
    const handle = (records: readonly DynamoDBRecord[]) => this.#handle(shardId, records);
    try {
      const ended = await followShard(follower, reader, handle, this.#control, idle);
      if (ended) this.#setCheckpoint(shardId, { ...checkpoints.of(shardId), ended });
    } catch (error) {
      // The engine is restarting; the checkpoint says where to continue.
      if (!this.#control.isEnded) log(`stream ${shardId}: ${String(error)}`);
      await this.#control.wait(ERROR_MILLISECONDS);
    }
    this.#followers.delete(shardId);
    this.#shardsKnown = false;
    this.#control.progress.fire();
    this.#control.nudge();
  }

  async #handle(shardId: string, records: readonly DynamoDBRecord[]): Promise<void> {
    const { rules } = this.#options;
    const matching = records.filter((record) => rules.filters.some((pattern) => matches(pattern, record)));
    for (let start = 0; start < matching.length && !this.#control.isEnded; start += rules.batchSize) {
      await this.#deliver(shardId, matching.slice(start, start + rules.batchSize));
    }
    // Filtered records count as handled.
    const last = records.at(-1);
    if (last !== matching.at(-1) && !this.#control.isEnded)
      this.#setCheckpoint(shardId, { sequenceNumber: sequenceOf(last) });
  }

  #deliver(shardId: string, records: readonly DynamoDBRecord[]): Promise<void> {
    const { streamArn, rules, functionName, discard, retryMilliseconds = 100 } = this.#options;
    return deliver(records, {
      rules,
      invoke: (batch) => this.#invoke(batch),
      advance: (record) => this.#setCheckpoint(shardId, { sequenceNumber: sequenceOf(record) }),
      discard(batch) {
        const now = new Date();
        const text = discardedFile(batch, { streamArn, shardId, functionName, now });
        return discard(discardedFileName({ functionName, shardId, now }), text);
      },
      backOff: (attempts) => this.#control.wait(retryMilliseconds * Math.min(2 ** attempts, LONGEST_WAIT)),
      // Time in which the stack was off does not age a record, because nobody could fix the worker.
      ageHours: (record) => (Date.now() - Math.max(createdAt(record), this.#startedAt)) / 3_600_000,
      isStopped: () => this.#control.isEnded,
    });
  }

  async #invoke(records: readonly DynamoDBRecord[]) {
    const { handler, functionName, log, timeoutMilliseconds = 60_000 } = this.#options;
    const worker: BatchHandler = (event, context) => this.#around(event, (batch) => handler(batch, context));
    const outcome = await invoke(worker, { Records: [...records] }, { name: functionName, timeoutMilliseconds });
    if (outcome.kind === 'answer') return { answer: outcome.answer ?? undefined };
    log(`${functionName}, ${records.length} records from ${sequenceOf(records[0])}: ${explainFailure(outcome)}`);
    return undefined;
  }

  /** While others keep writing, no read is empty; a handled change that is later proves the same. */
  #isHandledUntil(moment: number, clock: number): boolean {
    const followers = [...this.#followers.values()];
    const isHandled = ({ emptyAt, handledThrough }: Follower) => emptyAt >= moment || handledThrough > clock;
    return this.#shardsKnown && followers.length > 0 && followers.every(isHandled);
  }

  #track(task: Promise<void>): void {
    this.#work.add(task);
    void task.finally(() => this.#work.delete(task));
  }
}
