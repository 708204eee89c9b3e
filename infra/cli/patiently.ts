import { StoreUnavailable } from '../../lib/store/errors.ts';
import { rerun } from '../../lib/store/rerun.ts';

const MOST_WAITS = 6;
const FIRST_WAIT = 250;

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * Runs `attempt` (load, decide, commit) again where somebody else was first, and, a few times and ever later (8 seconds
 * at the last), where the table is throttled or away. What it did the first time it must find by itself then: whether a
 * write was made is not known.
 */
export async function patiently<Answer>(attempt: (count: number) => Promise<Answer>): Promise<Answer> {
  let tries = 0;
  for (let waits = 0; ; waits++) {
    try {
      return await rerun(() => attempt(++tries));
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || waits === MOST_WAITS) throw error;
    }
    await pause(FIRST_WAIT * 2 ** Math.min(waits, 5));
  }
}
