import { type Plan, UNDONE } from './plan.ts';

/** How many stops a ruin removes on average, and of how many in a row a string is at most. */
const REMOVED = 10;
const LONGEST_STRING = 10;
/** How often a string keeps some stops in its middle, and how often one more of them. */
const SPLIT = 0.5;
const KEPT_LONGER = 0.01;

/**
 * Removes strings of stops from routes near each other, where Christiaens and Vanden Berghe find slack to arise: of each
 * route near a stop drawn at random a string that has the nearest stop of that route.
 */
export function ruin(plan: Plan, random: () => number): void {
  const { stops, nearest } = plan.tables;
  const used = plan.length.reduce((sum, length) => sum + Math.sign(length), 0);
  if (!used) return;
  const longest = Math.min(LONGEST_STRING, (stops - plan.undone.length) / used);
  const strings = Math.floor(1 + random() * ((4 * REMOVED) / (1 + longest) - 1));
  const seed = Math.floor(random() * stops);
  const ruined = new Set<number>();
  for (let rank = 0; rank < stops && ruined.size < strings; rank++) {
    const stop = nearest[seed * stops + rank] as number;
    const vehicle = plan.vehicleOf[stop] as number;
    if (vehicle === UNDONE || ruined.has(vehicle)) continue;
    ruined.add(vehicle);
    const length = plan.length[vehicle] as number;
    removeString(plan, stop, Math.floor(1 + random() * Math.min(length, longest)), random);
  }
}

/** Removes so many stops of a route in a row, one of them given; a split string keeps some in its middle. */
function removeString(plan: Plan, stop: number, count: number, random: () => number): void {
  const { stops } = plan.tables;
  const length = plan.length[plan.vehicleOf[stop] as number] as number;
  let kept = 0;
  if (count > 1 && count < length && random() < SPLIT)
    for (kept = 1; count + kept < length && random() < KEPT_LONGER;) kept++;
  let place = 0;
  for (let at = plan.previous[stop] as number; at < stops; at = plan.previous[at] as number) place++;
  const span = count + kept;
  const first = Math.max(0, place - span + 1);
  const begin = first + Math.floor(random() * (Math.min(place, length - span) - first + 1));
  const keptFrom = kept ? 1 + Math.floor(random() * (count - 1)) : span;
  let at = stop;
  for (let back = place - begin; back > 0; back--) at = plan.previous[at] as number;
  for (let index = 0; index < span; index++) {
    const following = plan.next[at] as number;
    if (index < keptFrom || index >= keptFrom + kept) plan.remove(at);
    at = following;
  }
}
