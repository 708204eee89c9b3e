import { createHash } from 'node:crypto';
import type { Item } from './changes.ts';
import type { TablePager, TableReader } from './client.ts';
import { layout, type Key } from './layout.ts';

/** What a question was answered with when its first page was asked: how many things, and the ids of a page of them. */
export interface Answered {
  readonly count: number;
  readonly ids: readonly number[];
}

/** A question, in full: its pages share a snapshot. */
export interface Question {
  readonly account: string;
  readonly name: string;
}

/** Which things of an answer are wanted. */
export interface Page {
  readonly skip: number;
  readonly take: number;
}

const KEPT_SECONDS = 10 * 60;
/** Ids of 4 bytes: a block is an item below 4 KB, one read unit and four write units. */
const BLOCK = 900;
/** Blocks put side by side, which are all there are of 36,000 things: no more than a client has connections. */
const SIDE_BY_SIDE = 40;

/**
 * Each block has a partition of its own: 1,000,000 things are 1,112 blocks, and 4,448 write units are too many for one.
 */
function blockKey({ account, name }: Question, block: number): Key {
  const fingerprint = createHash('sha256').update(`${name}\n${block}`).digest('base64url');
  return layout.cursor.key({ account, fingerprint, skip: block * BLOCK });
}

const bytesOf = (ids: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(ids).buffer);
const idsOf = (bytes: Uint8Array): number[] => [...new Uint32Array(Uint8Array.from(bytes).buffer)];

/**
 * Keeps an answer for ten minutes. The last block is never full, so that a page just behind the end is known to be
 * empty.
 */
export async function keepSnapshot(
  table: TablePager,
  question: Question,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  const TTL = Math.floor(now.getTime() / 1000) + KEPT_SECONDS;
  const blocks = Array.from({ length: Math.floor(ids.length / BLOCK) + 1 }, (_, block): Item => {
    const Ids = bytesOf(ids.slice(block * BLOCK, (block + 1) * BLOCK));
    return { ...blockKey(question, block), Ids, Count: ids.length, TTL };
  });
  for (let start = 0; start < blocks.length; start += SIDE_BY_SIDE) {
    await Promise.all(blocks.slice(start, start + SIDE_BY_SIDE).map((block) => table.keep(block)));
  }
}

/** A page of an answer kept, in one round; `undefined` when it is not kept, or not any more. */
export async function findSnapshot(
  table: TableReader,
  question: Question,
  { skip, take }: Page,
  now: Date,
): Promise<Answered | undefined> {
  const first = Math.floor(skip / BLOCK);
  const last = Math.floor((skip + take - 1) / BLOCK);
  const keys = Array.from({ length: last - first + 1 }, (_, index) => blockKey(question, first + index));
  const items = await table.getMany(keys);
  const alive = keys.map(({ PK }) =>
    items.find((item) => item.PK === PK && (item['TTL'] as number) * 1000 > now.getTime()),
  );
  const count = alive[0]?.['Count'] as number | undefined;
  if (count === undefined) return undefined;
  const ids = alive.flatMap((block) => (block?.['Count'] === count ? idsOf(block['Ids'] as Uint8Array) : []));
  const page = ids.slice(skip - first * BLOCK, skip - first * BLOCK + take);
  return page.length < Math.min(take, count - skip) ? undefined : { count, ids: page };
}
