import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Key } from '../keys.ts';
import { type Change, type Item, toPut, toTransactItem, toUpdate } from './changes.ts';
import { StoreConflict, StoreFull, StoreUnavailable, translateError } from './errors.ts';
import { type Where, filterParameters } from './indexes.ts';
import { Meter } from './meter.ts';

/** An index of the table, by the name that its keys begin with. */
export type IndexName = 'GSI1' | 'GSI2' | 'GSI3' | 'GSI4';

/**
 * A stretch of one partition, in the order of its sort key. `after` continues behind a place already had: a page's
 * `next`, or a sort key of the table.
 */
export interface Range {
  /** Of this index instead of the table; its entries may be a second old. */
  readonly index?: IndexName;
  readonly partition: string;
  /** First and last sort key, both inclusive; BETWEEN stays cheap where begins_with grows with the collection. */
  readonly from?: string;
  readonly to?: string;
  readonly after?: string | undefined;
  readonly descending?: boolean;
  readonly limit?: number;
  readonly consistent?: boolean;
  /** Attributes to bring; all when not given. The units are those of the whole items. */
  readonly attributes?: readonly string[];
  /**
   * What the facts `F` must be; the units are those of all that is read, met or not, and `limit` counts what is read.
   */
  readonly where?: Where;
}

/**
 * One page of a range; `next` is the place to continue after, when there may be more: the sort key, or of an index all
 * its keys.
 */
export interface Page {
  readonly items: Item[];
  readonly next: string | undefined;
}

/** Reads of the table, metered. */
export interface TableReader {
  readonly meter: Meter;
  get(key: Key, options?: { consistent?: boolean }): Promise<Item | undefined>;
  /**
   * At most 100 keys a request; more are asked for side by side. Missing items are left out; order is not kept.
   * `attributes` are those to bring, all when not given; the units are those of the whole items.
   */
  getMany(keys: readonly Key[], options?: { consistent?: boolean; attributes?: readonly string[] }): Promise<Item[]>;
  query(range: Range): Promise<Page>;
  /** How many items the range holds, read on keys only. */
  count(range: Range): Promise<number>;
}

/** Reads of the table, and the keeping of cursors. */
export interface TablePager extends TableReader {
  /** Puts one item that may be lost or put twice without harm. */
  keep(item: Item): Promise<void>;
}

/** Reads and writes of the table. */
export interface TableWriter extends TablePager {
  /**
   * All changes or none, at most 100. Survives a lost reply: the token makes a repeat harmless. Throws StoreConflict
   * when a condition fails.
   */
  commit(changes: readonly Change[]): Promise<void>;
  /**
   * One change outside a transaction, answered with the item as it is then. Only for changes that may be made twice.
   */
  update(change: Extract<Change, { update: Key }>): Promise<Item>;
  /** Puts and removals without order or atomicity, 25 a request; only for items that may be put twice. */
  putMany(items: readonly Item[], removals?: readonly Key[]): Promise<void>;
}

const clients = new Map<string, DynamoDBDocumentClient>();

/** One client an endpoint, made at first use, so that importing this file has no effect. */
export function documentClient(endpoint = ''): DynamoDBDocumentClient {
  const existing = clients.get(endpoint);
  if (existing) return existing;
  const client = new DynamoDBClient({
    ...(endpoint ? { endpoint } : {}),
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 6_000 },
  });
  const made = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  clients.set(endpoint, made);
  return made;
}

const unitsOf = (answer: {
  ConsumedCapacity?: { CapacityUnits?: number | undefined } | { CapacityUnits?: number | undefined }[] | undefined;
}): number => [answer.ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);

const chunks = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size));

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

/** Full jitter, so that callers who collided once do not collide again: 0–10, 0–20, 0–40 … milliseconds. */
const backoff = (attempt: number) => pause(Math.random() * 10 * 2 ** attempt);

/**
 * Opens the table for one call or one batch, with a meter of its own. Every failure it throws is a StoreConflict (a
 * condition did not hold) or StoreUnavailable (throttled, away, or out of time).
 */
