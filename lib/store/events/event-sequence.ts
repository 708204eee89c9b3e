import { sequenceEntity } from '../../entities/events.ts';
import { DAY, SECOND } from '../../shared/time/time.ts';
import type { Item } from '../dynamodb/changes.ts';
import { type Key, layout, padded } from '../keys.ts';
import type { StoreAccount } from '../store.ts';

/**
 * The item from which an account's event ids come, in lib/store/events/events.ts. It also remembers the newest changes
 * that became events, and has a cursor for each subscriber. It has at most 1 KB, so that queueing a single event writes
 * 2 units for it; therefore its numbers are packed.
 */
export interface Sequence {
  /** The newest id. */
  readonly Last: number;
  readonly Days: ExpiryDays;
  readonly RetentionDays: number;
  /** The changes of the newest events, oldest first: the last one became event `Last`. */
  readonly Recent: readonly RecentChange[];
  /** The latest commit second of the changes that became events before those in `Recent`. */
  readonly Through: number;
  /** Ids that no event has or will have: after a restore the queue continues after all ids that were read before. */
  readonly Absent: readonly IdRange[];
}

/**
 * Events per partition: writes move to another partition every 50 events; a page of 100 is 2 or 3 concurrent queries.
 */
export const EVENTS_A_BLOCK = 50;

/** The partition of an event, and of its callbacks, among those of its account. */
export const eventBlock = (id: number): number => Math.floor(id / EVENTS_A_BLOCK);

export const eventKey = ({ account }: StoreAccount, id: number): Key =>
  layout.event.key({ account, block: eventBlock(id), id });

/** Ids from `first` through `last`. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

export const idsOf = ({ first, last }: IdRange): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The id of its last event. */
export const lastOfBlock = (block: number): number => (block + 1) * EVENTS_A_BLOCK - 1;

/** The blocks of a range of ids, each with its ids of the range. */
export const blocksOf = ({ first, last }: IdRange): { block: number; from: string; to: string }[] =>
  Array.from({ length: eventBlock(last) - eventBlock(first) + 1 }, (_, index) => ({
    block: eventBlock(first) + index,
    from: padded(first),
    to: padded(last),
  }));

export const toSecond = (milliseconds: number): number => Math.floor(milliseconds / SECOND);

/** A change that became an event: a hash of its name, and its commit second. */
export interface RecentChange {
  readonly hash: number;
  readonly second: number;
}

/** Data folders of earlier versions have the days in a map. */
export function toSequence(item: Item | undefined): Sequence {
  const { Last, Days, RetentionDays, Recent, Through, Absent = [] } = sequenceEntity.readDeclared(item ?? {});
  return {
    Last,
    Days: Days instanceof Uint8Array ? unpackDays(Days) : (Days ?? {}),
    RetentionDays,
    Recent: Recent ? unpackRecent(Recent) : [],
    Through,
    Absent: Absent.map(([first, last]) => ({ first, last })),
  };
}

/** FNV-1a. Two names rarely share a hash, and whether they do is looked up. */
export function hashChange(name: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < name.length; index++)
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01_00_01_93) >>> 0;
  return hash;
}

const RECENT_BYTES = 8;
/** All of a block but one, so that the last event of each block names all changes of its block. */
const MAX_RECENT = EVENTS_A_BLOCK - 1;
const MIN_RECENT = 8;
/** A write unit, less what engines count differently. */
const MAX_SEQUENCE_BYTES = 960;

/**
 * The next state of the sequence item when changes become events, and for each of them the latest commit second so far.
 * Worked: with 31 days, three subscribers and account ids of 20 characters the other attributes take about 370 bytes,
 * and 49 changes 392; with 91 days the other attributes take 730, and 28 changes fit.
 */
export function extendSequence(
  item: Item | undefined,
  changes: readonly RecentChange[],
  days: ExpiryDays | undefined,
): { set: Record<string, unknown>; through: number[] } {
  const { Last, Days, Recent, Through } = toSequence(item);
  const all = [...Recent, ...changes];
  const Packed = packDays(days ?? Days);
  const { Recent: _, ...others }: Record<string, unknown> = { ...item, Last, Through, Days: Packed };
  const capacity = Math.floor((MAX_SEQUENCE_BYTES - itemBytes(others) - 'Recent'.length) / RECENT_BYTES);
  const forgotten = Math.max(0, all.length - Math.min(MAX_RECENT, Math.max(MIN_RECENT, capacity)));
  let latest = Math.max(Through, ...Recent.map(({ second }) => second));
  const through = changes.map(({ second }) => (latest = Math.max(latest, second)));
  const set = {
    Last: Last + changes.length,
    Recent: packRecent(all.slice(forgotten)),
    Through: Math.max(Through, ...all.slice(0, forgotten).map(({ second }) => second)),
    ...(days || !(item?.['Days'] instanceof Uint8Array) ? { Days: Packed } : {}),
  };
  return { set, through };
}

/** The ids from `first` through `last` that have events, in order. */
export function presentRanges(absent: readonly IdRange[], first: number, last: number): IdRange[] {
  const ranges: IdRange[] = [];
  let next = first;
  for (const range of absent.toSorted((one, other) => one.first - other.first)) {
    if (range.last < next || range.first > last) continue;
    if (range.first > next) ranges.push({ first: next, last: range.first - 1 });
    next = range.last + 1;
  }
  return next <= last ? [...ranges, { first: next, last }] : ranges;
}

const lengthOf = ({ first, last }: IdRange): number => last - first + 1;

/** The number of ids from `first` through `last` that have events. */
export const countPresent = (absent: readonly IdRange[], first: number, last: number): number =>
  presentRanges(absent, first, last).reduce((sum, range) => sum + lengthOf(range), 0);

