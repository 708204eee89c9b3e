import { Signal } from './problem.ts';

/** When the parts of a stream pump work, wait, pause and end. */
export class Pace {
  /** When somebody last said that something may have been written; by the clock of `performance`. */
  nudgedAt = 0;
  readonly #news = new Signal();
  /** Some part has got further. */
  readonly progress = new Signal();
  readonly #going = new Signal();
  #paused = false;
  #ended = false;

  get ended(): boolean {
    return this.#ended;
  }

  nudge(): void {
    this.nudgedAt = performance.now();
    this.#news.fire();
  }

  /** Waits for a nudge that came or comes after `since`, for at most so many milliseconds. */
  async quiet(since: number, milliseconds: number): Promise<void> {
    if (!this.#ended && this.nudgedAt < since) await this.#news.wait(milliseconds);
  }

  /** Waits whatever comes, save the end. */
  async rest(milliseconds: number): Promise<void> {
    if (!this.#ended) await this.#going.wait(milliseconds);
  }

  /** Waits while there is a pause. */
  async go(): Promise<void> {
    while (this.#paused && !this.#ended) await this.#going.wait();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#going.fire();
  }

  end(): void {
    this.#ended = true;
    for (const signal of [this.#news, this.#going, this.progress]) signal.fire();
  }
}
