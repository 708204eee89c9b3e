const DAY_SECONDS = 24 * 60 * 60;

/**
 * An account's events stay readable for this many days, unless its sequence says otherwise; what a day is, is UTC's.
 */
export const DEFAULT_RETENTION_DAYS = 30;

/**
 * Day on which events expire, in days since 1970 → id of the first of them. All events of a day expire together at a
 * midnight, so that this list, of one entry a day, says exactly which events can still be read; without it a reader who
 * was long away would walk through thousands of empty blocks.
 */
export type ExpiryDays = Readonly<Record<string, number>>;

const dayOf = (moment: Date): number => Math.floor(moment.getTime() / 1000 / DAY_SECONDS);
const upcoming = (days: ExpiryDays, today: number) => Object.entries(days).filter(([day]) => Number(day) > today);

/** The oldest id that can still be read; the one after `last` where all have expired. */
export const oldestReadable = (days: ExpiryDays, last: number, now: Date): number =>
  Math.min(last + 1, ...upcoming(days, dayOf(now)).map(([, first]) => first));

/**
 * When events queued now expire (seconds since 1970), and the list with their day in it, or `undefined` where it is in
 * it already. Worked: queued at any time of day 100 with 30 days' retention, an event can be read through day 130 and
 * expires as day 131 begins. No event expires before an older one, also after the retention was shortened or where two
 * clocks differ: what can be read is one stretch.
 */
export function expiryOf(
  days: ExpiryDays,
  first: number,
  now: Date,
  retentionDays: number,
): { expires: number; days: ExpiryDays | undefined } {
  const left = upcoming(days, dayOf(now));
  const expiry = Math.max(dayOf(now) + retentionDays + 1, ...left.map(([day]) => Number(day)));
  return {
    expires: expiry * DAY_SECONDS,
    days: days[expiry] === undefined ? { ...Object.fromEntries(left), [expiry]: first } : undefined,
  };
}
