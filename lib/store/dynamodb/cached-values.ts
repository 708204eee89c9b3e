import { LRUCache } from 'lru-cache';
import { layout } from '../keys.ts';
import { type StoreReader, accountStore } from '../store.ts';
import type { TableReader } from './table.ts';

/** The revision when the call first asked for it; empty if this version has not seen a change. */
function findConfigurationRevision(table: TableReader, account: string): Promise<string> {
  const known = table.configurationRevisions.get(account);
  if (known) return known;
  const key = layout.configuration.key({ account });
  const revision = table.get(key).then((item) => String(item?.['Revision'] ?? ''));
  table.configurationRevisions.set(account, revision);
  // After a failure, the next request reads it again.
  revision.catch(() => table.configurationRevisions.delete(account));
  return revision;
}

/** Reads a value from the table. */
type Load<Value> = (options: { readonly consistent: boolean }) => Promise<Value>;

interface Source<Key, Value> {
  /** Its name among those of the account. */
  readonly name: (key: Key) => string;
  /**
   * Whether the account configures the value, so that a remembered value is current. Otherwise only `milliseconds` end
   * it.
   */
  readonly isConfigured?: boolean;
  /** Reads it from the store of the whole account, because it does not depend on what a caller may see. */
  readonly read: (store: StoreReader, key: Key, options: { readonly consistent: boolean }) => Promise<Value>;
  /** 30 seconds by default. */
  readonly milliseconds?: number;
  /** How long a missing value (`undefined`) is kept; not at all by default. */
  readonly missingMilliseconds?: number;
}

/**
 * Up to 1,000 values of a kind that a container keeps. A call that only reads uses values that are current for the
 * account's configuration when the call begins, according to its revision; the 30 seconds are for changes by earlier
 * versions, which renew no revision. A call that writes (`withCurrentValues`) reads each value that decides something
 * from the table, consistently and once.
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
      // The wall clock, because the monotonic one may stand still while a container is frozen.
      perf: { now: () => Date.now() },
      // A call that waits for a value gets it, even if another call removes it from the cache meanwhile.
      ignoreFetchAbort: true,
      fetchMethod: async (_name, _old, { options, context: load }) => {
        // Read after the revision, and therefore not older.
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

  /** The kept value, even for a call that writes: for values that are only displayed or never change. */
  async readRecent({ table, account }: StoreReader, key: Key): Promise<Value> {
    const { name, isConfigured, read } = this.#source;
    const revision = isConfigured ? await findConfigurationRevision(table, account) : '';
    const context: Load<Value> = (options) => read(accountStore(table, account), key, options);
    return (await this.#cache.fetch(`${revision}#${account}#${name(key)}`, { context }))?.value as Value;
  }
}
