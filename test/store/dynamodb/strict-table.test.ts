import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addStrictRules } from '../../../infra/strict-table.ts';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { type TestTable, startTable } from '../../support/stack/engine.ts';
import { externalEndpoint } from '../../support/stack/external.ts';

/*
 * Each case goes to the engine behind the strict rules. `npm run prove -- dynamodb` sends the same cases to DynamoDB
 * Local without the rules: it must refuse and allow the same.
 */
let engine: TestTable;
let client: DynamoDBClient;
beforeAll(async () => {
  engine = await startTable({ stream: false });
  client = new DynamoDBClient({ endpoint: engine.endpoint });
  if (externalEndpoint === undefined) addStrictRules(client);
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
});

const text = (S: string): AttributeValue => ({ S });
const long = (length: number): AttributeValue => text('x'.repeat(length));
const key = (PK = 'A#strict', SK = 'ITEM') => ({ PK: text(PK), SK: text(SK) });
const numbered = <Result>(count: number, make: (number: number) => Result): Result[] =>
  Array.from({ length: count }, (_, number) => make(number));

type Options = Record<string, unknown>;
const named = () => ({ TableName: engine.tableName });
const valued = (values: Record<string, AttributeValue>) => ({ ExpressionAttributeValues: values });

const query = (options: Options = {}) =>
  new QueryCommand({ ...named(), KeyConditionExpression: 'PK = :p', ...valued({ ':p': text('a') }), ...options });
const queryIndex = (options: Options = {}) =>
  query({ IndexName: 'GSI3', KeyConditionExpression: 'GSI3PK = :p', ...options });
const scanIndex = (options: Options = {}) => new ScanCommand({ ...named(), IndexName: 'GSI3', ...options });
const get = (Key: Record<string, AttributeValue>, options: Options = {}) =>
  new GetItemCommand({ ...named(), Key, ...options });
const put = (item: Record<string, AttributeValue>, options: Options = {}) =>
  new PutItemCommand({ ...named(), Item: { ...key(), ...item }, ...options });
const update = (UpdateExpression: string, options: Options = {}) =>
  new UpdateItemCommand({ ...named(), Key: key(), UpdateExpression, ...options });
const transact = (...items: Options[]) =>
  new TransactWriteItemsCommand({ TransactItems: items as unknown as { Put: never }[] });
const putOf = (item: Record<string, AttributeValue>, options: Options = {}) => ({
  Put: { ...named(), Item: { ...key(), ...item }, ...options },
});
const updateOf = (UpdateExpression: string, options: Options = {}) => ({
  Update: { ...named(), Key: key(), UpdateExpression, ...options },
});
const batchWrite = (...requests: Options[]) =>
  new BatchWriteItemCommand({ RequestItems: { [engine.tableName]: requests } });
const batchPut = (item: Record<string, AttributeValue>) => ({ PutRequest: { Item: { ...key(), ...item } } });
const batchGet = (Keys: Record<string, AttributeValue>[], options: Options = {}) =>
  new BatchGetItemCommand({ RequestItems: { [engine.tableName]: { Keys, ...options } } });

const a = valued({ ':a': text('a') });
/** PK and SK with their values; `A` is the name of the large attribute. */
const KEY_BYTES = 'PK'.length + 'SK'.length + 'A#strict0'.length + 'ITEM'.length;
const ITEM_BYTES = 400 * 1024;
const TRANSACTION_BYTES = 4 * 1024 * 1024;
const largeItem = (bytes: number, mark = '0') => ({ ...key(`A#strict${mark}`), A: long(bytes - KEY_BYTES - 1) });
const fullTransaction = (more: number) => [
  ...numbered(10, (number) => putOf(largeItem(ITEM_BYTES, `${number}`))),
  putOf(largeItem(TRANSACTION_BYTES - 10 * ITEM_BYTES + more, 'A')),
];
const precise = (digits: number): AttributeValue => ({ N: '1'.repeat(digits) });

type Request = () => { readonly input: object };
type Case = readonly [rule: string, message: RegExp, refused: Request];

