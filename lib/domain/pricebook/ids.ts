import type { BookIdKind, PlanScope } from './plan-types.ts';

const HIGHEST = 2 ** 31 - 1;

/**
 * New ids, from those at hand. Where they run out it goes on with numbers that no account reaches, so that a plan can be
 * made only to learn how many it takes.
 */
export class Ids {
  readonly needs: Partial<Record<BookIdKind, number>> = {};
  readonly #atHand: PlanScope['ids'];

  constructor(atHand: PlanScope['ids']) {
    this.#atHand = atHand;
  }

  take(kind: BookIdKind): number {
    const taken = this.needs[kind] ?? 0;
    this.needs[kind] = taken + 1;
    return this.#atHand[kind]?.[taken] ?? HIGHEST - taken;
  }
}
