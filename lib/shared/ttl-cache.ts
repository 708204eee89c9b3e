import { LRUCache } from 'lru-cache';

/** Values that nearly every call reads: up to 1,000, for 30 seconds; a missing value (`undefined`) is not kept. */
export class TtlCache<Value> {
  readonly #missingMilliseconds: number;
  readonly #values: LRUCache<string, Promise<Value>>;
  /** The time of the current call, which is the clock of the cache. */
  #now = 0;

  constructor({ milliseconds = 30_000, missingMilliseconds = 0 } = {}) {
    this.#missingMilliseconds = missingMilliseconds;
    this.#values = new LRUCache({ max: 1_000, ttl: milliseconds, ttlResolution: 0, perf: { now: () => this.#now } });
  }

  /** The cached value. */
  peek(key: string, now: Date): Promise<Value> | undefined {
    this.#now = now.getTime();
    return this.#values.get(key);
  }

  /** Replaces the cached value. */
  learn(key: string, now: Date, value: Promise<Value>): void {
    this.#now = now.getTime();
    this.#values.set(key, value);
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
    const ttl = await value.then(
      (found) => (found === undefined ? this.#missingMilliseconds : undefined),
      () => 0,
    );
    if (ttl === undefined || this.#values.peek(key) !== value) return;
    if (ttl > 0) this.#values.set(key, value, { ttl, start: now.getTime() });
    else this.#values.delete(key);
  }
}
