import { Plan } from './plan.ts';
import type { SearchLimits } from './problem.ts';
import { randomNumbers } from './random.ts';
import { recreate } from './recreate.ts';
import { ruin } from './ruin.ts';

/** Temperatures at the first and at the last step, and while undone stops are served, by the mean cost of a stop. */
const WARM = 10;
const COLD = 0.1;
const SERVING_WARMTH = 1;
/** How many steps pass between two looks at the clock. */
const CLOCK_STEPS = 32;

/**
 * Slack induction by string removals (Christiaens and Vanden Berghe, Transportation Science 54(2), 2020): each step
 * ruins a copy of the current routes, recreates it by greed, and goes on from it if it is better, or worse by no more
 * than chance and a temperature allow, which falls from step to step.
 */
export class Search {
  readonly best: Plan;
  #current: Plan;
  #candidate: Plan;
  readonly #limits: SearchLimits;
  readonly #random: () => number;
  readonly #end: number;
  #step = 0;

  constructor(start: Plan, limits: SearchLimits) {
    this.best = start;
    this.#current = new Plan(start.tables);
    this.#current.copy(start);
    this.#candidate = new Plan(start.tables);
    this.#limits = limits;
    this.#random = randomNumbers(limits.seed);
    this.#end = performance.now() + limits.milliseconds;
  }

  /**
   * Serves undone stops. Each step counts the absence of those still undone, and a candidate is taken whose undone
   * stops have fewer absences in sum, or the search would leave out the same hard ones at every step.
   */
  serve(steps: number): void {
    const absences = new Float64Array(this.best.tables.stops);
    const absent = (plan: Plan): number => plan.undone.reduce((sum, stop) => sum + (absences[stop] as number), 0);
    while (this.best.undone.length && this.#step < steps && this.#try()) {
      const [candidate, current] = [this.#candidate, this.#current];
      for (const stop of candidate.undone) absences[stop] = (absences[stop] as number) + 1;
      if (
        candidate.penalty < current.penalty ||
        absent(candidate) < absent(current) ||
        (absent(candidate) === absent(current) && this.#isCheapEnough(candidate.cost, SERVING_WARMTH))
      )
        this.#take();
    }
    this.#current.copy(this.best);
  }

  /** Lowers the cost; never at the price of a stop. */
  shorten(): void {
    const from = this.#step;
    const { steps } = this.#limits;
    while (this.#step < steps && this.#try()) {
      const [candidate, current] = [this.#candidate, this.#current];
      const warmth = WARM * (COLD / WARM) ** ((this.#step - from) / (steps - from));
      if (
        candidate.penalty < current.penalty ||
        (candidate.penalty === current.penalty && this.#isCheapEnough(candidate.cost, warmth))
      )
        this.#take();
    }
  }

  /** Makes the next candidate; false once the time is over. */
  #try(): boolean {
    if (this.#step++ % CLOCK_STEPS === 0 && performance.now() > this.#end) return false;
    this.#candidate.copy(this.#current);
    ruin(this.#candidate, this.#random);
    recreate(this.#candidate, this.#random);
    return true;
  }

  /** Cheaper than the current routes, or dearer by no more than chance and warmth allow. */
  #isCheapEnough(cost: number, warmth: number): boolean {
    const temperature = (warmth * this.best.cost) / this.best.tables.stops;
    return cost < this.#current.cost - temperature * Math.log(this.#random());
  }

  #take(): void {
    [this.#current, this.#candidate] = [this.#candidate, this.#current];
    const { penalty, cost } = this.#current;
    if (penalty < this.best.penalty || (penalty === this.best.penalty && cost < this.best.cost))
      this.best.copy(this.#current);
  }
}
