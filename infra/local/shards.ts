import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { table } from '../table.ts';
import type { Checkpoint } from './checkpoints.ts';
import type { LoopControl } from './loop-control.ts';

export async function listShards(client: DynamoDBStreamsClient, StreamArn: string): Promise<Shard[]> {
  const shards: Shard[] = [];
  let after: string | undefined;
  do {
    const page = { StreamArn, ...(after ? { ExclusiveStartShardId: after } : {}) };
    const { StreamDescription } = await client.send(new DescribeStreamCommand(page));
    shards.push(...(StreamDescription?.Shards ?? []));
    after = StreamDescription?.LastEvaluatedShardId;
  } while (after);
  return shards;
}

/**
 * The shards that have not ended and whose parent has ended or no longer exists, so that changes of an item stay in
 * order when a shard splits.
 */
export function shardsToFollow(shards: readonly Shard[], checkpoint: (shardId: string) => Checkpoint): string[] {
  const listed = new Set(shards.map(({ ShardId }) => ShardId));
  return shards.flatMap(({ ShardId = '', ParentShardId }) => {
    const waits = ParentShardId && listed.has(ParentShardId) && !checkpoint(ParentShardId).ended;
    return waits || checkpoint(ShardId).ended ? [] : [ShardId];
  });
}

/** The progress in one shard. */
export interface Follower {
  /** When the shard was last read empty, on the clock of `performance`; -1 before that. */
  emptyAt: number;
  /** When the last handled record was written, in milliseconds since 1970; the engine may round it down to seconds. */
  handledThrough: number;
  /** Whether a batch may be running. */
  isBusy: boolean;
}

/** Reading more often would split the changes of a busy moment into small batches, each with its own overhead. */
export const READ_MILLISECONDS = 50;

/**
 * How long to wait without a nudge for changes by another process, like the command-line tool: from 50 ms after work to
 * 250 ms in quiet times, when reading takes 1% of a processor.
 */
export const idleMilliseconds = (quietRounds: number): number => Math.min(READ_MILLISECONDS + 10 * quietRounds, 250);

/** Reads a shard and handles its batches until the shard or the pump ends. Returns whether the shard ended. */
export async function followShard(
  follower: Follower,
  reader: Pick<ShardReader, 'next'>,
  handle: (records: readonly DynamoDBRecord[]) => Promise<void>,
  control: LoopControl,
  idle: typeof idleMilliseconds = idleMilliseconds,
): Promise<boolean> {
  let quietRounds = 0;
  while (!control.isEnded) {
    await control.waitWhilePaused();
    follower.isBusy = true;
    const readAt = performance.now();
    const { records, ended } = await reader.next();
    if (records.length) {
      await handle(records);
      follower.handledThrough = createdAt(records.at(-1));
    } else follower.emptyAt = readAt;
    follower.isBusy = false;
    control.progress.fire();
    if (ended) return !control.isEnded;
    quietRounds = records.length ? 0 : quietRounds + 1;
    const milliseconds = idle(quietRounds);
    if (milliseconds > 0) await control.waitForNudge(readAt, milliseconds);
  }
  return false;
}

/** The next records of a shard, possibly none yet; `ended` if no more will follow. */
export interface Reading {
  readonly records: readonly DynamoDBRecord[];
  readonly ended: boolean;
}

/** Where and how a shard is read. */
interface ShardReading {
  readonly client: DynamoDBStreamsClient;
  readonly streamArn: string;
  readonly shardId: string;
  readonly batchSize: number;
  /** The last handled sequence number. */
  readonly from: string | undefined;
  /** The stream has removed the record after this position, and maybe more that were not read. */
  readonly onTrimmed?: (position: string) => void;
}

/** Reads a shard in order, after a sequence number or from its oldest record. */
export class ShardReader {
  readonly #reading: ShardReading;
  #position: string | undefined;
  #iterator: string | undefined;

  constructor(reading: ShardReading) {
    this.#reading = reading;
    this.#position = reading.from;
  }

