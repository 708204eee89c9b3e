import type { Plan } from './plan.ts';
import { earliestStart, type InsertionOrder, type Tables } from './tables.ts';

/** How often the best place so far is passed over: blinks lead out of what greed alone would repeat. */
const BLINK = 0.01;

/** Inserts the undone stops one after the other, each where it costs least; what fits nowhere stays undone. */
export function recreate(plan: Plan, random: () => number): void {
  const waiting = inOrder(plan.tables, plan.undone, random);
  plan.undone = [];
  for (const stop of waiting) {
    const behind = cheapestPlace(plan, stop, random);
    if (behind < 0) plan.undone.push(stop);
    else plan.insert(stop, behind);
  }
}

function inOrder({ orders }: Tables, waiting: readonly number[], random: () => number): number[] {
  const { key } = drawn(orders, random);
  const rank = key ? (stop: number): number => key[stop] as number : random;
  return waiting
    .map((stop) => ({ stop, rank: rank(stop) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ stop }) => stop);
}

function drawn(orders: readonly InsertionOrder[], random: () => number): InsertionOrder {
  let left = random() * orders.reduce((sum, { weight }) => sum + weight, 0);
  for (const order of orders) {
    left -= order.weight;
    if (left < 0) return order;
  }
  return orders[0] as InsertionOrder;
}

/** The point behind which a stop costs least; -1 if it fits nowhere. */
function cheapestPlace(plan: Plan, stop: number, random: () => number): number {
  const { stops, points, vehicles, starts, demand, capacity, cost, costInto, lead, leadInto } = plan.tables;
  const { next, earliest, latest } = plan;
  const row = stop * points;
  let least = Infinity;
  let place = -1;
  for (let vehicle = 0; vehicle < vehicles; vehicle++) {
    const list = stop * vehicles + vehicle;
    const intervals = starts.first[list + 1] as number;
    if (intervals === starts.first[list]) continue;
    if ((plan.load[vehicle] as number) + (demand[stop] as number) > (capacity[vehicle] as number)) continue;
    const lastStart = starts.closes[intervals - 1] as number;
    const end = stops + 2 * vehicle + 1;
    // Starts only grow along a route, so behind the last start of the stop it fits nowhere.
    for (let behind = end - 1; behind !== end && (earliest[behind] as number) <= lastStart;) {
      const after = next[behind] as number;
      const detour =
        (costInto[row + behind] as number) +
        (cost[row + after] as number) -
        (costInto[after * points + behind] as number);
      if (detour < least) {
        const ready = (earliest[behind] as number) + (leadInto[row + behind] as number);
        const start = earliestStart(starts, list, ready);
        if (start + (lead[row + after] as number) <= (latest[after] as number) && random() >= BLINK) {
          least = detour;
          place = behind;
        }
      }
      behind = after;
    }
  }
  return place;
}
