/** Wakes everything that waits for it. */
class Signal {
  readonly #waiting = new Set<() => void>();

  fire(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves at the next `fire`, or after the milliseconds. */
  async wait(milliseconds?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }
}

/** Coordinates when the loops of a background part look for work, wait, pause and end. */
export class LoopControl {
  /** Some loop has made progress. */
  readonly progress = new Signal();
  readonly #nudges = new Signal();
  readonly #changes = new Signal();
  /** On the clock of `performance`. */
  #nudgedAt = 0;
  #isPaused = false;
  #isEnded = false;

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Called when something may have been written. */
  nudge(): void {
    this.#nudgedAt = performance.now();
    this.#nudges.fire();
  }

  /** Waits for a nudge at or after `since`, at most `milliseconds`. */
  async waitForNudge(since: number, milliseconds: number): Promise<void> {
    if (!this.#isEnded && this.#nudgedAt < since) await this.#nudges.wait(milliseconds);
  }

  /** Waits `milliseconds`, or until the end. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#isEnded) await this.#changes.wait(milliseconds);
  }

  async waitWhilePaused(): Promise<void> {
    while (this.#isPaused && !this.#isEnded) await this.#changes.wait();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#changes.fire();
  }

  end(): void {
    this.#isEnded = true;
    for (const signal of [this.#nudges, this.#changes, this.progress]) signal.fire();
  }
}