const unprojected = /does not project \[?(Z|GSI1PK)\]?/;
const emptyKey = /key attribute cannot contain an empty string value/;
const emptySet = /set\s+may not be empty|sets should not be empty/;
const tooPrecise = /38 (significant )?digits/;
const unused = /unused in expressions|can only be specified when using expressions/;
const overlapping = /paths overlap|invalid for update/;
const twice = /multiple operations on one item|contains duplicates/;
const wrongKey = /provided key element does not match the schema|number of conditions on the keys is invalid/;
const wholeItem = { ...key(), A: text('a') };
const keyTooLong = /under 2048 bytes|exceeded the (maximum )?size limit/;

const refusals: readonly Case[] = [
  ['an attribute that an index does not project', unprojected, () => queryIndex({ ProjectionExpression: 'PK, Z' })],
  [
    'such an attribute by a placeholder',
    unprojected,
    () => queryIndex({ ProjectionExpression: '#0, #1', ExpressionAttributeNames: { '#0': 'GSI3SK', '#1': 'Z' } }),
  ],
  ['the key of another index', unprojected, () => queryIndex({ ProjectionExpression: 'GSI1PK' })],
  ['a part of such an attribute', unprojected, () => queryIndex({ ProjectionExpression: 'Z.Part' })],
  ['such an attribute in a scan of an index', unprojected, () => scanIndex({ ProjectionExpression: 'Z' })],
  [
    'a filter on an attribute that an index does not project',
    /does not project one or more filter attributes: \[Z\]/,
    () => queryIndex({ FilterExpression: 'attribute_exists(Z) AND F.S = :p' }),
  ],
  ['all attributes from an index', /ALL_ATTRIBUTES is not supported/, () => queryIndex({ Select: 'ALL_ATTRIBUTES' })],
  ['a consistent query of an index', /[Cc]onsistent read/, () => queryIndex({ ConsistentRead: true })],
  ['a consistent scan of an index', /[Cc]onsistent read/, () => scanIndex({ ConsistentRead: true })],

  ['an unused name', unused, () => query({ ExpressionAttributeNames: { '#a': 'A' } })],
  [
    'an unused name of a condition',
    unused,
    () => put({}, { ConditionExpression: 'A = :a', ...a, ExpressionAttributeNames: { '#a': 'A' } }),
  ],
  [
    'an unused name of an update',
    unused,
    () => update('SET A = :a', { ...a, ExpressionAttributeNames: { '#b': 'B' } }),
  ],
  ['an unused name of a batch', unused, () => batchGet([key()], { ExpressionAttributeNames: { '#a': 'A' } })],
  ['an unused name in a transaction', unused, () => transact(putOf({}, { ExpressionAttributeNames: { '#b': 'B' } }))],
  ['an unused value', unused, () => query(valued({ ':p': text('a'), ':q': text('a') }))],
  ['an unused value of an update', unused, () => update('SET A = :a', valued({ ':a': text('a'), ':b': text('b') }))],
  [
    'an unused value in a transaction',
    unused,
    () => transact(updateOf('SET A = :a', valued({ ':a': text('a'), ':b': text('b') }))),
  ],
  ['names without an expression', unused, () => get(key(), { ExpressionAttributeNames: { '#a': 'A' } })],
  ['values without an expression', unused, () => put({}, a)],
  ['no names', /must not be empty/, () => get(key(), { ProjectionExpression: 'A', ExpressionAttributeNames: {} })],
  ['an undefined name', /not defined/, () => query({ ProjectionExpression: '#b' })],
  ['an undefined name of a batch', /not defined/, () => batchGet([key()], { ProjectionExpression: '#b' })],
  [
    'an undefined name in a transaction',
    /not defined/,
    () => transact(putOf({}, { ConditionExpression: 'attribute_exists(#b)' })),
  ],
  ['an undefined value', /not defined/, () => query({ FilterExpression: 'A = :q' })],
  ['an undefined value of a condition', /not defined/, () => put({}, { ConditionExpression: 'A = :q' })],
  ['an undefined value of an update', /not defined/, () => update('SET A = :q')],

  ['a reserved word in a projection', /reserved keyword: Status/, () => query({ ProjectionExpression: 'Status' })],
  ['a reserved word in a path', /reserved keyword: Name/, () => query({ ProjectionExpression: 'A.Name' })],
  [
    'a reserved word in a filter',
    /reserved keyword: Name/,
    () => query({ FilterExpression: 'attribute_exists(Name)' }),
  ],
  [
    'a reserved word in a key condition',
    /reserved keyword: Hash/,
    () => query({ KeyConditionExpression: 'Hash = :p' }),
  ],
  ['a reserved word in an update', /reserved keyword: Data/, () => update('SET Data = :a', a)],
  [
    'a reserved word in a condition',
    /reserved keyword: Name/,
    () => put({}, { ConditionExpression: 'attribute_exists(Name)' }),
  ],

  ['a path within another in an update', overlapping, () => update('SET A = :a, A.b = :a', a)],
  ['the same path twice in an update', overlapping, () => update('SET A = :a REMOVE A', a)],
  [
    'the same path by two placeholders',
    overlapping,
    () => update('SET #0 = :a REMOVE #1', { ...a, ExpressionAttributeNames: { '#0': 'A', '#1': 'A' } }),
  ],
  ['overlapping paths in a transaction', overlapping, () => transact(updateOf('SET A = :a, A.b = :a', a))],
  ['overlapping paths in a projection', overlapping, () => query({ ProjectionExpression: 'A, A.b' })],
  ['an update of a key', /part of the key/, () => update('SET SK = :a', a)],

  ['a filter on a key', /non-primary key attributes/, () => query({ FilterExpression: 'SK > :p' })],
  [
    'a filter on a key of the index',
    /non-primary key attributes/,
    () => queryIndex({ FilterExpression: 'GSI3SK > :p' }),
  ],

  ['an empty key', emptyKey, () => put(key(''))],
  ['an empty sort key', emptyKey, () => get(key('a', ''))],
  ['an empty key of an index', emptyKey, () => put({ GSI3PK: text(''), GSI3SK: text('b') })],
  ['an empty key of an index in an update', emptyKey, () => update('SET GSI3PK = :a', valued({ ':a': text('') }))],
  ['a query of an empty key', emptyKey, () => query(valued({ ':p': text('') }))],
  ['a query of an empty key of an index', emptyKey, () => queryIndex(valued({ ':p': text('') }))],
  [
    'a range from an empty sort key',
    emptyKey,
    () =>
      query({
        KeyConditionExpression: 'PK = :p AND SK BETWEEN :s AND :t',
        ...valued({ ':p': text('a'), ':s': text(''), ':t': text('z') }),
      }),
  ],
  ['a whole item as a key', wrongKey, () => get(wholeItem)],
  ['a whole item among keys', wrongKey, () => batchGet([key(), wholeItem])],
  ['an update of a whole item', wrongKey, () => update('SET A = :a', { ...a, Key: wholeItem })],
  ['the removal of a whole item in a batch', wrongKey, () => batchWrite({ DeleteRequest: { Key: wholeItem } })],
  ['the removal of a whole item', wrongKey, () => transact({ Delete: { ...named(), Key: wholeItem } })],
  [
    'a check of a whole item',
    wrongKey,
    () => transact({ ConditionCheck: { ...named(), Key: wholeItem, ConditionExpression: 'attribute_not_exists(PK)' } }),
  ],
  ['an empty set', emptySet, () => put({ A: { SS: [] } })],
  ['an empty set of numbers', emptySet, () => put({ A: { NS: [] } })],
  ['an empty set of bytes', emptySet, () => put({ A: { BS: [] } })],
  ['an empty set within a list', emptySet, () => put({ A: { L: [{ M: { b: { SS: [] } } }] } })],
  ['an empty set of an update', emptySet, () => update('SET A = :a', valued({ ':a': { SS: [] } }))],
  [
    'an empty set of a filter',
    emptySet,
    () => query({ FilterExpression: 'A = :a', ...valued({ ':p': text('a'), ':a': { SS: [] } }) }),
  ],
  ['a value twice in a set', /contains duplicates/, () => put({ A: { SS: ['a', 'a'] } })],

  ['a key of 2,049 bytes', keyTooLong, () => put(key('x'.repeat(2_049)))],
  ['a key of 1,025 letters of two bytes', keyTooLong, () => get(key('é'.repeat(1_025)))],
  ['a sort key of 1,025 bytes', keyTooLong, () => put(key('a', 'x'.repeat(1_025)))],
  ['a key of an index of 2,049 bytes', /Size limit exceeded/, () => put({ GSI3PK: long(2_049), GSI3SK: text('b') })],
  [
    'a sort key of an index of 1,025 bytes',
    /Size limit exceeded/,
    () => put({ GSI3PK: text('a'), GSI3SK: long(1_025) }),
  ],
  [
    'such a key in a batch',
    /Size limit exceeded/,
    () => batchWrite(batchPut({ GSI3PK: text('a'), GSI3SK: long(1_025) })),
  ],
  [
    'such a key in a transaction',
    /Size limit exceeded/,
    () => transact(putOf({ GSI3PK: text('a'), GSI3SK: long(1_025) })),
  ],
  [
    'a range to a sort key of 1,025 bytes',
    keyTooLong,
    () => query({ KeyConditionExpression: 'PK = :p AND SK < :s', ...valued({ ':p': text('a'), ':s': long(1_025) }) }),
  ],
  [
    'a range that ends before it begins',
    /upper bound/,
    () =>
      query({
        KeyConditionExpression: 'PK = :p AND SK BETWEEN :s AND :t',
        ...valued({ ':p': text('a'), ':s': text('z'), ':t': text('a') }),
      }),
  ],
  [
    'a start outside the range',
    /starting key/,
    () =>
      query({
        KeyConditionExpression: 'PK = :p AND SK BETWEEN :s AND :t',
        ...valued({ ':p': text('a'), ':s': text('c'), ':t': text('d') }),
        ExclusiveStartKey: key('a', 'b'),
      }),
  ],
  ['a start in another partition', /starting key/, () => query({ ExclusiveStartKey: key('z', 'a') })],
  ['a limit of nothing', /Limit/, () => query({ Limit: 0 })],

  ['an item of 400 KB and a byte', /[Ii]tem size/, () => put(largeItem(ITEM_BYTES + 1))],
  ['an update to more than 400 KB', /[Ii]tem size/, () => update('SET A = :a', valued({ ':a': long(ITEM_BYTES) }))],
  ['an item of more than 400 KB in a batch', /[Ii]tem size/, () => batchWrite(batchPut(largeItem(ITEM_BYTES + 1)))],
  ['an item of more than 400 KB in a transaction', /[Ii]tem size/, () => transact(putOf(largeItem(ITEM_BYTES + 1)))],

  ['a number of 39 digits', tooPrecise, () => put({ A: precise(39) })],
  ['a fraction of 39 digits', tooPrecise, () => put({ A: { N: `0.${'1'.repeat(39)}` } })],
  ['such a number within a list', tooPrecise, () => put({ A: { L: [{ M: { b: precise(39) } }] } })],
  ['such a number in a set', tooPrecise, () => put({ A: { NS: ['1'.repeat(39)] } })],
  ['such a number in an update', tooPrecise, () => update('SET A = :a', valued({ ':a': precise(39) }))],
  [
    'such a number in a filter',
    tooPrecise,
    () => query({ FilterExpression: 'A = :a', ...valued({ ':p': text('a'), ':a': precise(39) }) }),
  ],
  ['a number of 10^126', /overflow/, () => put({ A: { N: '1e126' } })],

  ['an item twice in a transaction', twice, () => transact(putOf({}), updateOf('SET A = :a', a))],
  [
    'an item checked and written in a transaction',
    twice,
    () =>
      transact(putOf({}), { ConditionCheck: { ...named(), Key: key(), ConditionExpression: 'attribute_exists(PK)' } }),
  ],
  [
    'an item twice in a transaction of reads',
    twice,
    () => new TransactGetItemsCommand({ TransactItems: numbered(2, () => ({ Get: { ...named(), Key: key() } })) }),
  ],
  ['an item twice in a batch', twice, () => batchWrite(batchPut({}), { DeleteRequest: { Key: key() } })],
  ['an item twice in a batch of reads', twice, () => batchGet([key(), key()])],

  ['101 items in a transaction', /100/, () => transact(...numbered(101, (number) => putOf(key(`${number}`))))],
  ['no item in a transaction', /greater than or equal to 1/, () => transact()],
  ['4 MB and a byte in a transaction', /4MB/, () => transact(...fullTransaction(1))],
  [
    '26 items in a batch',
    /Too many items|25/,
    () => batchWrite(...numbered(26, (number) => batchPut(key(`${number}`)))),
  ],
  ['101 keys in a batch', /Too many items|100/, () => batchGet(numbered(101, (number) => key(`${number}`)))],
  [
    'a batch of more than 16 MB as it is sent',
    /.*/s,
    // Each byte is six in JSON.
    () => batchWrite(...numbered(10, (number) => batchPut({ ...key(`${number}`), A: text('\u0001'.repeat(300_000)) }))),
  ],
];

