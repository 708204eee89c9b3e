import { isDeepStrictEqual } from 'node:util';
import { omit } from '../../lib/shared/objects.ts';
import { SECOND } from '../../lib/shared/time/time.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { attributes } from '../../lib/store/keys.ts';
import { type TestAccount, drainEvents } from './stack/stack.ts';
import { itemsOf, kindOf, nameOf } from './stored-records.ts';

/** What an account has stored, by key, but for items whose time is over: the table removes them when it likes. */
export type StoredContent = ReadonlyMap<string, object>;

/** They count what was added. */
const COUNTERS = ['IdLease', 'Sequence'];

/** A day of a calendar that had a visit for a moment is as it was, with a later version. */
const contentOf = (item: Item): object => omit(item, attributes.version);

export async function storedContent(account: TestAccount): Promise<StoredContent> {
  await drainEvents();
  const isOver = ({ TTL }: Item) => TTL !== undefined && Number(TTL) * SECOND < Date.now();
  const items = (await itemsOf(account)).filter((item) => !COUNTERS.includes(kindOf(item)) && !isOver(item));
  return new Map(items.map((item) => [nameOf(item), contentOf(item)]));
}

/** The keys of what was changed or removed since. */
export const changedSince = (before: StoredContent, after: StoredContent): string[] =>
  [...before].filter(([name, content]) => !isDeepStrictEqual(content, after.get(name))).map(([name]) => name);
