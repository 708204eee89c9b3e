import { randomBytes, randomUUID } from 'node:crypto';
import {
  type BatchWriteCommandInput,
  type DynamoDBDocumentClient,
  BatchGetCommand,
  BatchWriteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import DataLoader from 'dataloader';
import { mapWithConcurrency, retry } from '../../shared/promises.ts';
import { MAX_BATCH_READS, MAX_BATCH_WRITES, MAX_TRANSACTION_CHANGES } from '../../shared/limits.ts';
import { type Actor, type Key, type StoredActor, attributes, storeActor, toKey, keyText } from '../keys.ts';
import {
  type Change,
  type Item,
  type TransactionChange,
  commitBehind,
  partChanges,
  toPut,
  toTransactItem,
  toUpdate,
} from './changes.ts';
import { configuredAccounts, newRevisionChange } from './configuration-revision.ts';
import { mayRecover, StoreConflict, StoreFull, StoreUnavailable, translateError } from './errors.ts';
import { type Where, filterParameters } from './filters.ts';
import { documentClient, Meter, WaitBudget, waitUntil } from './client.ts';

/** An index of the table, by the prefix of its key names. */
export type IndexName = 'GSI1' | 'GSI2' | 'GSI3' | 'GSI4';

/** A part of one partition, in the order of its sort key. */
export interface Range {
  /** Reads this index instead of the table; its entries may be a second old. */
  readonly index?: IndexName;
  readonly partition: string;
  /**
   * First and last sort key, both inclusive; BETWEEN stays cheap, while begins_with costs more as the collection grows.
   */
  readonly from?: string;
  readonly to?: string;
  /** Continues after it: a page's `next`, or a sort key of the table. */
  readonly after?: string | undefined;
  readonly descending?: boolean;
  readonly limit?: number;
  readonly consistent?: boolean;
  /** Attributes to return; all by default. The units are those of the whole items. */
  readonly attributes?: readonly string[];
  /** The required facts. Units and `limit` count everything that is read, matching or not. */
  readonly where?: Where;
}

export interface RangePage {
  readonly items: Item[];
  /** Where to continue if there may be more: after a sort key, or in an index after all keys of an entry, as JSON. */
  readonly next: string | undefined;
  /** Number of items read, matching or not; for a table in memory, the number of matches. */
  readonly read?: number | undefined;
}

interface ManyOptions {
  readonly consistent?: boolean;
  readonly attributes?: readonly string[];
}

/** What a call has read consistently of values that containers keep, by cache and name. */
type CurrentValues = Map<object, Map<string, Promise<unknown>>>;

type ConfigurationRevisions = Map<string, Promise<string>>;

/** Metered reads of the table. */
export interface TableReader {
  readonly meter: Meter;
  /** For a call that writes (cached-values.ts): its decisions use nothing that a container keeps. */
  readonly currentValues?: CurrentValues;
  /** The configuration revisions that the call has read, by account (configuration-revision.ts). */
  readonly configurationRevisions: ConfigurationRevisions;
  get(key: Key, options?: { consistent?: boolean }): Promise<Item | undefined>;
  /** In concurrent requests of 100 keys. Without missing items; in no order. `attributes` as in a Range. */
  getMany(keys: readonly Key[], options?: ManyOptions): Promise<Item[]>;
  query(range: Range): Promise<RangePage>;
}

/** Reads of the table, and writes of cursors and other items that can be made again. */
export interface TablePager extends TableReader {
  /** Puts one item that may be lost or put twice without harm. */
  writeCached(item: Item): Promise<void>;
}

/** Reads and writes of the table. */
export interface TableWriter extends TablePager {
  /**
   * Makes all changes or none, at most 100. Survives a lost reply: the token makes a repeat harmless. Throws
   * StoreConflict if a condition fails; with `repeat: false` also immediately if another transaction holds an item.
   * Items that are `ahead` are put before, and taken back if certainly nothing was changed.
   */
  commit(changes: readonly Change[], options?: { repeat?: boolean }): Promise<void>;
  /** One change outside a transaction; returns the item after it. Only for changes that may be made twice. */
  update(change: Extract<Change, { update: Key }>): Promise<Item>;
  /** Puts and removals without order or atomicity, 25 per request; only for items that may be put twice. */
  putMany(items: readonly Item[], removals?: readonly Key[]): Promise<void>;
}

/** The table for a call that writes. Another attempt of the call clears `currentValues`, and reads them again. */
export const withCurrentValues = <Table extends TableReader>(table: Table): Table => ({
  ...table,
  currentValues: new Map(),
});

/** A table that a worker may wait for. */
export interface PatientTable extends TableWriter {
  /** The same table and meter; requests are retried until this moment at most, milliseconds since 1970. */
  until(deadline: number): PatientTable;
}

/** Concurrent batch writes of one call: a client has 50 connections, and other calls need some. */
const MAX_BATCHES_AT_ONCE = 20;

/** Random, 72 bits: distinguishes the writes of one item. */
const newWriteMark = (): string => randomBytes(9).toString('base64url');

/** The `TTL` of an item that expires `seconds` after `now`. */
export const ttlAfter = (now: Date, seconds: number): number => Math.floor(now.getTime() / 1000) + seconds;

interface Consumed {
  readonly $metadata: { readonly attempts?: number | undefined };
  ConsumedCapacity?: { CapacityUnits?: number | undefined } | { CapacityUnits?: number | undefined }[] | undefined;
}

type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

const unitsOf = ({ ConsumedCapacity = [] }: Consumed): number =>
  [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);

const uniqueKeys = (keys: readonly Key[]): Key[] => [...new Map(keys.map((key) => [keyText(key), key])).values()];

export const chunks = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size));

