/**
 * Half open: `start` belongs to it, `end` does not, so 9–10 and 10–11 touch and do not overlap. Epoch milliseconds
 * here, any number line will do.
 *
 * Every function but `merge` takes lists in normal form, which all of them return: by start, none empty, none touching
 * another. Each is linear in its input.
 */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

export const overlaps = (one: Interval, other: Interval): boolean =>
  Math.max(one.start, other.start) < Math.min(one.end, other.end);

/** The normal form of any intervals: [9–12, 12–17, 11–13, 20–20] → [9–17]. Sorts; the rest of the work is linear. */
export function merge(intervals: readonly Interval[]): Interval[] {
  const merged: { start: number; end: number }[] = [];
  let last: { start: number; end: number } | undefined;
  for (const { start, end } of intervals.toSorted((one, other) => one.start - other.start)) {
    if (end <= start) continue;
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push((last = { start, end }));
  }
  return merged;
}

/** What belongs to the first and not to the second: [8–17] without [12–13] → [8–12, 13–17]. */
export function subtract(from: readonly Interval[], taken: readonly Interval[]): Interval[] {
  const rest: Interval[] = [];
  let next = 0;
  for (const { start, end } of from) {
    let at = start;
    while (next < taken.length && (taken[next] as Interval).end <= start) next++;
    for (let each = next; each < taken.length && (taken[each] as Interval).start < end; each++) {
      const cut = taken[each] as Interval;
      if (cut.start > at) rest.push({ start: at, end: cut.start });
      at = cut.end;
      next = each;
    }
    if (at < end) rest.push({ start: at, end });
  }
  return rest;
}

/** The interval that contains another as a whole: 9–11 lies in the first of [8–12, 13–17], 11–14 in none. */
export function findContaining<Of extends Interval>(
  intervals: readonly Of[],
  { start, end }: Interval,
): Of | undefined {
  return intervals.find((each) => each.start <= start && end <= each.end);
}
