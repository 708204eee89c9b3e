/** Waits; rejects with the reason of the signal as soon as it is aborted. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((done, fail) => {
    if (signal?.aborted) return fail(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** Lets `size` holders in at once; others wait in order of arrival. */
export class Turnstile {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(size: number) {
    this.#free = size;
  }

  /** Rejects with the signal's reason if it is aborted before its turn. */
  enter(signal?: AbortSignal): Promise<void> | undefined {
    signal?.throwIfAborted();
    if (this.#free > 0) return void this.#free--;
    return new Promise((done, fail) => {
      const stop = (): void => {
        this.#waiting.delete(turn);
        fail(signal?.reason);
      };
      const turn = (): void => {
        signal?.removeEventListener('abort', stop);
        done();
      };
      this.#waiting.add(turn);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (!next) return void this.#free++;
    this.#waiting.delete(next);
    next();
  }
}