function queryParameters({
  index,
  partition,
  from,
  to,
  after,
  descending = false,
  limit,
  consistent = false,
  attributes: projected = [],
  where,
}: Range) {
  const [partitionKey, sortKey] = [`${index ?? ''}PK`, `${index ?? ''}SK`];
  const isBounded = from !== undefined || to !== undefined;
  const { names: filterNames, values, ...filter } = where ? filterParameters(where) : { names: {}, values: {} };
  const { ProjectionExpression, ExpressionAttributeNames: projectedNames } = projection(projected);
  const names = { ...projectedNames, ...filterNames };
  return {
    ...(index ? { IndexName: index } : {}),
    KeyConditionExpression: `${partitionKey} = :partition${isBounded ? ` AND ${sortKey} BETWEEN :low AND :high` : ''}`,
    ExpressionAttributeValues: {
      ':partition': partition,
      ...(isBounded ? { ':low': from || ' ', ':high': to ?? '\u{10FFFF}' } : {}),
      ...values,
    },
    ...filter,
    ScanIndexForward: !descending,
    ConsistentRead: consistent,
    ...(limit ? { Limit: limit } : {}),
    ...(after
      ? { ExclusiveStartKey: index ? (JSON.parse(after) as Record<string, string>) : { PK: partition, SK: after } }
      : {}),
    ...(ProjectionExpression ? { ProjectionExpression } : {}),
    ...(Object.keys(names).length ? { ExpressionAttributeNames: names } : {}),
  };
}

function projection(names: readonly string[]) {
  if (!names.length) return {};
  const placeholders = Object.fromEntries(names.map((name, place) => [`#${place}`, name]));
  return { ProjectionExpression: Object.keys(placeholders).join(', '), ExpressionAttributeNames: placeholders };
}

const placeOf = (last: Record<string, unknown> | undefined, { index }: Range): string | undefined =>
  last && (index ? JSON.stringify(last) : String(last['SK']));

/** Another transaction held an item at that moment, or the table was throttled: the same transaction may pass later. */
const mayPassLater = (error: unknown): boolean =>
  error instanceof StoreConflict ? error.transient : error instanceof StoreUnavailable && error.throttled;

export interface TableOptions {
  readonly tableName?: string;
  readonly endpoint?: string;
  readonly meter?: Meter;
  /** Shared by the call's requests; without one, each request has its own. */
  readonly waitBudget?: WaitBudget;
  /** Shared by the call, if it opens the table more than once. */
  readonly configurationRevisions?: ConfigurationRevisions;
  /**
   * Requests are retried until then, milliseconds since 1970, while the table is unavailable, throttled or denied.
   * Without it they end soon, because a caller waits.
   */
  readonly deadline?: number;
}

/** Without a deadline, a batch that the table leaves unfinished is sent this many times, for about 4 seconds. */
const MAX_BATCH_ATTEMPTS = 12;
/** The waits between the attempts of a table with a deadline, in milliseconds. */
const PATIENT = { firstWait: 100, longestWait: 5_000 };

/**
 * Opens the table for one call or one batch, with its own meter. Every failure it throws is a StoreConflict (a
 * condition did not hold) or StoreUnavailable (throttled, unavailable, or out of time). It is one closure because every
 * request needs the same client, meter and deadline, which a class would name at each use.
 */