/** The id of the `count`-th event from `first` on, at most `last`. */
export function endOfPage(absent: readonly IdRange[], first: number, last: number, count: number): number {
  let remaining = count;
  for (const range of presentRanges(absent, first, last)) {
    if (remaining <= lengthOf(range)) return range.first + remaining - 1;
    remaining -= lengthOf(range);
  }
  return last;
}

/** The id of the `count`-th newest event, at least `first`. */
export function startOfTail(absent: readonly IdRange[], first: number, last: number, count: number): number {
  let remaining = count;
  for (const range of presentRanges(absent, first, last).toReversed()) {
    if (remaining <= lengthOf(range)) return range.last - remaining + 1;
    remaining -= lengthOf(range);
  }
  return first;
}

/** The newest id up to `id` that an event has. */
export const newestPresent = (absent: readonly IdRange[], id: number): number =>
  presentRanges(absent, 1, id).at(-1)?.last ?? 0;

/**
 * The next state of the sequence item when ids after the newest are given up, so that no event ever has one of them. It
 * forgets the newest changes, which are then looked up in the events.
 */
export function skipIds(item: Item | undefined, through: number, now: Date): Record<string, unknown> {
  const { Last, Days, Recent, Through, Absent } = toSequence(item);
  const oldest = oldestReadable(Days, Last, now);
  const kept = Absent.filter(({ last }) => last >= oldest);
  return {
    Last: through,
    Recent: packRecent([]),
    Through: Math.max(Through, ...Recent.map(({ second }) => second)),
    Absent: [...kept, { first: Last + 1, last: through }].map(({ first, last }) => [first, last]),
  };
}

/** Bytes per hash of a change. */
const HASH_BYTES = 4;

/** Hashes of the changes of a block's events, by id. */
export function packHashes(hashes: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(hashes.length * HASH_BYTES);
  for (const [index, hash] of hashes.entries()) bytes.writeUInt32BE(hash, index * HASH_BYTES);
  return bytes;
}

export function unpackHashes(packed: Uint8Array): number[] {
  const bytes = Buffer.from(packed);
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, index) => bytes.readUInt32BE(index * HASH_BYTES));
}

function packRecent(changes: readonly RecentChange[]): Uint8Array {
  const bytes = Buffer.alloc(changes.length * RECENT_BYTES);
  for (const [index, { hash, second }] of changes.entries()) {
    bytes.writeUInt32BE(hash, index * RECENT_BYTES);
    bytes.writeUInt32BE(second, index * RECENT_BYTES + 4);
  }
  return bytes;
}

function unpackRecent(packed: Uint8Array): RecentChange[] {
  const bytes = Buffer.from(packed);
  return Array.from({ length: bytes.length / RECENT_BYTES }, (_, index) => ({
    hash: bytes.readUInt32BE(index * RECENT_BYTES),
    second: bytes.readUInt32BE(index * RECENT_BYTES + 4),
  }));
}

/** Bytes per day: the day in 2, the id in 4. As a map it would take 12. */
const DAY_BYTES = 6;

export function packDays(days: ExpiryDays): Uint8Array {
  const entries = Object.entries(days);
  const bytes = Buffer.alloc(entries.length * DAY_BYTES);
  for (const [index, [day, first]] of entries.entries()) {
    bytes.writeUInt16BE(Number(day), index * DAY_BYTES);
    bytes.writeUInt32BE(first, index * DAY_BYTES + 2);
  }
  return bytes;
}

function unpackDays(packed: Uint8Array): ExpiryDays {
  const bytes = Buffer.from(packed);
  const days: Record<string, number> = {};
  for (let start = 0; start < bytes.length; start += DAY_BYTES)
    days[bytes.readUInt16BE(start)] = bytes.readUInt32BE(start + 2);
  return days;
}

/** The maximum size of an item of texts, numbers and bytes: a number takes a byte for two digits, and one more. */
function itemBytes(item: Record<string, unknown>): number {
  const sizeOf = (value: unknown) =>
    value instanceof Uint8Array ? value.length : Buffer.byteLength(typeof value === 'string' ? value : `${value}`);
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOf(value), 0);
}

/**
 * Day on which events expire, in days since 1970 → id of the first of them. All events of a day expire together at
 * midnight, so one entry per day tells exactly which events are readable. Without it a reader who was away for long
 * would read thousands of empty blocks.
 */
export type ExpiryDays = Readonly<Record<string, number>>;

const dayAt = (moment: Date): number => Math.floor(moment.getTime() / DAY);
const upcoming = (days: ExpiryDays, today: number) => Object.entries(days).filter(([day]) => Number(day) > today);

/** The oldest readable id; the one after `last` if all have expired. */
export const oldestReadable = (days: ExpiryDays, last: number, now: Date): number =>
  Math.min(last + 1, ...upcoming(days, dayAt(now)).map(([, first]) => first));

/**
 * When events queued now expire (seconds since 1970), and the list with their day, or `undefined` if it already
 * contains the day. Worked: queued at any time of day 100 with 30 days' retention, an event is readable through day 130
 * and expires as day 131 begins. No event expires before an older one, even after the retention was shortened or if two
 * clocks differ: readable ids have no gap.
 */
export function expiryAt(
  days: ExpiryDays,
  first: number,
  now: Date,
  retentionDays: number,
): { expires: number; days: ExpiryDays | undefined } {
  const pending = upcoming(days, dayAt(now));
  const expiry = Math.max(dayAt(now) + retentionDays + 1, ...pending.map(([day]) => Number(day)));
  return {
    expires: (expiry * DAY) / SECOND,
    days: days[expiry] === undefined ? { ...Object.fromEntries(pending), [expiry]: first } : undefined,
  };
}
