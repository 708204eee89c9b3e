import { StoreConflict } from './errors.ts';

/**
 * How often something is run again because somebody changed what it had read. Each time it waits longer, up to a second:
 * attempts that are made at the same moment undo each other, so those that lose are spread out until they no longer meet.
 * Measured, 50 at once who change one proposal on two busy cores: at most 13 attempts each, where up to a quarter of a
 * second it was 22.
 */
const MAX_ATTEMPTS = 24;
const LONGEST_WAIT = 1_000;

const pause = (attempt: number) =>
  new Promise((done) => setTimeout(done, Math.random() * Math.min(LONGEST_WAIT, 8 * 2 ** attempt)));

/**
 * Runs `attempt` (load, decide, commit), and again on what is there then when a condition of its commit no longer
 * holds. Throws the last StoreConflict when that happens every time.
 */
export async function retryOnConflict<Answer>(attempt: (count: number) => Promise<Answer>): Promise<Answer> {
  for (let count = 1; ; count++) {
    try {
      return await attempt(count);
    } catch (error) {
      if (!(error instanceof StoreConflict) || count === MAX_ATTEMPTS) throw error;
    }
    await pause(count);
  }
}
