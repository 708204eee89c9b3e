import type { PartRecord } from '../pricebook/records.ts';
import type { Recurrence } from './recurrence.ts';
import { seasonAt } from './season.ts';

/** What a part says of the visits in which it is done. */
export type Distribution = Pick<PartRecord, 'SubscriptionDistributionSteps' | 'DistributionStart' | 'DistributionEnd'>;

/** `1,3,5` → 1, 3, 5. What is no number says nothing. */
const stepsOf = (text: string): Set<number> =>
  new Set((text.match(/\d+/g) ?? []).map(Number).filter((step) => step >= 1));

/** Whether a part says anything of the visits it is in. */
export const saysWhen = (part: Distribution): boolean =>
  stepsOf(part.SubscriptionDistributionSteps).size > 0 ||
  part.DistributionStart !== null ||
  part.DistributionEnd !== null;

/**
 * The visits, counted from 0, over which a line is divided: those of its part's SubscriptionDistributionSteps (the
 * first is 1) between DistributionStart and DistributionEnd, which come again each year like a season; all where the
 * part says nothing. Where it names none that there is, the first: what is sold is paid for.
 */
export function visitsOf(part: Distribution, { visits }: Recurrence, zone: string): number[] {
  const steps = stepsOf(part.SubscriptionDistributionSteps);
  const window = seasonAt({ start: part.DistributionStart, end: part.DistributionEnd }, zone, visits[0] ?? 0);
  const chosen = visits.flatMap((day, visit) => {
    const isStep = steps.size === 0 || steps.has(visit + 1);
    return isStep && day >= (window.first ?? day) && day <= (window.last ?? day) ? visit : [];
  });
  return chosen.length ? chosen : [0];
}

