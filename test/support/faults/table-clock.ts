import { setTimeout as pause } from 'node:timers/promises';
import type { TableReader } from '../../../lib/store/dynamodb/table.ts';

const TICK = 20;

/** A clock that goes on with each read of a table: a busy machine slows it as it slows the calls that it measures. */
export class TableClock {
  /** Milliseconds since it was started. */
  now = 0;
  #isStopped = false;
  readonly #running: Promise<void>;

  constructor(table: TableReader) {
    this.#running = this.#run(table);
  }

  async #run(table: TableReader): Promise<void> {
    while (!this.#isStopped) {
      await pause(TICK);
      await table.get({ PK: 'CLOCK', SK: 'CLOCK' });
      this.now += TICK;
    }
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#running;
  }
}
