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
export const conditionsOf = (where: Where): [string, Fact | Span][] =>
  Object.entries(where).flatMap(([name, wanted]): [string, Fact | Span][] =>
    wanted === undefined || (isSpan(wanted) && wanted.from === undefined && wanted.through === undefined)
      ? []
      : [[name, wanted]],
  );

const within = (fact: Fact | undefined, { from = -Infinity, through = Infinity }: Span): boolean =>
  typeof fact === 'number' && fact >= from && fact <= through;

/** Whether facts meet what is asked; the same as the table says of filterParameters, which a test holds. */
export const meets = (facts: Facts, where: Where): boolean =>
  conditionsOf(where).every(([name, wanted]) =>
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
  const parts = conditionsOf(where).flatMap(([name, wanted], index) => {
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
