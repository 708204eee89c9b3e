import type { PartRecord } from '../../entities/parts.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { parseCalendarDate } from '../../shared/time/read-moments.ts';
import { DAY, HOUR, SECOND } from '../../shared/time/time.ts';
import type { EntryErrors } from './apply-fields.ts';

/**
 * SeasonStart, SeasonExpiration, DistributionStart and DistributionEnd are calendar dates. Records store `YYYY-MM-DD`;
 * the contract's fields are of type datetime, so responses have the date at 00:00Z.
 */
type StoredDate = string | null;

const isDate = (stored: string): boolean => stored.length === 'YYYY-MM-DD'.length;
const dateAt = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * The date of a midnight in any zone from UTC−10 to UTC+13: 2027-04-01 begins at 10:00Z in Honolulu, and at 11:00Z on
 * March 31 in Auckland.
 */
const dateOfMidnight = (at: number): string => dateAt(at + 13 * HOUR);

/** The first day of a season. Records from earlier versions have its first moment in the writer's zone. */
export const firstDate = (stored: StoredDate): string | null =>
  stored === null || isDate(stored) ? stored : dateOfMidnight(Date.parse(stored));

/** The last day of a season. Records from earlier versions have its last second, or a moment as it was written. */
export function lastDate(stored: StoredDate): string | null {
  if (stored === null || isDate(stored)) return stored;
  const at = Date.parse(stored);
  const next = at + SECOND;
  return next % (HOUR / 4) === 0 ? dateAt(Date.parse(dateOfMidnight(next)) - DAY) : dateAt(at);
}

/** A date as the API shows it. */
const toDatetime = (date: string | null): string | null => (date === null ? null : `${date}T00:00:00Z`);

/** The season of a service as the API shows it. */
export const seasonToResource = ({ SeasonStart, SeasonExpiration }: ServiceRecord) => ({
  SeasonStart: toDatetime(firstDate(SeasonStart)),
  SeasonExpiration: toDatetime(lastDate(SeasonExpiration)),
});

/** The days on which a part is distributed, as the API shows them. */
export const distributionToResource = ({ DistributionStart, DistributionEnd }: PartRecord) => ({
  DistributionStart: toDatetime(firstDate(DistributionStart)),
  DistributionEnd: toDatetime(lastDate(DistributionEnd)),
});

/** Applies a calendar date of an entry as written. Absent leaves it, `null` and `""` clear it. */
export function applyCalendarDate<Name extends string>(
  name: Name,
  entry: { readonly [_ in Name]?: string | null | undefined },
  before: { readonly [_ in Name]: string | null },
  errors: EntryErrors,
): string | null {
  const text = entry[name];
  if (text === undefined) return before[name];
  if (!text) return null;
  const parsed = parseCalendarDate(text);
  if (parsed.ok) return parsed.date;
  errors.add(name, `must be a date. ${parsed.reason}`, 'format');
  return before[name];
}
