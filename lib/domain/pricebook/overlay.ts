import type { Fault } from '../faults.ts';
import { parseMoment, parseRangeEnd } from '../moments-in.ts';
import { toUtc } from '../moments-out.ts';

/** What is said of a field: absent (`undefined`) leaves it, `null` clears it. */
type Said = Readonly<Record<string, unknown>>;

/** The other name by which a field is known in the other variant of a resource: kept name → other name. */
export type Aliases = Readonly<Record<string, string>>;

/** The name by which an entry says a field: the kept name, else its alias, else the kept name. */
export function nameSaid(entry: object, name: string, aliases: Aliases): string {
  const alias = aliases[name];
  return (entry as Said)[name] === undefined && alias && (entry as Said)[alias] !== undefined ? alias : name;
}

/** `thing` with the fields `names` as an entry says them; what it clears is as in `blank`. Texts named so are trimmed. */
export function overlay<Thing extends object>(
  thing: Thing,
  entry: object,
  { names, blank, aliases = {} }: { names: readonly (keyof Thing & string)[]; blank: Thing; aliases?: Aliases },
): Thing {
  const changed: Record<string, unknown> = {};
  for (const name of names) {
    const value = (entry as Said)[nameSaid(entry, name, aliases)];
    if (value === undefined) continue;
    changed[name] = value === null ? blank[name] : trimmed.has(name) ? (value as string).trim() : value;
  }
  return { ...thing, ...changed };
}

/** Names and categories are compared, found and sorted; spaces around them are never meant. */
const trimmed: ReadonlySet<string> = new Set(['Name', 'Category', 'Group', 'OptionName', 'UnitOfMeasure']);

/** A moment as a thing keeps it: UTC; an `end` given as a date is the last second of that day. */
export function momentSaid(
  text: string | null | undefined,
  before: string | null,
  { field, zone, end = false }: { field: string; zone: string; end?: boolean },
): { value: string | null; faults: Fault[] } {
  if (text === undefined) return { value: before, faults: [] };
  if (!text) return { value: null, faults: [] };
  const read = end ? parseRangeEnd(text, zone) : parseMoment(text, zone);
  return read.ok
    ? { value: toUtc(read.at), faults: [] }
    : { value: before, faults: [{ field, message: `must be a date and time. ${read.reason}` }] };
}
