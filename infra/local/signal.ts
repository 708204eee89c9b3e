/** Wakes whoever waits. */
export class Signal {
  #waiting: (() => void)[] = [];

  fire(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves at the next `fire`, or after so many milliseconds. */
  async wait(milliseconds?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
    await promise;
    clearTimeout(timer);
    this.#waiting = this.#waiting.filter((one) => one !== resolve);
  }
}
