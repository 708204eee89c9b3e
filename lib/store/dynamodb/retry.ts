import { retry } from '../../shared/promises.ts';
import { StoreConflict, StoreUnavailable } from './errors.ts';

/**
 * Measured, 50 calls at once that change one proposal on two busy cores: at most 13 attempts each with waits of up to a
 * second, 22 with waits of up to a quarter of a second.
 */
const MAX_ATTEMPTS = 24;

/**
 * Runs `attempt` (load, decide, commit), and again on what is stored then when a condition of its commit no longer
 * holds. Throws the last StoreConflict when that happens every time.
 */
export const retryOnConflict = <Result>(attempt: (count: number) => Promise<Result>): Promise<Result> =>
  retry(attempt, { isTransient: (error) => error instanceof StoreConflict, maxAttempts: MAX_ATTEMPTS, firstWait: 16 });

/**
 * The same for a command that may take its time: it also survives a table that is throttled or away, with seven
 * attempts within about 16 seconds. `attempt` must find by itself what it wrote before: whether a write was made is not
 * known.
 */
export function retryUnavailable<Result>(attempt: (count: number) => Promise<Result>): Promise<Result> {
  let count = 0;
  return retry(() => retryOnConflict(() => attempt(++count)), {
    isTransient: (error) => error instanceof StoreUnavailable,
    maxAttempts: 7,
    firstWait: 500,
    longestWait: 16_000,
  });
}