export function openTable({
  tableName = process.env['TABLE_NAME'] ?? '',
  endpoint = '',
  meter = new Meter(),
  waitBudget,
  configurationRevisions = new Map(),
  deadline,
}: TableOptions = {}): PatientTable {
  const common = { TableName: tableName, ReturnConsumedCapacity: 'TOTAL' } as const;

  const metered = <Output extends Consumed>(
    kind: 'read' | 'write',
    request: (client: DynamoDBDocumentClient, options: { abortSignal: AbortSignal }) => Promise<Output>,
  ): Promise<Output> => {
    const attempt = () => {
      const budget = waitBudget ?? new WaitBudget(deadline === undefined ? undefined : waitUntil(deadline));
      const answer = () => budget.send((abortSignal) => request(documentClient(endpoint), { abortSignal }));
      return translateError(meter.measure(kind, answer, unitsOf));
    };
    return deadline === undefined ? attempt() : retry(attempt, { isTransient: mayRecover, deadline, ...PATIENT });
  };

  /** Sends values, and resends those that `send` returns as not done, until none is left. */
  async function sendAll<Value>(values: readonly Value[], send: (values: readonly Value[]) => Promise<Value[]>) {
    const unprocessed = new StoreUnavailable('The table is throttled: it left a part of a batch.', { throttled: true });
    let remaining = values;
    await retry(
      async () => {
        remaining = await send(remaining);
        if (remaining.length) throw unprocessed;
      },
      {
        isTransient: (error) => error === unprocessed,
        ...(deadline === undefined ? { maxAttempts: MAX_BATCH_ATTEMPTS } : { deadline }),
      },
    );
  }

  async function getItem({ PK, SK }: Key, consistent: boolean): Promise<Item | undefined> {
    const command = new GetCommand({ ...common, Key: { PK, SK }, ConsistentRead: consistent });
    return (await metered('read', (client, options) => client.send(command, options))).Item as Item | undefined;
  }

  async function getChunk(
    keys: readonly Key[],
    { consistent = true, attributes: projected = [] }: ManyOptions,
  ): Promise<Item[]> {
    const found: Item[] = [];
    // A whole item may serve as a key, as in getItem; DynamoDB refuses a key with other attributes.
    const plain = keys.map(toKey);
    await sendAll(plain, async (remaining) => {
      const command = new BatchGetCommand({
        RequestItems: { [tableName]: { Keys: [...remaining], ConsistentRead: consistent, ...projection(projected) } },
        ReturnConsumedCapacity: 'TOTAL',
      });
      const { Responses, UnprocessedKeys } = await metered('read', (client, options) => client.send(command, options));
      found.push(...((Responses?.[tableName] ?? []) as Item[]));
      return (UnprocessedKeys?.[tableName]?.Keys ?? []) as Key[];
    });
    return found;
  }

  const getChunks = async (keys: readonly Key[], options: ManyOptions): Promise<Item[]> =>
    (await Promise.all(chunks(keys, MAX_BATCH_READS).map((chunk) => getChunk(chunk, options)))).flat();

  /** Reads of whole items that begin in the same turn of the event loop are combined into one request. */
  const loader = (consistent: boolean) =>
    new DataLoader<Key, Item | undefined>(
      async (keys) => {
        const [first, ...others] = new Map(keys.map((key) => [keyText(key), key] as const)).values();
        if (first && !others.length) {
          const item = await getItem(first, consistent);
          return keys.map(() => item);
        }
        const items = first ? await getChunk([first, ...others], { consistent }) : [];
        const found = new Map(items.map((item) => [keyText(item), item]));
        return keys.map((key) => found.get(keyText(key)));
      },
      { cache: false, maxBatchSize: MAX_BATCH_READS },
    );
  const [consistentLoader, eventualLoader] = [loader(true), loader(false)];
  const load = (key: Key, consistent: boolean) => (consistent ? consistentLoader : eventualLoader).load(key);

  const writeChunk = (requests: readonly WriteRequest[]): Promise<void> =>
    sendAll(requests, async (remaining) => {
      const command = new BatchWriteCommand({
        RequestItems: { [tableName]: [...remaining] },
        ReturnConsumedCapacity: 'TOTAL',
      });
      const { UnprocessedItems } = await metered('write', (client, options) => client.send(command, options));
      return UnprocessedItems?.[tableName] ?? [];
    });

  /**
   * A put of one item is not a transaction, which costs twice the units of the item: 2 instead of 1 for a note, 23
   * instead of 14 for a line of a proposal. If its reply is lost, the SDK repeats it and the condition fails, so the
   * write mark in the item shows whether the first attempt was made.
   */
  async function putOnce({ put, if: condition }: Extract<TransactionChange, { put: Item }>): Promise<void> {
    const mark = newWriteMark();
    const item = { ...put, [attributes.writeMark]: mark };
    const command = new PutCommand({
      ...common,
      ...toPut(tableName, { put: item, ...(condition ? { if: condition } : {}) }),
    });
    let attempts = 0;
    try {
      await metered('write', (client, options) => {
        attempts++;
        return client.send(command, options);
      });
    } catch (error) {
      if (!(error instanceof StoreConflict) || !(error.repeated || attempts > 1)) throw error;
      const stored = await getItem(put, true);
      if (stored?.[attributes.writeMark] === mark) return;
      // Another call has built on one of the two: a conflict would repeat the write.
      if (Number(stored?.[attributes.version]) > Number(put[attributes.version]))
        throw new StoreUnavailable('A later version exists: whether this one was written is not known.', {
          cause: error,
        });
      throw error;
    }
  }

  /** Makes a transaction, or its only change without one. */
  async function transact(
    changes: readonly TransactionChange[],
    { repeat = true }: { repeat?: boolean },
  ): Promise<void> {
    const [only] = changes;
    if (!only) return;
    if (changes.length === 1 && 'put' in only) return putOnce(only);
    if (changes.length > MAX_TRANSACTION_CHANGES)
      throw new StoreFull(`A transaction takes at most ${MAX_TRANSACTION_CHANGES} changes, not ${changes.length}.`);
    const command = new TransactWriteCommand({
      ClientRequestToken: randomUUID(),
      TransactItems: changes.map((change) => toTransactItem(tableName, change)),
      ReturnConsumedCapacity: 'TOTAL',
    });
    await retry(() => metered('write', (client, options) => client.send(command, options)), {
      isTransient: mayPassLater,
      maxAttempts: repeat ? 9 : 1,
    });
  }

  const opened: PatientTable = {
    meter,
    configurationRevisions,
    until: (moment) => openTable({ tableName, endpoint, meter, deadline: Math.min(moment, deadline ?? moment) }),
    async get(key, { consistent = true } = {}) {
      const item = await load(key, consistent);
      return item;
    },
    async getMany(keys, options = {}) {
      const { consistent = true, attributes: projected = [] } = options;
      const found = await (projected.length
        ? getChunks(keys, options)
        : Promise.all(uniqueKeys(keys).map((key) => load(key, consistent))));
      return found.filter((item) => item !== undefined);
    },
    async query(range) {
      const command = new QueryCommand({ ...common, ...queryParameters(range) });
      const {
        Items = [],
        ScannedCount: read,
        LastEvaluatedKey,
      } = await metered('read', (client, options) => client.send(command, options));
      return { items: Items as Item[], next: placeOf(LastEvaluatedKey, range), read };
    },
    async writeCached(Item) {
      const command = new PutCommand({ ...common, Item });
      await metered('write', (client, options) => client.send(command, options));
    },
    async commit(changes, options = {}) {
      const { transaction, ahead } = partChanges(changes);
      const accounts = configuredAccounts(transaction);
      const whole = [...transaction, ...accounts.map(newRevisionChange)];
      await commitBehind(opened, ahead, () => transact(whole, options));
      for (const account of accounts) configurationRevisions.delete(account);
    },
    async update(change) {
      const command = new UpdateCommand({ ...common, ...toUpdate(change), ReturnValues: 'ALL_NEW' });
      return (await metered('write', (client, options) => client.send(command, options))).Attributes as Item;
    },
    async putMany(items, removals = []) {
      const requests: WriteRequest[] = [
        ...items.map((Item) => ({ PutRequest: { Item } })),
        ...removals.map((Key) => ({ DeleteRequest: { Key } })),
      ];
      await mapWithConcurrency(chunks(requests, MAX_BATCH_WRITES), MAX_BATCHES_AT_ONCE, writeChunk);
    },
  };
  return opened;
}

