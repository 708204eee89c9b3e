import { randomBytes } from 'node:crypto';
import { idLeaseEntity } from '../../entities/accounts.ts';
import { MINUTE } from '../../shared/time/time.ts';
import { type IdKind, layout } from '../keys.ts';
import type { Item } from './changes.ts';
import type { TableReader, TableWriter } from './table.ts';
import { IdsUsedUp } from './errors.ts';

/**
 * New ids: numbers that an account counts up, and handles that nobody can guess.
 */

const BLOCK = 20;
/** Ids are int32 in the interface. */
export const MAX_ID = 2 ** 31 - 1;

/** Beyond so many ids of a kind, a download of one organization does not read all of them (download-records.ts). */
export const LARGE_ACCOUNT_IDS = 50_000;
/** How long a container uses a block of a large account: an id then tells when its record was made at the latest. */
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
 * Reserves at least `count` ids in this container: taking them later costs no round. They come in blocks of 20 with one
 * ADD, which a lost reply may make twice: that leaves a gap, which is allowed, and never a repeat.
 */
export async function prefetchIds(table: TableWriter, account: string, kind: IdKind, count: number): Promise<number[]> {
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
    // Of two blocks requested at once the later may arrive first.
    ids.sort((one, other) => one - other);
  }
  return ids;
}

/** The newest id of a lease; 0 before the first. */
export const lastOf = (lease: Item | undefined): number => (lease ? idLeaseEntity.read(lease).Last : 0);

/** Ids that are read at once. */
const CHUNK = 100;

/** The last id that the account may have given to a record of the kind. */
export const findLastId = async (table: TableReader, account: string, kind: IdKind): Promise<number> =>
  lastOf(await table.get(layout.lease.key({ account, kind })));

/** Every id that the account may have given to a record of the kind, ascending, in chunks. */
export async function* listIdChunks(table: TableReader, account: string, kind: IdKind): AsyncGenerator<number[]> {
  const last = await findLastId(table, account, kind);
  for (let first = 1; first <= last; first += CHUNK)
    yield Array.from({ length: Math.min(CHUNK, last - first + 1) }, (_, index) => first + index);
}

/** `count` new ids of the account and kind, ascending, never given to anyone else. */
export async function reserveIds(table: TableWriter, account: string, kind: IdKind, count: number): Promise<number[]> {
  for (;;) {
    const ids = await prefetchIds(table, account, kind, count);
    // Another call that waited for the same block may have taken them.
    if (ids.length >= count) return ids.splice(0, count);
  }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 4 × 62. Larger bytes are skipped: they would make the first characters more frequent. */
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
