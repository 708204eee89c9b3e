/** Wakes whoever waits. */
export class Signal {
  #waiting = new Set<() => void>();

  fire(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves at the next `fire`, or after so many milliseconds. */
  async wait(milliseconds?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }
}
