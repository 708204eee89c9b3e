import { parseRangeEnd, parseRangeStart } from '../moments-in.ts';
import { startOfDay } from '../zones.ts';

/** A stretch of time, both ends inclusive, in milliseconds since 1970. */
export interface Stretch {
  readonly from: number;
  readonly through: number;
}

const MONTH = /^\s*(\d{4})-(\d{1,2})\s*$/;

/**
 * The day or the month (`2026-03`) that a text names, in the zone: `2026-03` in New York is from March 1st 00:00 -05:00 through March 31st 23:59:59.999
 * -04:00. A moment stands for its second.
 */
export function stretchOf(text: string, zone: string): { ok: true; stretch: Stretch } | { ok: false; reason: string } {
  const [, year = '', month = ''] = MONTH.exec(text) ?? [];
  if (year) {
    const [y, m] = [Number(year), Number(month)];
    if (m < 1 || m > 12 || y < 1900 || y > 2200) return { ok: false, reason: `${text.trim()} is no month. Write a day such as 2026-03-08 or a month such as 2026-03.` };
    return { ok: true, stretch: { from: startOfDay(Date.UTC(y, m - 1), zone), through: startOfDay(Date.UTC(y, m), zone) - 1 } };
  }
  const [from, through] = [parseRangeStart(text, zone), parseRangeEnd(text, zone)];
  if (!from.ok) return from;
  return through.ok ? { ok: true, stretch: { from: from.at, through: through.at } } : through;
}

/** What an IdSearch names: digits are an id, all else is a slug. */
export function idOrSlug(text: string): { readonly id: number } | { readonly slug: string } | undefined {
  const name = text.trim();
  if (!name) return undefined;
  if (!/^\d+$/.test(name)) return { slug: name.toLowerCase() };
  const id = Number(name);
  return { id: id <= 2 ** 31 - 1 ? id : 0 };
}
