import { LruMap } from './lru-map.ts';

interface Remembered<Value> {
  readonly value: Promise<Value>;
  /** Milliseconds of the clock until which it counts. */
  readonly until: number;
}

/** Values that nearly every call reads: up to 1,000, for 30 seconds; a missing value (`undefined`) is not kept. */
export class TtlCache<Value> {
  readonly #milliseconds: number;
  readonly #missingMilliseconds: number;
  readonly #values = new LruMap<Remembered<Value>>({ max: 1_000 });

  constructor({ milliseconds = 30_000, missingMilliseconds = 0 } = {}) {
    this.#milliseconds = milliseconds;
    this.#missingMilliseconds = missingMilliseconds;
  }

  /** The cached value. The clock is the time of the call. */
  peek(key: string, now: Date): Promise<Value> | undefined {
    const found = this.#values.get(key);
    return found && now.getTime() <= found.until ? found.value : undefined;
  }

  /** Replaces the cached value. */
  learn(key: string, now: Date, value: Promise<Value>): void {
    this.#values.set(key, { value, until: now.getTime() + this.#milliseconds });
    void this.#expireMissing(key, value, now);
  }

  /** The cached value, or the result of `read`. Concurrent calls share one read; a failed read is not kept. */
  recall(key: string, now: Date, read: () => Promise<Value>): Promise<Value> {
    const cached = this.peek(key, now);
    if (cached) return cached;
    const value = read();
    this.learn(key, now, value);
    return value;
  }

  forget(key: string): void {
    this.#values.delete(key);
  }

  async #expireMissing(key: string, value: Promise<Value>, now: Date): Promise<void> {
    const milliseconds = await value.then(
      (found) => (found === undefined ? this.#missingMilliseconds : undefined),
      () => 0,
    );
    if (milliseconds === undefined || this.#values.get(key)?.value !== value) return;
    if (milliseconds > 0) this.#values.set(key, { value, until: now.getTime() + milliseconds });
    else this.#values.delete(key);
  }
}
