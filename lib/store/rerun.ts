import { StoreConflict } from './errors.ts';

/**
 * How often something is run again because somebody changed what it had read. Each waits a little longer: 50 callers at
 * one item all get through.
 */
const MOST_ATTEMPTS = 24;
const LONGEST_WAIT = 250;

const pause = (attempt: number) =>
  new Promise((done) => setTimeout(done, Math.random() * Math.min(LONGEST_WAIT, 8 * 2 ** attempt)));

/**
 * Runs `attempt` (load, decide, commit), and again on what is there then when a condition of its commit no longer
 * holds. Throws the last StoreConflict when that happens every time.
 */
export async function rerun<Answer>(attempt: (count: number) => Promise<Answer>): Promise<Answer> {
  for (let count = 1; ; count++) {
    try {
      return await attempt(count);
    } catch (error) {
      if (!(error instanceof StoreConflict) || count === MOST_ATTEMPTS) throw error;
    }
    await pause(count);
  }
}
