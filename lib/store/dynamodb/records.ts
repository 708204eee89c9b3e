import type { Stored } from '../../entities/declaration/read.ts';
import { randomBytes } from 'node:crypto';
import { idLeaseEntity } from '../../entities/accounts.ts';
import type { Listing } from '../../entities/declaration/entity.ts';
import { entryEntity } from '../../entities/entries.ts';
import { jsonByteLength } from '../../shared/objects.ts';
import { MAX_BATCH_READS } from '../../shared/limits.ts';
import { MINUTE } from '../../shared/time/time.ts';
import { type IdKind, type Key, attributes, isTableAttribute, layout } from '../keys.ts';
import type { Change, Item } from './changes.ts';
import { IdsUsedUp, ListTooLarge, RangeTooLarge } from './errors.ts';
import type { Range, TableReader } from './table.ts';
import type { StoreReader, StoreWriter } from '../store.ts';

/**
 * What records of all kinds have in common: their versions, how they are read, and their ids.
 */

/** How records of a kind are read and written: an entity (lib/entities). */
export interface RecordKind<RecordType> {
  readonly name: string;
  readonly listed?: Listing<RecordType> | undefined;
  read(item: Readonly<Record<string, unknown>>): RecordType;
  write(record: RecordType): object;
}

/** The id in an item, or in an entry that leads to a record. */
export const idOf = (entry: Stored): number => entryEntity.read(entry).Id;

/** The fields of every record: its version, 1 for a new one and incremented by every change. */
export interface Versioned {
  readonly V: number;
}

/**
 * The change that stores a record in its next version, if it still is as it was read (`before`), or does not exist yet.
 * `indexes` are its index keys and facts (indexes.ts).
 */
export function versionedChange<RecordType extends Versioned>(
  entity: RecordKind<RecordType>,
  key: Key,
  {
    before,
    after,
    indexes = {},
  }: { before: Versioned | undefined; after: RecordType; indexes?: Record<string, unknown> },
): { record: RecordType; change: Change } {
  const fields = Object.fromEntries(Object.entries(after).filter(([name]) => !isTableAttribute(name)));
  const record = { ...(fields as RecordType), V: (before?.V ?? 0) + 1 };
  const item: Item = { ...key, [attributes.entity]: entity.name, ...indexes, ...entity.write(record) };
  return { record, change: { put: item, if: before ? { equals: { V: before.V } } : 'absent' } };
}

/** How much of a range is read. */
export interface RangeLimits {
  readonly limit?: number;
  readonly maxPages?: number;
}

/**
 * The items of a range, page by page (1 MB each), at most `limit`. Only for lists whose length is limited when adding
 * to them (lib/domain/list-limits.ts), and for tools; other callers set `maxPages`. Throws RangeTooLarge beyond it.
 */
export async function listRange(
  table: TableReader,
  range: Range,
  { limit = Infinity, maxPages = Infinity }: RangeLimits = {},
): Promise<Item[]> {
  const found: Item[] = [];
  let after: string | undefined;
  let pages = 0;
  do {
    if (pages++ === maxPages) throw new RangeTooLarge('pages', maxPages);
    const page = await table.query({ ...range, after, ...(limit < Infinity ? { limit: limit - found.length } : {}) });
    found.push(...page.items);
    after = page.next;
  } while (after !== undefined && found.length < limit);
  return found;
}

/** Maximum bytes of a list's records in one call: more than any answer. A page of the table has at most 1 MB. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;
const MAX_LIST_PAGES = 16;

/** All items of ranges for display: a change shows within a second. Throws ListTooLarge. */
export async function listDisplayed(table: TableReader, ranges: readonly Range[]): Promise<Item[]> {
  const options = { maxPages: Math.floor(MAX_LIST_PAGES / ranges.length) };
  const read = (range: Range) => listRange(table, { ...range, consistent: false }, options);
  try {
    return (await Promise.all(ranges.map(read))).flat();
  } catch (error) {
    if (error instanceof RangeTooLarge) throw new ListTooLarge(MAX_LIST_BYTES);
    throw error;
  }
}

/** Throws ListTooLarge if this many records of this size exceed what a call may hold. */
export function checkListBytes(records: number, recordBytes: number): void {
  if (records * recordBytes > MAX_LIST_BYTES) throw new ListTooLarge(records * recordBytes);
}

/** The items of a list. With more than 100, the first 100 show whether all of them would be too large to read. */
export async function getList(
  table: TableReader,
  keys: readonly Key[],
  options: { readonly consistent: boolean },
): Promise<Item[]> {
  const found = await table.getMany(keys.slice(0, MAX_BATCH_READS), options);
  if (keys.length <= MAX_BATCH_READS) return found;
  checkListBytes(keys.length, jsonByteLength(found) / MAX_BATCH_READS);
  return [...found, ...(await table.getMany(keys.slice(MAX_BATCH_READS), options))];
}

/** Up to this many records are read consistently; with more, some may be a second old, at half the price. */
const FEW = 10;

/**
 * Distinct records by id, in the order of the ids, without those that do not exist. A record missing from an eventually
 * consistent read is read again.
 */
