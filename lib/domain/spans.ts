import type { Fault } from './faults.ts';
import { parseRangeEnd, parseRangeStart } from './moments-in.ts';

type Given = string | null | undefined;

/** A stretch of time, both ends inclusive, in milliseconds since 1970; an end that is not given is open. */
export interface Moments {
  readonly from?: number | undefined;
  readonly through?: number | undefined;
}

/**
 * Reads `{name}From` and `{name}Through` of a query in the organization's zone; a date given as Through includes its
 * whole day. Faults: what is no date, and an end before the beginning.
 */
export function readSpan(
  name: string,
  [from, through]: readonly [Given, Given],
  zone: string,
): { readonly span: Moments; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const read = (end: string, text: Given, parse: typeof parseRangeStart): number | undefined => {
    if (!text) return undefined;
    const parsed = parse(text, zone);
    if (parsed.ok) return parsed.at;
    faults.push({ field: `${name}${end}`, message: `cannot be read: ${parsed.reason}` });
    return undefined;
  };
  const span = { from: read('From', from, parseRangeStart), through: read('Through', through, parseRangeEnd) };
  if (span.from !== undefined && span.through !== undefined && span.through < span.from)
    faults.push({ field: `${name}Through`, message: `must not be before ${name}From` });
  return { span, faults };
}
