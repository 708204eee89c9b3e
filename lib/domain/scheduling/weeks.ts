const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** Monday 1970-01-05, 0:00 UTC. */
const FIRST_MONDAY = 4 * DAY;

const weekStart = (at: number): number => Math.floor((at - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;

/**
 * The weeks an interval (`end` exclusive) touches, by the date of their Monday: what a calendar is kept and read by. Weeks are of UTC, and not of the
 * organization's zone, so that a claim stays where it is when the organization's Timezone is changed; nobody sees them.
 *
 * New York, 14 days from 2026-03-08 0:00 (05:00Z) and the days around (`reachOf`: 03-07 05:00Z to 03-23 04:00Z): 2026-03-02, -09, -16, -23. A job from
 * Sunday 2026-03-08 19:00 to 21:00 EDT (23:00Z to 01:00Z): both 2026-03-02 and 2026-03-09.
 */
export function calendarWeeks({ start, end }: { readonly start: number; readonly end: number }): string[] {
  const weeks: string[] = [];
  for (let week = weekStart(start); week < Math.max(end, start + 1); week += WEEK) weeks.push(new Date(week).toISOString().slice(0, 10));
  return weeks;
}
