import { openRoads } from '../../roads/open-roads.ts';
import type { RoadService } from '../../roads/road-service.ts';
import { MINUTE } from '../../shared/time/time.ts';
import type { PagerContext } from '../context.ts';

/** How long estimates take the place of a service that has failed, so that not every call waits for it. */
const PAUSE = MINUTE;
const ESTIMATED = 'Drive times are estimates: the service of roads and addresses does not answer.';

/** In this container. */
let pausedUntil = 0;

/**
 * Asks the service of roads and addresses. If it fails, the answer is `undefined`, Message says so, and this container
 * does not ask again for a minute. For clients it is not asked: anyone can call their pages, and each answer costs
 * money. They get what is kept.
 */
export async function askRoads<Answer>(
  { now, isClient, remark }: PagerContext,
  ask: (roads: RoadService) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (isClient) return undefined;
  if (now.getTime() >= pausedUntil) {
    try {
      return await ask(await openRoads());
    } catch {
      pausedUntil = now.getTime() + PAUSE;
    }
  }
  remark?.(ESTIMATED);
  return undefined;
}
