/**
 * Stretches of time, half open: `start` belongs to it, `end` does not, so that 9–10 and 10–11 touch and do not overlap. Epoch milliseconds, though any
 * number line will do.
 *
 * Every function but `merge` takes lists in normal form, as `merge` makes them and all of them give: by start, none empty, none touching another. Each
 * is linear in what it is given.
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

/** What belongs to both: [8–12, 13–17] and [11–14] → [11–12, 13–14]. */
export function intersect(ones: readonly Interval[], others: readonly Interval[]): Interval[] {
  const common: Interval[] = [];
  for (let i = 0, j = 0; i < ones.length && j < others.length;) {
    const [one, other] = [ones[i] as Interval, others[j] as Interval];
    const [start, end] = [Math.max(one.start, other.start), Math.min(one.end, other.end)];
    if (start < end) common.push({ start, end });
    if (one.end <= other.end) i++;
    else j++;
  }
  return common;
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

/** The one of them that holds the whole interval: 9–11 lies in the first of [8–12, 13–17], 11–14 in none. */
export function holding<Of extends Interval>(intervals: readonly Of[], { start, end }: Interval): Of | undefined {
  return intervals.find((each) => each.start <= start && end <= each.end);
}
