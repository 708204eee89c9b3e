import type { Fault } from './faults.ts';
import { parseRangeEnd, parseRangeStart } from './moments-in.ts';

type Given = string | null | undefined;

/** A stretch of time, both ends inclusive, in milliseconds since 1970; an end that is not given is open. */
export interface Moments {
  readonly from?: number | undefined;
  readonly through?: number | undefined;
}

/**
 * Reads the fields of a query that begin and end a span, in the organization's zone; a date given as the end includes
 * its whole day. Faults: what is no date, and an end before the beginning.
 */
export function readSpan<Name extends string>(
  [first, last]: readonly [Name, Name],
  given: Readonly<Partial<Record<Name, Given>>>,
  zone: string,
): { readonly span: Moments; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const read = (field: Name, parse: typeof parseRangeStart): number | undefined => {
    const text = given[field];
    if (!text) return undefined;
    const parsed = parse(text, zone);
    if (parsed.ok) return parsed.at;
    faults.push({ field, message: `cannot be read: ${parsed.reason}` });
    return undefined;
  };
  const span = { from: read(first, parseRangeStart), through: read(last, parseRangeEnd) };
  if (span.from !== undefined && span.through !== undefined && span.through < span.from)
    faults.push({ field: last, message: `must not be before ${first}` });
  return { span, faults };
}
