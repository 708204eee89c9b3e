import { isDeepStrictEqual } from 'node:util';
import { LruMap } from '../../shared/lru-map.ts';
import type { TtlCache } from '../../shared/ttl-cache.ts';

export type Read<Table, Value> = (table: Table, options: { readonly consistent: boolean }) => Promise<Value>;

/** Where a container remembers a value, and how it is read. */
interface Place<Table, Value> {
  readonly cache: TtlCache<Value>;
  readonly key: string;
  readonly read: Read<Table, Value>;
}

interface Taken<Table> extends Place<Table, unknown> {
  readonly used: Promise<unknown>;
  readonly current: Promise<unknown>;
}

/** What the last call of the same kind took; the next one probably needs the same. */
const takenBefore = new LruMap<readonly unknown[]>({ max: 500 });

type Spot = Pick<Place<never, unknown>, 'cache' | 'key'>;

/** A value by its cache and key. */
class ByPlace<Value> {
  readonly #values = new Map<object, Map<string, Value>>();

  get({ cache, key }: Spot): Value | undefined {
    return this.#values.get(cache)?.get(key);
  }

  set({ cache, key }: Spot, value: Value): void {
    const ofCache = this.#values.get(cache) ?? new Map<string, Value>();
    this.#values.set(cache, ofCache.set(key, value));
  }

  all(): Value[] {
    return [...this.#values.values()].flatMap((ofCache) => [...ofCache.values()]);
  }

  clear(): void {
    this.#values.clear();
  }
}

/**
 * What one call took from the memory of its container. A read may use it as it is. For a write every value is read
 * strongly at the same time, which takes no round of its own, and nothing is committed or refused before both are
 * compared: if they differ, the operation runs again on the current value.
 */
export class Recollection<Table> {
  readonly #now = new Date();
  #verifies = false;
  #kind = '';
  readonly #taken = new ByPlace<Taken<Table>>();
  readonly #early = new ByPlace<Promise<unknown>>();

  /** From now on, everything taken is verified. */
  verify(): void {
    this.#verifies = true;
  }

  /** Reads at once, beside the first round, what the last call of the kind (operation and account) took. */
  anticipate(table: Table, kind: string): void {
    if (!this.#verifies) return;
    this.#kind = kind;
    for (const place of (takenBefore.get(kind) ?? []) as readonly Place<Table, unknown>[])
      if (!this.#taken.get(place)) this.#early.set(place, quiet(place.read(table, { consistent: true })));
  }

  take<Value>(table: Table, place: Place<Table, Value>): Promise<Value> {
    const { cache, key, read } = place;
    if (!this.#verifies) return cache.recall(key, this.#now, () => read(table, { consistent: false }));
    return this.#use(table, place, cache.peek(key, this.#now));
  }

  /** The value as it is now; what else takes it in this call gets the same. */
  takeCurrent<Value>(table: Table, place: Place<Table, Value>): Promise<Value> {
    return this.#verifies ? this.#use(table, place, undefined) : place.read(table, { consistent: true });
  }

  #use<Value>(table: Table, typed: Place<Table, Value>, remembered: Promise<Value> | undefined): Promise<Value> {
    const place = typed as unknown as Place<Table, unknown>;
    const known = this.#taken.get(place);
    if (known) return (remembered ? known.used : known.current) as Promise<Value>;
    const current = this.#early.get(place) ?? quiet(place.read(table, { consistent: true }));
    if (!remembered) place.cache.learn(place.key, this.#now, current);
    const used = remembered ?? current;
    this.#taken.set(place, { ...place, used, current });
    return used as Promise<Value>;
  }

  /** Whether all that was taken is what the table held during the call; the container then knows the current values. */
  async isCurrent(): Promise<boolean> {
    const taken = this.#taken.all();
    if (this.#kind) takenBefore.set(this.#kind, taken);
    const checked = await Promise.all(
      taken.map(async ({ cache, key, used, current }) => {
        if (used === current || isDeepStrictEqual(await used, await current)) return true;
        cache.learn(key, this.#now, current);
        return false;
      }),
    );
    return checked.every(Boolean);
  }

  /** Before another attempt: what is taken from now on is verified again. */
  async refresh(): Promise<void> {
    await this.isCurrent();
    this.#taken.clear();
    this.#early.clear();
  }
}

/** It is awaited at the end of the call, which may have failed for the same reason before. */
function quiet<Value>(reading: Promise<Value>): Promise<Value> {
  reading.catch(() => undefined);
  return reading;
}