const allowed: readonly (readonly [string, Request])[] = [
  [
    'attributes and filters of an index',
    () => queryIndex({ ProjectionExpression: 'PK, GSI3SK, F.S', FilterExpression: 'F.S = :p' }),
  ],
  ['a filter of an index on a key of the table', () => queryIndex({ FilterExpression: 'SK > :p' })],
  ['a filter of a scan on a key', () => new ScanCommand({ ...named(), FilterExpression: 'SK > :a', ...a })],
  ['an attribute of a projection and a filter', () => query({ ProjectionExpression: 'A', FilterExpression: 'A = :p' })],
  ['an attribute by a placeholder', () => update('SET #a = :a', { ...a, ExpressionAttributeNames: { '#a': 'A' } })],
  ['a key of 2,048 bytes', () => put(key('x'.repeat(2_048)))],
  ['a sort key of 1,024 bytes', () => put(key('a', 'x'.repeat(1_024)))],
  ['keys of an index of that length', () => put({ GSI3PK: long(2_048), GSI3SK: long(1_024) })],
  ['an empty text that is no key', () => put({ A: text(''), GSI1PK: text('a') })],
  [
    'a start at the beginning of the range',
    () =>
      query({
        KeyConditionExpression: 'PK = :p AND SK BETWEEN :s AND :t',
        ...valued({ ':p': text('a'), ':s': text('c'), ':t': text('d') }),
        ExclusiveStartKey: key('a', 'c'),
      }),
  ],
  ['an item of 400 KB', () => put(largeItem(ITEM_BYTES))],
  ['a number of 38 digits', () => put({ A: precise(38) })],
  ['a number of 39 digits of which the last is 0', () => put({ A: { N: `1${'0'.repeat(38)}` } })],
  ['100 items in a transaction', () => transact(...numbered(100, (number) => putOf(key(`${number}`))))],
  ['4 MB in a transaction', () => transact(...fullTransaction(0))],
  ['25 items in a batch', () => batchWrite(...numbered(25, (number) => batchPut(key(`${number}`))))],
  ['100 keys in a batch', () => batchGet(numbered(100, (number) => key(`${number}`)))],
];

interface Refusal extends Error {
  readonly CancellationReasons?: readonly { readonly Code?: string; readonly Message?: string }[];
}

const send = (request: Request): Promise<Refusal | undefined> =>
  client.send(request() as GetItemCommand).then(
    () => undefined,
    (error: Refusal) => error,
  );

describe('the table refuses', () => {
  test.each(refusals)('%s', async (_, message, request) => {
    const error = await send(request);
    const reasons = (error?.CancellationReasons ?? []).map(({ Message = '' }) => Message);
    expect(error, 'the request').toBeDefined();
    expect([error?.message, ...reasons].join('\n')).toMatch(message);
  });
});

describe('the table allows', () => {
  test.each(allowed)('%s', async (_, request) => {
    expect(await send(request)).toBeUndefined();
  });
});

test('the table of a test refuses what an index does not have', async () => {
  const range = { index: 'GSI3', partition: 'A#strict', attributes: ['Z'] } as const;
  await expect(openTable().query(range)).rejects.toThrow('Global secondary index GSI3 does not project [Z]');
});
