import type { Item } from './changes.ts';
import type { Range, TableReader } from './client.ts';

/** The items of a range, page after page (1 MB each), at most `most`. Only for what people have a handful of. */
export async function readRange(table: TableReader, range: Range, most = Infinity): Promise<Item[]> {
  const found: Item[] = [];
  let after: string | undefined;
  do {
    const page = await table.query({ ...range, after, ...(most < Infinity ? { limit: most - found.length } : {}) });
    found.push(...page.items);
    after = page.next;
  } while (after !== undefined && found.length < most);
  return found;
}
