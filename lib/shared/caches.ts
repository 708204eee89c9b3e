interface Entry<Value> {
  readonly value: Value;
  readonly size: number;
}

/**
 * A map of at most `max` entries, whose sizes add up to at most `maxSize`: those leave first that were not read or set
 * for the longest time. An entry larger than `maxSize` is not kept.
 */
export class LruMap<Value> {
  readonly #max: number;
  readonly #maxSize: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<Value>>();
  #size = 0;

  constructor({ max, maxSize = Infinity }: { readonly max: number; readonly maxSize?: number }) {
    this.#max = max;
    this.#maxSize = maxSize;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, size = 0): void {
    this.delete(key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#max && this.#size <= this.#maxSize) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}

interface Remembered<Value> {
  readonly value: Promise<Value>;
  /** Milliseconds of the clock until which it counts. */
  readonly until: number;
}

export interface TimeToLive {
  /** By default 30 seconds. */
  readonly milliseconds?: number;
  /** How long a missing value (`undefined`) is kept; by default not at all. */
  readonly missingMilliseconds?: number;
}

/** Up to 1,000 values that nearly every call reads. A failed read is not kept. */
export class TtlCache<Value> {
  readonly #milliseconds: number;
  readonly #missingMilliseconds: number;
  readonly #values = new LruMap<Remembered<Value>>({ max: 1_000 });

  constructor({ milliseconds = 30_000, missingMilliseconds = 0 }: TimeToLive) {
    this.#milliseconds = milliseconds;
    this.#missingMilliseconds = missingMilliseconds;
  }

  get(key: string): Promise<Value> | undefined {
    const found = this.#values.get(key);
    return found && Date.now() <= found.until ? found.value : undefined;
  }

  /** Keeps a value, which concurrent calls then share. */
  set(key: string, value: Promise<Value>): Promise<Value> {
    const now = Date.now();
    this.#values.set(key, { value, until: now + this.#milliseconds });
    void this.#expireMissing(key, value, now);
    return value;
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  async #expireMissing(key: string, value: Promise<Value>, now: number): Promise<void> {
    const milliseconds = await value.then(
      (found) => (found === undefined ? this.#missingMilliseconds : undefined),
      () => 0,
    );
    if (milliseconds === undefined || this.#values.get(key)?.value !== value) return;
    if (milliseconds > 0) this.#values.set(key, { value, until: now + milliseconds });
    else this.#values.delete(key);
  }
}

/** Runs `create` once, at the first call. */
export function once<Value>(create: () => Value): () => Value {
  let result: { value: Value } | undefined;
  return () => (result ??= { value: create() }).value;
}
