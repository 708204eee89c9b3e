import { LRUCache } from 'lru-cache';
import { layout } from '../keys.ts';
import { type StoreReader, accountStore } from '../store.ts';
import type { TableReader } from './table.ts';

/** The revision when the call first asked for it; empty where this version has not seen a change. */
function findConfigurationRevision(table: TableReader, account: string): Promise<string> {
  const known = table.configurationRevisions.get(account);
  if (known) return known;
  const key = layout.configuration.key({ account });
  const revision = table.get(key).then((item) => String(item?.['Revision'] ?? ''));
  table.configurationRevisions.set(account, revision);
  // The next who asks reads it again.
  revision.catch(() => table.configurationRevisions.delete(account));
  return revision;
}

/** Reads a value from the table. */
type Load<Value> = (options: { readonly consistent: boolean }) => Promise<Value>;

interface Source<Key, Value> {
  /** Its name among those of the account. */
  readonly name: (key: Key) => string;
  /** Whether the account configures it: a remembered value is then of now. Else only `milliseconds` end it. */
  readonly isConfigured?: boolean;
  /** Reads it from the store of the account as a whole: what a caller may see decides nothing. */
  readonly read: (store: StoreReader, key: Key, options: { readonly consistent: boolean }) => Promise<Value>;
  /** By default 30 seconds. */
  readonly milliseconds?: number;
  /** How long a missing value (`undefined`) is kept; by default not at all. */
  readonly missingMilliseconds?: number;
}

/**
 * Up to 1,000 values of a kind that a container keeps. A call that only reads uses one of the account's configuration
 * as it is when the call begins, by its revision; the 30 seconds are for changes of an earlier version, which renews no
 * revision. A call that writes (`withCurrentValues`) reads each value that it decides by from the table, strongly and
 * once.
 */
export class CachedValues<Key, Value> {
  readonly #source: Source<Key, Value>;
  readonly #cache: LRUCache<string, { readonly value: Value }, Load<Value>>;

  constructor(source: Source<Key, Value>) {
    this.#source = source;
    const { milliseconds = 30_000, missingMilliseconds } = source;
    this.#cache = new LRUCache({
      max: 1_000,
      ttl: milliseconds,
      // Of the wall clock: the other one may stand still while a container is frozen.
      perf: { now: () => Date.now() },
      // A call that waits for a value gets it, also where another call removes it from the cache meanwhile.
      ignoreFetchAbort: true,
      fetchMethod: async (_name, _old, { options, context: load }) => {
        // Behind the revision, and therefore not older.
        const value = await load({ consistent: source.isConfigured ?? false });
        if (value !== undefined) return { value };
        if (missingMilliseconds === undefined) return undefined;
        options.ttl = missingMilliseconds;
        return { value };
      },
    });
  }

  /** Concurrent calls share one read; a failed read is not kept. */
  async read(store: StoreReader, key: Key): Promise<Value> {
    const { table, account } = store;
    const { currentValues } = table;
    if (!currentValues) return this.readRecent(store, key);
    const name = `${account}#${this.#source.name(key)}`;
    const ofCache = currentValues.get(this) ?? new Map<string, Promise<unknown>>();
    currentValues.set(this, ofCache);
    const known = ofCache.get(name) as Promise<Value> | undefined;
    const current = known ?? this.#source.read(accountStore(table, account), key, { consistent: true });
    ofCache.set(name, current);
    return current;
  }

  /** The kept value, also for a call that writes: where it is shown or never changes, and decides nothing. */
  async readRecent({ table, account }: StoreReader, key: Key): Promise<Value> {
    const { name, isConfigured, read } = this.#source;
    const revision = isConfigured ? await findConfigurationRevision(table, account) : '';
    const context: Load<Value> = (options) => read(accountStore(table, account), key, options);
    return (await this.#cache.fetch(`${revision}#${account}#${name(key)}`, { context }))?.value as Value;
  }
}
