import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteItemCommand, DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCheckpoints } from '../../../infra/local/checkpoints.ts';
import { ensureTable } from '../../../infra/local/create-table.ts';
import { type Around, type BatchHandler, StreamPump } from '../../../infra/local/stream-pump.ts';
import { streamWorkers } from '../../../functions/workers/index.ts';
import { testStack, testTable } from '../../support/stack/stack.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
let folder: string;
let client: DynamoDBClient;
let streams: DynamoDBStreamsClient;
let streamArn: string;
let tableName: string;
const pumps: StreamPump[] = [];
let dead: string[];
let log: string[];

beforeEach(async () => {
  testTable();
  const { DynamoDBEndpoint: endpoint, Region: region } = testStack();
  folder = mkdtempSync(join(tmpdir(), 'stream-'));
  client = new DynamoDBClient({ endpoint, region, credentials });
  streams = new DynamoDBStreamsClient({ endpoint, region, credentials });
  tableName = `stream-${process.hrtime.bigint()}`;
  ({ streamArn } = await ensureTable(client, tableName));
  dead = [];
  log = [];
});

afterEach(async () => {
  for (const pump of pumps.splice(0)) await pump.stop();
  rmSync(folder, { recursive: true });
});

const checkpointFile = () => join(folder, 'stream.json');

function pump(
  handler: BatchHandler,
  {
    around,
    batchSize = streamWorkers['event-queue'].stream.batchSize as number,
    ...options
  }: { around?: Around; batchSize?: number; idle?: (quietRounds: number) => number } = {},
): StreamPump {
  const started = new StreamPump({
    client: streams,
    streamArn,
    rules: { ...streamWorkers['event-queue'].stream, retryAttempts: 5, batchSize },
    handler,
    functionName: 'event-queue',
    checkpoints: openCheckpoints(checkpointFile(), streamArn),
    discard: (_, text) => void dead.push(text),
    log: (line) => void log.push(line),
    retryMilliseconds: 1,
    ...options,
  });
  if (around) started.wrap(around);
  pumps.push(started);
  return started;
}

/** From now on the stream has nothing through this sequence number, as DynamoDB after 24 hours; the engine keeps all. */
function removeThrough(last: number): void {
  const isRemoved = (input: object) => 'SequenceNumber' in input && Number(input.SequenceNumber) < last;
  const refused = new Set<string>();
  streams.middlewareStack.add(
    (next) => async (args) => {
      const input = args.input as object;
      if ('ShardIterator' in input && refused.has(input.ShardIterator as string))
        throw new TrimmedDataAccessException({ message: 'It is removed.', $metadata: {} });
      const isOldest = 'ShardIteratorType' in input && input.ShardIteratorType === 'TRIM_HORIZON';
      const oldest = { ...input, ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: String(last) };
      const result = await next(isOldest ? { ...args, input: oldest as typeof args.input } : args);
      if (isRemoved(input)) refused.add((result.output as { ShardIterator: string }).ShardIterator);
      return result;
    },
    { step: 'initialize' },
  );
}

/** Writes a thing that has events, by the attribute that the event source filters by, or an item that has none. */
const put = (id: number, entity: string | undefined = 'Thing') =>
  client.send(
    new PutItemCommand({
      TableName: tableName,
      Item: {
        PK: { S: 'A' },
        SK: { S: String(id) },
        Bytes: { B: Buffer.from([id]) },
        // The other consumer gets it.
        ...(entity ? { E: { S: entity } } : { Queue: { S: 'callbacks' } }),
      },
    }),
  );
