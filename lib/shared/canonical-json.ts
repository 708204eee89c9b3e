/** What JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const number = (value: number): string => {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is no JSON number`);
  return JSON.stringify(value);
};

/**
 * The one text of a value, by RFC 8785: keys sorted by their UTF-16 code units, no spaces, numbers and text as
 * ECMAScript writes them. Two values have the same text exactly when they are the same. Throws on NaN and infinities.
 */
export function canonical(value: Json): string {
  if (typeof value === 'number') return number(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonical).join(',')}]`;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, of]) => `${JSON.stringify(name)}:${canonical(of)}`).join(',')}}`;
}