/** Adds the actor to the records among items: those with a kind, whose changes are events. */
const stampItem = <Of extends Item>(item: Of, actor: StoredActor): Of =>
  attributes.entity in item && !(attributes.actor in item) ? { ...item, [attributes.actor]: actor } : item;

/** An update that increments the version is one of a record too. */
function stampUpdate<Of extends Extract<Change, { update: unknown }>>(change: Of, actor: StoredActor): Of {
  const { add = {}, set = {} } = change;
  if (!(attributes.version in add) || attributes.actor in set) return change;
  return { ...change, set: { ...set, [attributes.actor]: actor } };
}

function stamp(change: Change, actor: StoredActor): Change {
  if ('put' in change) return { ...change, put: stampItem(change.put, actor) };
  return 'update' in change ? stampUpdate(change, actor) : change;
}

const isPatient = (table: TableWriter): table is PatientTable => 'until' in table;

/**
 * The table with `actor` in every record that is written through it without another one, so that the event of the
 * change names that actor.
 */
export function asActor<Table extends TableWriter>(table: Table, actor: Actor): Table {
  const stored = storeActor(actor);
  return {
    ...table,
    commit: (changes: readonly Change[], options?: { repeat?: boolean }) =>
      table.commit(
        changes.map((change) => stamp(change, stored)),
        options,
      ),
    update: (change: Extract<Change, { update: Key }>) => table.update(stampUpdate(change, stored)),
    putMany: (items: readonly Item[], removals?: readonly Key[]) =>
      table.putMany(
        items.map((item) => stampItem(item, stored)),
        removals,
      ),
    ...(isPatient(table) ? { until: (deadline: number) => asActor(table.until(deadline), actor) } : {}),
  };
}