export async function findByIds<RecordType extends { readonly Id: number }>(
  table: TableReader,
  { read }: Pick<RecordKind<RecordType>, 'read'>,
  ids: readonly number[],
  keyOf: (id: number) => Key,
  { consistent = new Set(ids).size <= FEW } = {},
): Promise<RecordType[]> {
  const unique = [...new Set(ids)];
  if (!unique.length) return [];
  const found = await getList(table, unique.map(keyOf), { consistent });
  const byId = new Map(found.map((item) => [idOf(item), item]));
  const missing = consistent ? [] : unique.filter((id) => !byId.has(id));
  for (const item of missing.length ? await table.getMany(missing.map(keyOf)) : []) byId.set(idOf(item), item);
  return unique.flatMap((id) => byId.get(id) ?? []).map(read);
}

/**
 * Records of ids that match, in no order. A record that an eventually consistent read lacks or returns outdated is read
 * again.
 */
export async function findMatching<RecordType extends { readonly Id: number }>(
  ids: readonly number[],
  {
    read,
    matches,
    isConsistent,
  }: {
    readonly read: (ids: readonly number[], isConsistent: boolean) => Promise<readonly RecordType[]>;
    readonly matches: (record: RecordType) => boolean;
    readonly isConsistent: boolean;
  },
): Promise<RecordType[]> {
  const matching = (await read(ids, isConsistent)).filter(matches);
  if (isConsistent || matching.length === ids.length) return matching;
  const found = new Set(matching.map(({ Id }) => Id));
  const again = await read(
    ids.filter((id) => !found.has(id)),
    true,
  );
  return [...matching, ...again.filter(matches)];
}

/* New ids: numbers that an account counts up, and unguessable handles. */

const BLOCK = 20;
/** Ids are int32 in the interface. */
export const MAX_ID = 2 ** 31 - 1;

/**
 * With more ids of a kind than this, a download of one organization does not read all of them (download-records.ts).
 */
export const LARGE_ACCOUNT_IDS = 50_000;
/** How long a container uses a block of a large account: an id then bounds when its record was made. */
const LAPSES_AFTER = 10 * MINUTE;

interface Block {
  readonly ids: number[];
  /** When the first of its ids was reserved, milliseconds since 1970. */
  at: number;
}
const reserved = new Map<string, Block>();

/** The ids that this container may still use. */
function blockOf(name: string): Block {
  const found = reserved.get(name);
  const isLapsed =
    found !== undefined && (found.ids[0] ?? 0) > LARGE_ACCOUNT_IDS && found.at < Date.now() - LAPSES_AFTER;
  const block = found && !isLapsed ? found : { ids: [], at: 0 };
  reserved.set(name, block);
  return block;
}

/**
 * Reserves at least `count` ids in this container, so that taking them later costs no round. They come in blocks of 20
 * with one ADD, which a lost reply may repeat: that leaves a gap, which is allowed, but never a duplicate.
 */
export async function prefetchIds({ account, table }: StoreWriter, kind: IdKind, count: number): Promise<number[]> {
  const block = blockOf(`${account}#${kind}`);
  const { ids } = block;
  if (ids.length < count) {
    const now = Date.now();
    const size = Math.max(BLOCK, count);
    const item = await table.update({ update: layout.lease.key({ account, kind }), add: { Last: size } });
    const last = lastOf(item);
    if (last > MAX_ID) throw new IdsUsedUp(account, kind);
    if (!ids.length) block.at = now;
    ids.push(...Array.from({ length: size }, (_, index) => last - size + 1 + index));
    // Blocks requested at once may arrive in any order.
    ids.sort((one, other) => one - other);
  }
  return ids;
}

/** The newest id of a lease; 0 before the first. */
export const lastOf = (lease: Item | undefined): number => (lease ? idLeaseEntity.read(lease).Last : 0);

/** Ids that are read at once. */
const CHUNK = 100;

/** The last id that the account may have assigned to a record of the kind. */
export const findLastId = async ({ table, account }: StoreReader, kind: IdKind): Promise<number> =>
  lastOf(await table.get(layout.lease.key({ account, kind })));

/** Every id that the account may have assigned to a record of the kind, ascending, in chunks. */
export async function* listIdChunks(store: StoreReader, kind: IdKind): AsyncGenerator<number[]> {
  const last = await findLastId(store, kind);
  for (let first = 1; first <= last; first += CHUNK)
    yield Array.from({ length: Math.min(CHUNK, last - first + 1) }, (_, index) => first + index);
}

/** `count` new ids of the account and kind, ascending, never given to anyone else. */
export async function reserveIds(store: StoreWriter, kind: IdKind, count: number): Promise<number[]> {
  for (;;) {
    const ids = await prefetchIds(store, kind, count);
    // Another call that waited for the same block may have taken them.
    if (ids.length >= count) return ids.splice(0, count);
  }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 4 × 62. Larger bytes are skipped, because they would make the first characters more frequent. */
const FAIR_LIMIT = 248;

/** Unguessable base62 characters; 22 of them have 131 bits. */
export function randomHandle(length: number): string {
  let handle = '';
  while (handle.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < FAIR_LIMIT && handle.length < length) handle += BASE62[byte % 62];
    }
  }
  return handle;
}

/** 32 hexadecimal digits, which have 128 bits: the Hash of a contact. */
export const randomHash = (): string => randomBytes(16).toString('hex');
