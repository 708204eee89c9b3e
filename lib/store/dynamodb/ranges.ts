import type { Key } from '../keys.ts';
import type { Item } from './changes.ts';
import type { Range, TableReader } from './client.ts';
import { toRecord } from './records.ts';

/** The items of a range, page after page (1 MB each), at most `most`. Only for what people have a handful of. */
export async function listRange(table: TableReader, range: Range, most = Infinity): Promise<Item[]> {
  const found: Item[] = [];
  let after: string | undefined;
  do {
    const page = await table.query({ ...range, after, ...(most < Infinity ? { limit: most - found.length } : {}) });
    found.push(...page.items);
    after = page.next;
  } while (after !== undefined && found.length < most);
  return found;
}

/**
 * Up to this many things are read as they are at this very moment; of a longer list some may be a second old, at half
 * the price.
 */
const FEW = 10;

/**
 * Things by id, in the order of the ids, each once; those that do not exist are left out. One that an eventually
 * consistent read lacks is asked for again.
 */
export async function findByIds<Thing extends { readonly Id: number }>(
  table: TableReader,
  ids: readonly number[],
  keyOf: (id: number) => Key,
): Promise<Thing[]> {
  const unique = [...new Set(ids)];
  if (!unique.length) return [];
  const found = await table.getMany(unique.map(keyOf), { consistent: unique.length <= FEW });
  const byId = new Map(found.map((item) => [item['Id'] as number, item]));
  const missing = unique.length > FEW ? unique.filter((id) => !byId.has(id)) : [];
  for (const item of missing.length ? await table.getMany(missing.map(keyOf)) : [])
    byId.set(item['Id'] as number, item);
  return unique.flatMap((id) => byId.get(id) ?? []).map((item) => toRecord<Thing>(item));
}
