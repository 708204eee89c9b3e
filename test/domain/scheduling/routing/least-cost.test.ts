import { expect, test } from 'vitest';
import { improveRoutes, searchSteps } from '../../../../lib/domain/scheduling/routing/improve.ts';
import { bestWorth, worthOf } from '../../../support/oracles/routes.ts';
import { randomDay } from '../../../support/random/routing-problems.ts';

/** DAY_PLANS=1000 for more. */
const days = Number(process.env['DAY_PLANS'] ?? 250);

test.each([
  { vehicles: 1, share: 0.4 },
  { vehicles: 2, share: 0.3 },
  { vehicles: 3, share: 0.3 },
])('of up to 8 visits for $vehicles, no order of any day serves more or costs less', ({ vehicles, share }) => {
  for (let seed = 1; seed <= days * share; seed++) {
    const { problem, start } = randomDay(1_000 * vehicles + seed, { stops: 1 + (seed % 8), vehicles });
    const routes = improveRoutes(problem, start, { seed: 1, steps: searchSteps(problem), milliseconds: 60_000 });
    expect({ seed, worth: worthOf(problem, routes) }).toEqual({ seed, worth: bestWorth(problem) });
  }
});
