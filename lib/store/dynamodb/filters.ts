import { attributes } from '../keys.ts';

/** A fact about a record that queries filter by. */
export type Fact = string | number | boolean;

/** The facts of a record: a map in its item, which every index entry carries too. */
export type Facts = Readonly<Record<string, Fact>>;

/** Both ends are inclusive; an omitted end is open. */
export interface Span {
  readonly from?: number | undefined;
  readonly through?: number | undefined;
}

/** What facts must be: equal to a value, or a number within a span. A missing fact does not meet a condition. */
export type Where = Readonly<Record<string, Fact | Span | undefined>>;

const isSpan = (condition: Fact | Span): condition is Span => typeof condition === 'object';

/** The conditions that are restrictions. */
export const listConditions = (where: Where): [string, Fact | Span][] =>
  Object.entries(where).flatMap(([name, condition]): [string, Fact | Span][] =>
    condition === undefined || (isSpan(condition) && condition.from === undefined && condition.through === undefined)
      ? []
      : [[name, condition]],
  );

const isWithin = (fact: Fact | undefined, { from = -Infinity, through = Infinity }: Span): boolean =>
  typeof fact === 'number' && fact >= from && fact <= through;

/** Whether facts meet the conditions, with the same result as filterParameters in the table. */
export const matchesFacts = (facts: Facts, where: Where): boolean =>
  listConditions(where).every(([name, condition]) =>
    isSpan(condition) ? isWithin(facts[name], condition) : facts[name] === condition,
  );

/** The conditions as a filter of the table: entries that do not meet them are read and paid for, but not sent. */
export function filterParameters(where: Where): {
  FilterExpression?: string;
  names: Record<string, string>;
  values: Record<string, Fact>;
} {
  const names: Record<string, string> = { '#F': attributes.facts };
  const values: Record<string, Fact> = {};
  const parts = listConditions(where).flatMap(([name, condition], index) => {
    names[`#F${index}`] = name;
    const compare = (sign: string, end: string, value: Fact | undefined) => {
      if (value === undefined) return [];
      values[`:F${index}${end}`] = value;
      return [`#F.#F${index} ${sign} :F${index}${end}`];
    };
    return isSpan(condition)
      ? [...compare('>=', 'from', condition.from), ...compare('<=', 'through', condition.through)]
      : compare('=', '', condition);
  });
  return parts.length ? { FilterExpression: parts.join(' AND '), names, values } : { names: {}, values: {} };
}
