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

/** Runs `create` once, at the first call. */
export function once<Value>(create: () => Value): () => Value {
  let result: { value: Value } | undefined;
  return () => (result ??= { value: create() }).value;
}