export function openTable({
  tableName = process.env['TABLE_NAME'] ?? '',
  endpoint = '',
  meter = new Meter(),
} = {}): TableWriter {
  const client = () => documentClient(endpoint);
  const capacity = { TableName: tableName, ReturnConsumedCapacity: 'TOTAL' } as const;

  function queryParameters({
    index,
    partition,
    from,
    to,
    after,
    descending = false,
    limit,
    consistent = false,
    attributes = [],
    where = {},
  }: Range) {
    const [partitionKey, sortKey] = [`${index ?? ''}PK`, `${index ?? ''}SK`];
    const low = from ?? '';
    const high = to ?? '\u{10FFFF}';
    const bounded = from !== undefined || to !== undefined;
    const { names, values, ...filter } = filterParameters(where);
    const projected = Object.fromEntries(attributes.map((name, place) => [`#${place}`, name]));
    return {
      ...capacity,
      ...(index ? { IndexName: index } : {}),
      KeyConditionExpression: bounded
        ? `${partitionKey} = :partition AND ${sortKey} BETWEEN :low AND :high`
        : `${partitionKey} = :partition`,
      ExpressionAttributeValues: {
        ':partition': partition,
        ...(bounded ? { ':low': low || ' ', ':high': high } : {}),
        ...values,
      },
      ...filter,
      ScanIndexForward: !descending,
      ConsistentRead: consistent,
      ...(limit ? { Limit: limit } : {}),
      ...(after
        ? { ExclusiveStartKey: index ? (JSON.parse(after) as Record<string, string>) : { PK: partition, SK: after } }
        : {}),
      ...(attributes.length ? { ProjectionExpression: Object.keys(projected).join(', ') } : {}),
      ...(attributes.length || filter.FilterExpression ? { ExpressionAttributeNames: { ...projected, ...names } } : {}),
    };
  }

  /** Where a query goes on: in the table behind a sort key, in an index behind all keys of an entry, in one text. */
  const placeOf = (last: Record<string, unknown> | undefined, { index }: Range): string | undefined =>
    last && (index ? JSON.stringify(last) : (last['SK'] as string));

  async function read({ PK, SK }: Key, consistent: boolean): Promise<Item | undefined> {
    const request = new GetCommand({ ...capacity, Key: { PK, SK }, ConsistentRead: consistent });
    return (await translateError(meter.measure('read', () => client().send(request), unitsOf))).Item as
      Item | undefined;
  }

  async function getChunk(keys: readonly Key[], consistent: boolean, attributes: readonly string[]): Promise<Item[]> {
    const names = Object.fromEntries(attributes.map((name, place) => [`#${place}`, name]));
    const projection = attributes.length
      ? { ProjectionExpression: Object.keys(names).join(', '), ExpressionAttributeNames: names }
      : {};
    const found: Item[] = [];
    let wanted: Key[] = [...keys];
    for (let attempt = 0; wanted.length; attempt++) {
      if (attempt) await backoff(attempt);
      const request = new BatchGetCommand({
        RequestItems: { [tableName]: { Keys: wanted, ConsistentRead: consistent, ...projection } },
        ReturnConsumedCapacity: 'TOTAL',
      });
      const answer = await translateError(meter.measure('read', () => client().send(request), unitsOf));
      found.push(...((answer.Responses?.[tableName] ?? []) as Item[]));
      wanted = (answer.UnprocessedKeys?.[tableName]?.Keys ?? []) as unknown as Key[];
    }
    return found;
  }

  async function writeChunk(requests: { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Key } }[]): Promise<void> {
    let wanted = requests;
    for (let attempt = 0; wanted.length; attempt++) {
      if (attempt) await backoff(attempt);
      const request = new BatchWriteCommand({ RequestItems: { [tableName]: wanted }, ReturnConsumedCapacity: 'TOTAL' });
      const answer = await translateError(meter.measure('write', () => client().send(request), unitsOf));
      wanted = (answer.UnprocessedItems?.[tableName] ?? []) as unknown as typeof requests;
    }
  }

  /**
   * A change of one item needs no transaction, which costs twice as much. Its reply may be lost and the SDK's repeat
   * then refused by the very condition that the first try fulfilled: the mark left in the item tells "already mine"
   * from "another's". Where somebody has built later versions upon it, the mark is gone and nobody can tell: to call
   * that a conflict would have it done a second time.
   */
  async function putOnce({ put, if: condition }: Extract<Change, { put: Item }>): Promise<void> {
    const W = randomUUID();
    const request = new PutCommand({
      ...capacity,
      ...toPut(tableName, { put: { ...put, W }, ...(condition ? { if: condition } : {}) }),
    });
    try {
      await translateError(meter.measure('write', () => client().send(request), unitsOf));
    } catch (error) {
      if (!(error instanceof StoreConflict) || !error.repeated) throw error;
      const now = await read(put, true);
      if (now?.['W'] === W) return;
      const later = Number(now?.['V']) > Number(put['V']);
      throw later
        ? new StoreUnavailable('whether this version was made before later ones is not known', { cause: error })
        : error;
    }
  }

  return {
    meter,
    get: (key, { consistent = true } = {}) => read(key, consistent),
    async getMany(keys, { consistent = true, attributes = [] } = {}) {
      return (await Promise.all(chunks(keys, 100).map((chunk) => getChunk(chunk, consistent, attributes)))).flat();
    },
    async query(range) {
      const request = new QueryCommand(queryParameters(range));
      const answer = await translateError(meter.measure('read', () => client().send(request), unitsOf));
      return { items: (answer.Items ?? []) as Item[], next: placeOf(answer.LastEvaluatedKey, range) };
    },
    async count(range) {
      let total = 0;
      let after = range.after;
      do {
        const request = new QueryCommand({ ...queryParameters({ ...range, after }), Select: 'COUNT' });
        const answer = await translateError(meter.measure('read', () => client().send(request), unitsOf));
        total += answer.Count ?? 0;
        after = placeOf(answer.LastEvaluatedKey, range);
      } while (after !== undefined);
      return total;
    },
    async keep(item) {
      const request = new PutCommand({ ...capacity, Item: item });
      await translateError(meter.measure('write', () => client().send(request), unitsOf));
    },
    async commit(changes) {
      if (changes.length === 0) return;
      const [only] = changes;
      if (changes.length === 1 && only && 'put' in only) return putOnce(only);
      if (changes.length > 100) throw new StoreFull(`a transaction takes at most 100 changes, got ${changes.length}`);
      const ClientRequestToken = randomUUID();
      for (let attempt = 0; ; attempt++) {
        const request = new TransactWriteCommand({
          ClientRequestToken,
          TransactItems: changes.map((change) => toTransactItem(tableName, change)),
          ReturnConsumedCapacity: 'TOTAL',
        });
        try {
          await translateError(meter.measure('write', () => client().send(request), unitsOf));
          return;
        } catch (error) {
          // Another transaction held one of the items at that moment, or the table was throttled: the same transaction
          // may pass a little later.
          const passing =
            error instanceof StoreConflict ? error.transient : error instanceof StoreUnavailable && error.throttled;
          if (!passing || attempt === 8) throw error;
          await backoff(attempt);
        }
      }
    },
    async update(change) {
      const request = new UpdateCommand({ ...capacity, ...toUpdate(change), ReturnValues: 'ALL_NEW' });
      return (await translateError(meter.measure('write', () => client().send(request), unitsOf))).Attributes as Item;
    },
    async putMany(items, removals = []) {
      const requests = [
        ...items.map((Item) => ({ PutRequest: { Item } })),
        ...removals.map((Key) => ({ DeleteRequest: { Key } })),
      ];
      await Promise.all(chunks(requests, 25).map(writeChunk));
    },
  };
}
