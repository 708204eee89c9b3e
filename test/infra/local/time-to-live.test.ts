import {
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { DescribeStreamCommand, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureTable } from '../../../infra/local/create-table.ts';
import { ShardReader } from '../../../infra/local/shards.ts';
import { TimeToLive } from '../../../infra/local/time-to-live.ts';
import { until } from '../../support/stack/process.ts';
import { testStack } from '../../support/stack/stack.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const seconds = () => Math.floor(Date.now() / 1000);

let client: DynamoDBClient;
let streams: DynamoDBStreamsClient;
let streamArn: string;
let tableName: string;
let timeToLive: TimeToLive;
let nudges: number;

beforeEach(async () => {
  const { DynamoDBEndpoint: endpoint, Region: region } = testStack();
  client = new DynamoDBClient({ endpoint, region, credentials });
  streams = new DynamoDBStreamsClient({ endpoint, region, credentials });
  tableName = `ttl-${process.hrtime.bigint()}`;
  ({ streamArn } = await ensureTable(client, tableName));
  nudges = 0;
  timeToLive = new TimeToLive({ client, tableName, onRemoved: () => nudges++, log: () => undefined });
});
afterEach(async () => {
  await timeToLive.stop();
  streams.destroy();
});

/** Puts an item; `TTL` in seconds since 1970, or a text. */
const put = (SK: string, TTL?: number | string) =>
  client.send(
    new PutItemCommand({
      TableName: tableName,
      Item: {
        PK: { S: 'a' },
        SK: { S: SK },
        E: { S: 'Contact' },
        ...(TTL === undefined ? {} : { TTL: typeof TTL === 'string' ? { S: TTL } : { N: String(TTL) } }),
      },
    }),
  );

/** The sort keys of the first page. */
const left = async () => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: tableName }));
  return Items.map(({ SK }) => SK?.S);
};

test('items whose time is over go, all others stay', async () => {
  await put('b over', seconds() - 10);
  await put('c later', seconds() + 600);
  await put('d lasting');
  await put('e of another type', '1');
  await put('f over', 1);
  expect([await timeToLive.sweep(), nudges]).toEqual([2, 1]);
  expect(await left()).toEqual(['c later', 'd lasting', 'e of another type']);
  expect([await timeToLive.sweep(), nudges]).toEqual([0, 1]);
});

test('a page is of at most 1,000 items, because the engine answers nobody while it reads a page', async () => {
  const items = Array.from({ length: 1_100 }, (_, index) => ({ PK: { S: 'a' }, SK: { S: String(index) } }));
  for (let from = 0; from < items.length; from += 100) {
    const TransactItems = items.slice(from, from + 100).map((Item) => ({ Put: { TableName: tableName, Item } }));
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
  }
  await put('z over', 1);
  const pages: (number | undefined)[] = [];
  client.middlewareStack.add((next) => async (input) => {
    const result = await next(input);
    if ('ScannedCount' in result.output) pages.push(result.output.ScannedCount);
    return result;
  });
  expect([await timeToLive.sweep(), pages]).toEqual([1, [1_000, 101]]);
});

test('a table of many pages is looked through to its end', async () => {
  // A page is 1 MB, so that the last of eight is on the third.
  const Text = { S: 'x'.repeat(300_000) };
  for (let number = 1; number <= 8; number++) {
    const TTL = { N: number < 8 ? '10000000000' : '1' };
    const Item = { PK: { S: 'a' }, SK: { S: String(number) }, Text, TTL };
    await client.send(new PutItemCommand({ TableName: tableName, Item }));
  }
  expect([await timeToLive.sweep(), (await left()).length]).toEqual([1, 3]);
});

test('it goes on by itself, also after it could not', async () => {
  const troubles: string[] = [];
  const name = `${tableName}-later`;
  const own = new TimeToLive({
    client,
    tableName: name,
    onRemoved: () => nudges++,
    log: (line) => troubles.push(line),
    everyMilliseconds: 5,
  });
  await until(() => troubles.length > 0);
  await ensureTable(client, name);
  await client.send(new PutItemCommand({ TableName: name, Item: { PK: { S: 'a' }, SK: { S: 'b' }, TTL: { N: '1' } } }));
  await until(() => nudges === 1);
  await own.stop();
  expect(troubles[0]).toMatch(/^time to live: ResourceNotFound/);
});

test('the stream names DynamoDB as the user of an expiry, and no user of any other removal', async () => {
  await put('b', seconds() - 10);
  await timeToLive.sweep();
  await put('c', seconds() + 600);
  await client.send(new DeleteItemCommand({ TableName: tableName, Key: { PK: { S: 'a' }, SK: { S: 'c' } } }));
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: streamArn }));
  const shardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
  const reader = new ShardReader({ client: streams, streamArn, shardId, batchSize: 100, from: undefined });
  const { records } = await reader.next();
  expect(records.map(({ eventName, userIdentity }) => [eventName, userIdentity])).toEqual([
    ['INSERT', undefined],
    ['REMOVE', { type: 'Service', principalId: 'dynamodb.amazonaws.com' }],
    ['INSERT', undefined],
    ['REMOVE', undefined],
  ]);
});