const putAll = async (count: number) => {
  for (let id = 1; id <= count; id++) await put(id);
};
const idsOf = (records: readonly DynamoDBRecord[]) => records.map(({ dynamodb }) => Number(dynamodb?.Keys?.['SK']?.S));
/** A worker that takes all, and what it was given. */
function worker() {
  const ids: number[] = [];
  const sizes: number[] = [];
  const handler: BatchHandler = async ({ Records }) => {
    sizes.push(Records.length);
    ids.push(...idsOf(Records));
  };
  return { ids, sizes, handler };
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the stream', () => {
  test('passes every change to the worker, in order and in batches of at most the size', async () => {
    const { ids, sizes, handler } = worker();
    await putAll(25);
    await pump(handler, { batchSize: 10 }).drain();
    expect(ids).toEqual(upTo(25));
    expect(sizes).toEqual([10, 10, 5]);
  });

  test('is read in pages no larger than a batch: the engine ends none by its bytes', async () => {
    const limits: unknown[] = [];
    streams.middlewareStack.add(
      (next) => (args) => {
        if ('Limit' in args.input) limits.push(args.input.Limit);
        return next(args);
      },
      { step: 'initialize' },
    );
    await put(1);
    await pump(worker().handler).drain();
    const largest = Math.max(...Object.values(streamWorkers).map(({ stream }) => stream.batchSize));
    expect(new Set(limits)).toEqual(new Set([largest]));
  });

  test('passes records as Lambda does: images, bytes as base64, moments in seconds', async () => {
    const records: DynamoDBRecord[] = [];
    await put(7);
    await client.send(
      new UpdateItemCommand({
        TableName: tableName,
        Key: { PK: { S: 'A' }, SK: { S: '7' } },
        UpdateExpression: 'SET N = :n',
        ExpressionAttributeValues: { ':n': { N: '1.5' } },
      }),
    );
    await pump(async ({ Records }) => void records.push(...Records)).drain();
    expect(records.map(({ eventName }) => eventName)).toEqual(['INSERT', 'MODIFY']);
    expect(records[1]).toMatchObject({
      eventSource: 'aws:dynamodb',
      eventSourceARN: streamArn,
      dynamodb: {
        Keys: { PK: { S: 'A' }, SK: { S: '7' } },
        OldImage: { PK: { S: 'A' }, SK: { S: '7' }, Bytes: { B: 'Bw==' }, E: { S: 'Thing' } },
        NewImage: { PK: { S: 'A' }, SK: { S: '7' }, Bytes: { B: 'Bw==' }, E: { S: 'Thing' }, N: { N: '1.5' } },
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    });
    expect(Math.abs((records[0]?.dynamodb?.ApproximateCreationDateTime ?? 0) - Date.now() / 1000)).toBeLessThan(10);
  });

  test('keeps back what the event source filters out, and is done with it', async () => {
    const { ids, sizes, handler } = worker();
    await put(1);
    await put(2, '');
    await put(3);
    const Key = { PK: { S: 'A' }, SK: { S: '3' } };
    await client.send(new DeleteItemCommand({ TableName: tableName, Key }));
    await put(4, '');
    const first = pump(handler);
    await first.drain();
    await first.stop();
    expect([ids, sizes]).toEqual([[1, 3, 3], [3]]);
    await pump(handler, { around: async () => Promise.reject(new Error('nothing is left to hand over')) }).drain();
    expect(dead).toEqual([]);
    expect(readFileSync(checkpointFile(), 'utf8')).toContain('"5"');
  });

  test('goes on from the first record that the worker reports', async () => {
    const seen: number[][] = [];
    await putAll(6);
    await pump(async ({ Records }) => {
      seen.push(idsOf(Records));
      return seen.length === 1
        ? { batchItemFailures: [{ itemIdentifier: Records[3]?.dynamodb?.SequenceNumber ?? '' }] }
        : { batchItemFailures: [] };
    }).drain();
    expect(seen).toEqual([upTo(6), [4, 5, 6]]);
  });

  test('parts a poison record from its batch and leaves it, whole, in a file as Lambda writes it', async () => {
    const { ids, handler } = worker();
    await putAll(9);
    const around: Around = async (event, next) => {
      if (idsOf(event.Records).includes(5)) throw new Error('poison');
      return next(event);
    };
    await pump(handler, { around }).drain();
    expect(ids).toEqual([1, 2, 3, 4, 6, 7, 8, 9]);
    expect(dead.map((message) => JSON.parse(message) as unknown)).toEqual([
      {
        requestContext: {
          requestId: expect.any(String),
          functionArn: expect.stringMatching(/:function:event-queue$/),
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: 6,
        },
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
        version: '1.0',
        timestamp: expect.any(String),
        DDBStreamBatchInfo: {
          shardId: expect.any(String),
          startSequenceNumber: expect.any(String),
          endSequenceNumber: expect.any(String),
          approximateArrivalOfFirstRecord: expect.any(String),
          approximateArrivalOfLastRecord: expect.any(String),
          batchSize: 1,
          streamArn,
        },
        payload: expect.stringMatching(/^\{"Records":\[\{.*"NewImage":/),
      },
    ]);
  });

  test('repeats a batch whose worker was killed before the checkpoint, and none before it', async () => {
    await putAll(3);
    const first = worker();
    const before = pump(first.handler);
    await before.drain();
    await before.stop();
    const saved = readFileSync(checkpointFile(), 'utf8');
    await put(4);
    // The worker succeeds and the process dies before anyone has heard: its pump never goes on.
    const killed = worker();
    const reached = Promise.withResolvers<void>();
    const dying = pump(killed.handler, {
      around: async (event, next) => {
        await next(event);
        reached.resolve();
        return await new Promise(() => undefined);
      },
    });
    pumps.splice(pumps.indexOf(dying), 1);
    await reached.promise;
    expect(readFileSync(checkpointFile(), 'utf8')).toBe(saved);
    const second = worker();
    await pump(second.handler).drain();
    expect([first.ids, killed.ids, second.ids]).toEqual([[1, 2, 3], [4], [4]]);
  });

  test('goes on with the oldest change where those behind its position are removed, and says so once', async () => {
    const { ids, handler } = worker();
    await putAll(3);
    const before = pump(handler);
    await before.drain();
    await before.stop();
    for (const id of [4, 5, 6]) await put(id);
    removeThrough(5);
    await pump(handler).drain();
    expect(ids).toEqual([1, 2, 3, 6]);
    expect(log).toEqual([expect.stringMatching(/^event-queue: stream \S+ no longer has the change behind 0*3\. /)]);
  });

  test('begins no batch while it is paused', async () => {
    const { ids, handler } = worker();
    const stream = pump(handler);
    await stream.drain();
    await stream.pause();
    await put(1);
    stream.nudge();
    await new Promise((done) => setTimeout(done, 120));
    expect(ids).toEqual([]);
    stream.resume();
    await stream.drain();
    expect(ids).toEqual([1]);
  });

  test('reads a change after a nudge, whenever it would look by itself', async () => {
    const { ids, handler } = worker();
    const stream = pump(handler, { idle: () => 3_600_000 });
    await stream.drain();
    await put(1);
    stream.nudge();
    await expect.poll(() => ids).toEqual([1]);
  });

  test('reads a change without a nudge', async () => {
    const { ids, handler } = worker();
    await pump(handler).drain();
    await put(1);
    await expect.poll(() => ids).toEqual([1]);
  });
});