  /** Starts again if its iterator is too old (15 minutes) or points at a removed record. */
  async next(): Promise<Reading> {
    try {
      return await this.#read();
    } catch (error) {
      if (error instanceof TrimmedDataAccessException) this.#goToOldest();
      else if (!(error instanceof ExpiredIteratorException)) throw error;
      this.#iterator = undefined;
      return await this.#read();
    }
  }

  async #read(): Promise<Reading> {
    const { client, streamArn, batchSize } = this.#reading;
    this.#iterator ??= await this.#begin();
    if (this.#iterator === undefined) return { records: [], ended: true };
    const { records, next } = await readRecords(client, { iterator: this.#iterator, limit: batchSize });
    this.#iterator = next;
    this.#position = records.at(-1)?.dynamodb?.SequenceNumber ?? this.#position;
    return { records: records.map((record) => lambdaRecord(record, streamArn)), ended: next === undefined };
  }

  async #begin(): Promise<string | undefined> {
    const { client, streamArn: StreamArn, shardId: ShardId } = this.#reading;
    const start = this.#position
      ? ({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: this.#position } as const)
      : ({ ShardIteratorType: 'TRIM_HORIZON' } as const);
    const { ShardIterator } = await client.send(new GetShardIteratorCommand({ StreamArn, ShardId, ...start }));
    return ShardIterator;
  }

  /** Without a position nothing is lost: DynamoDB Local refuses iterators of an empty shard once it has a record. */
  #goToOldest(): void {
    if (this.#position) this.#reading.onTrimmed?.(this.#position);
    this.#position = undefined;
  }
}

/** A record in the stream's own format: that of Lambda, except for the names in its identity. */
interface StreamRecord extends DynamoDBRecord {
  readonly userIdentity?: { readonly Type: string; readonly PrincipalId: string };
}

interface Page {
  readonly Records?: readonly StreamRecord[];
  readonly NextShardIterator?: string;
}

/**
 * Reads records in the stream's own format. Converting the SDK's values back to Lambda's format took a tenth of the
 * stack's CPU.
 */
async function readRecords(
  client: DynamoDBStreamsClient,
  { iterator, limit }: { iterator: string; limit: number },
): Promise<{ readonly records: readonly StreamRecord[]; readonly next: string | undefined }> {
  const command = new GetRecordsCommand({ ShardIterator: iterator, Limit: limit });
  let page: Page = {};
  command.middlewareStack.add(
    (next) => async (request) => {
      const result = await next(request);
      const response = result.response as { statusCode: number; body: IncomingMessage | Uint8Array };
      if (response.statusCode !== 200 || response.body instanceof Uint8Array) return result;
      page = (await json(response.body)) as Page;
      response.body = Buffer.from('{}');
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
  await client.send(command);
  return { records: page.Records ?? [], next: page.NextShardIterator };
}

/**
 * DynamoDB names itself as the user of a removal by time to live. The engine does not: there it is any removal after
 * the item's time (time-to-live.ts).
 */
function expiryIdentity({ eventName, dynamodb }: StreamRecord): DynamoDBRecord['userIdentity'] {
  const { OldImage, ApproximateCreationDateTime: at } = dynamodb ?? {};
  const time = OldImage?.[table.timeToLive]?.N;
  const isExpired = eventName === 'REMOVE' && time !== undefined && at && Number(time) <= at;
  return isExpired ? { type: 'Service', principalId: 'dynamodb.amazonaws.com' } : undefined;
}

/** A record in the format that Lambda passes to a function. */
function lambdaRecord({ userIdentity: user, ...record }: StreamRecord, streamArn: string): DynamoDBRecord {
  const userIdentity = user ? { type: user.Type, principalId: user.PrincipalId } : expiryIdentity(record);
  return {
    ...record,
    eventSource: 'aws:dynamodb',
    eventSourceARN: streamArn,
    ...(userIdentity ? { userIdentity } : {}),
  };
}

export const sequenceOf = (record: DynamoDBRecord | undefined): string => record?.dynamodb?.SequenceNumber ?? '';

/** In milliseconds since 1970. */
export const createdAt = (record: DynamoDBRecord | undefined): number =>
  (record?.dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;
