import { createHash } from 'node:crypto';
import { withoutFraction } from './time/read-moments.ts';

/** JSON objects: equality, canonical text, fingerprint, length, and copies with some of their fields. */

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/**
 * Whether two JSON values are equal, whatever the order of an object's names. Unlike node:util's isDeepStrictEqual, -0
 * equals 0, because the table stores both as the same number.
 */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isObject(left) || !isObject(right)) return false;
  if (Array.isArray(left)) return Array.isArray(right) && isEqualList(left, right);
  return !Array.isArray(right) && isEqualObject(left, right);
}

const isEqualList = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((value, index) => isEqual(value, right[index]));

function isEqualObject(left: Fields, right: Fields): boolean {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => isEqualField(name, left, right));
}

function isEqualField(name: string, left: Fields, right: Fields): boolean {
  const other = right[name];
  // An inherited property is a function, which equals no JSON value, or the prototype under the name __proto__.
  if ((other === undefined || other === Object.prototype) && !Object.hasOwn(right, name)) return false;
  return isEqual(left[name], other);
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * The canonical text of a value (RFC 8785): keys sorted by their UTF-16 code units, no spaces, numbers and texts as in
 * ECMAScript. Equal values have equal texts. Throws on NaN and infinities.
 */
export function canonical(value: Json): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is not a JSON number.`);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonical).join(',')}]`;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}

/**
 * SHA-256 of a request's operation and body, without the API key and regardless of the order of members; `…00.000Z` and
 * `…00Z` are the same moment. Bookings and invoices store it, so it must stay the same in every version.
 */
export function requestFingerprint(operation: string, { ApiKey: _, ...body }: Record<string, unknown>): string {
  const toComparable = (_name: string, value: unknown) => (typeof value === 'string' ? withoutFraction(value) : value);
  const comparable = JSON.parse(JSON.stringify(body, toComparable)) as Json;
  return createHash('sha256')
    .update(`${operation}\n${canonical(comparable)}`)
    .digest('base64url');
}

/** A copy of an object without some of its fields. */
export function omit<Of extends object, Name extends keyof Of>(object: Of, ...names: readonly Name[]): Omit<Of, Name> {
  const copy = { ...object };
  for (const name of names) delete copy[name];
  return copy;
}

/** A copy of an object with only some of its fields. */
export function pick<Of extends object, Name extends keyof Of>(object: Of, ...names: readonly Name[]): Pick<Of, Name> {
  const copy: Partial<Pick<Of, Name>> = {};
  for (const name of names) copy[name] = object[name];
  return copy as Pick<Of, Name>;
}

/** A copy of an object without the fields that are undefined. */
export const definedFields = <Of extends object>(object: { readonly [Name in keyof Of]: Of[Name] | undefined }) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<Of>;

/** An object that maps each name to its value. */
export const objectOf = <const Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)] as const)) as Record<Name, Value>;

/** The length of a value as JSON in UTF-8: about its size in the table. */
export const jsonByteLength = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/**
 * The offset of the quote that closes the JSON string beginning at `start`; the end of the text if it is not closed.
 */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
