import { indexLayout, padded } from '../keys.ts';
import type { Range } from './client.ts';

/**
 * How many partitions an account's list is spread over; index partitions take 1,000 writes a second each, as the
 * table's do.
 */
export const INDEX_SHARDS = 8;

/**
 * Moved by 10,000 seconds times a million, so that 1900 too is above zero: 14 digits order every moment from 1653 to
 * 4822.
 */
const MOVED = 10_000_000_000_000;
const FIRST = '00000000000000';
/** Where things stand that have no date: behind all that have one. */
const UNDATED = '99999999999999';
const LAST_DATED = '99999999999998';

/** A moment (milliseconds since 1970) as part of an index's sort key. */
export const momentKey = (at: number): string => String(at + MOVED).padStart(14, '0');

const shardOf = (id: number): number => id % INDEX_SHARDS;

/** Where a thing stands in the indexes. */
export interface IndexedRecord {
  readonly account: string;
  readonly organization: number;
  readonly contact: number | null;
  /** The noun of the thing; a list holds things of one. */
  readonly kind: string;
  /** By which lists are ordered, then by id: when it is due, scheduled, dated. Things without come last. */
  readonly date: number | null;
  readonly updated: number;
  readonly id: number;
  /** What else queries filter by; the organization (O) and the time of its last change (U) are added. */
  readonly facts: Facts;
}

/** The attributes by which an item stands in the four indexes, for nextVersion. */
export function indexKeys({
  account,
  organization,
  contact,
  kind,
  date,
  updated,
  id,
  facts,
}: IndexedRecord): Record<string, unknown> {
  const at = {
    account,
    kind,
    shard: shardOf(id),
    organization,
    id,
    date: date === null ? UNDATED : momentKey(date),
    updated: momentKey(updated),
  };
  const keys = {
    GSI1: indexLayout.GSI1.key(at),
    GSI2: indexLayout.GSI2.key(at),
    GSI3: indexLayout.GSI3.key(at),
    ...(contact === null ? {} : { GSI4: indexLayout.GSI4.key({ ...at, contact }) }),
  };
  const attributes = Object.entries(keys).flatMap(([index, { PK, SK }]) => [
    [`${index}PK`, PK],
    [`${index}SK`, SK],
  ]);
  return { ...Object.fromEntries(attributes), F: { ...facts, O: organization, U: updated } };
}

/** What is asked of a kind of things, as far as it decides which index is read. */
export interface Criteria {
  readonly account: string;
  /** The one organization that the caller asks for or is bound to; `null` for all. */
  readonly organization: number | null;
  readonly kind: string;
  readonly contact?: number | undefined;
  readonly date?: Span | undefined;
  readonly updated?: Span | undefined;
}

const isGiven = ({ from, through }: Span): boolean => from !== undefined || through !== undefined;

/** The first and the last sort key of a span of dates. One that is open at both ends holds the undated too. */
function datesOf(span: Span): { from: string; to: string } {
  const last = span.through === undefined ? (isGiven(span) ? LAST_DATED : UNDATED) : momentKey(span.through);
  return { from: span.from === undefined ? FIRST : momentKey(span.from), to: `${last}~` };
}

const shards = (range: (shard: number) => Range): Range[] =>
  Array.from({ length: INDEX_SHARDS }, (_, shard) => range(shard));

/** Nothing has changed after now, and nothing that is dated ends: of two spans the narrower one is read. */
const width = ({ from = -MOVED, through = MOVED }: Span, end: number): number => Math.min(through, end) - from;

/**
 * The ranges of the one index that has all that is asked for: the contact's; else by the time of the last change; else
 * by date in the organization, or across the account. Spans of dates and of changes both given: the narrower decides.
 */
export function indexRanges(
  { account, organization, kind, contact, date = {}, updated = {} }: Criteria,
  now: number,
): Range[] {
  const dates = datesOf(date);
  if (contact !== undefined)
    return [{ index: 'GSI4', partition: indexLayout.GSI4.of({ account, contact, kind }), ...dates }];
  if (isGiven(updated) && width(updated, now) <= width(date, MOVED)) {
    const changes = datesOf(updated);
    return shards((shard) => ({ index: 'GSI3', partition: indexLayout.GSI3.of({ account, kind, shard }), ...changes }));
  }
  if (organization !== null)
    return [{ index: 'GSI2', partition: indexLayout.GSI2.of({ account, organization, kind }), ...dates }];
  return shards((shard) => ({ index: 'GSI1', partition: indexLayout.GSI1.of({ account, kind, shard }), ...dates }));
}

const PLACE_LENGTH = `${UNDATED}#${padded(0)}`.length;

/** The last part of an entry's sort key, alike in every index: date and id. Lists are in its order. */
export const placeInSortKey = (sortKey: string): string => sortKey.slice(-PLACE_LENGTH);
export const idInPlace = (place: string): number => Number(place.slice(-10));

/** Whether a place is within a span of dates; an index by another time says nothing of it. */
export function isDated(place: string, span: Span = {}): boolean {
  const { from, to } = datesOf(span);
  return place >= from && place <= to;
}

/** A fact about a thing that queries filter by. */
export type Fact = string | number | boolean;

/**
 * The facts of a thing: the map `F` of its item, which every index entry carries too. Names are short, because every
 * entry is read with them.
 */
export type Facts = Readonly<Record<string, Fact>>;

/** Both ends inclusive; an end that is not given is open. */
export interface Span {
  readonly from?: number | undefined;
  readonly through?: number | undefined;
}

/**
 * What the facts must be: equal to a value, or a number within a span. A fact that is asked for and missing does not
 * meet it.
 */
export type Where = Readonly<Record<string, Fact | Span | undefined>>;

const isSpan = (wanted: Fact | Span): wanted is Span => typeof wanted === 'object';

/** What is asked, without what is not. */
export const listConditions = (where: Where): [string, Fact | Span][] =>
  Object.entries(where).flatMap(([name, wanted]): [string, Fact | Span][] =>
    wanted === undefined || (isSpan(wanted) && wanted.from === undefined && wanted.through === undefined)
      ? []
      : [[name, wanted]],
  );

const within = (fact: Fact | undefined, { from = -Infinity, through = Infinity }: Span): boolean =>
  typeof fact === 'number' && fact >= from && fact <= through;

/** Whether facts meet what is asked; the same as the table says of filterParameters, which a test holds. */
export const matchesFacts = (facts: Facts, where: Where): boolean =>
  listConditions(where).every(([name, wanted]) =>
    isSpan(wanted) ? within(facts[name], wanted) : facts[name] === wanted,
  );

/** The same as a filter of the table: entries that do not meet it are read and paid for, but not sent. */
export function filterParameters(where: Where): {
  FilterExpression?: string;
  names: Record<string, string>;
  values: Record<string, Fact>;
} {
  const names: Record<string, string> = { '#F': 'F' };
  const values: Record<string, Fact> = {};
  const parts = listConditions(where).flatMap(([name, wanted], index) => {
    names[`#F${index}`] = name;
    const compared = (sign: string, end: string, value: Fact | undefined) => {
      if (value === undefined) return [];
      values[`:F${index}${end}`] = value;
      return [`#F.#F${index} ${sign} :F${index}${end}`];
    };
    return isSpan(wanted)
      ? [...compared('>=', 'from', wanted.from), ...compared('<=', 'through', wanted.through)]
      : compared('=', '', wanted);
  });
  return parts.length ? { FilterExpression: parts.join(' AND '), names, values } : { names: {}, values: {} };
}
