import type { Item } from '../../../lib/store/changes.ts';
import type { TableWriter } from '../../../lib/store/client.ts';
import { layout, type Key } from '../../../lib/store/layout.ts';

/** Milliseconds for which an import trusts what it has read of postal codes and tags. */
const TRUSTED = 10_000;

/**
 * A table that remembers who owns which postal codes and what tags there are: line after line of a file asks for the
 * same ones, and asking for them is half of all that an import asks. A tag that is not there is asked for again, since
 * a line before may have made it.
 */
export function remembering(table: TableWriter, account: string, now = Date.now): TableWriter {
  const tags = layout.tagName.of({ account });
  const shares = layout.postalShare.of({ account, share: 0 }).slice(0, -10);
  const known = new Map<string, { readonly item: Item | undefined; readonly until: number }>();
  const isPostal = ({ PK }: Key) => PK.startsWith(shares);
  const textOf = ({ PK, SK }: Key) => `${PK}\n${SK}`;
  const recall = (key: Key) => {
    const found = known.get(textOf(key));
    return found && found.until > now() ? found : undefined;
  };
  const remember = (key: Key, item: Item | undefined) => void known.set(textOf(key), { item, until: now() + TRUSTED });

  return {
    ...table,
    async get(key, options) {
      if (!isPostal(key)) return await table.get(key, options);
      const before = recall(key);
      if (before) return before.item;
      const item = await table.get(key, options);
      remember(key, item);
      return item;
    },
    async getMany(keys, options) {
      const had = keys.flatMap((key) => recall(key)?.item ?? []);
      const left = had.length ? keys.filter((key) => !recall(key)) : keys;
      const found = left.length ? await table.getMany(left, options) : [];
      for (const item of found) if (item.PK === tags) remember(item, item);
      return [...had, ...found];
    },
  };
}
