import { createHash } from 'node:crypto';

/** A moment written to the millisecond, as `toISOString` of JavaScript does. */
const WITH_FRACTION = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})[.,]\d{1,9}(Z|[+-]\d{2}:?\d{2})?$/i;

/** A text that is a moment with a fraction of its second without it; another text as it is. */
export const withoutFraction = (text: string): string => text.replace(WITH_FRACTION, '$1$2');

const toComparable = (value: unknown): unknown => (typeof value === 'string' ? withoutFraction(value) : value);

/** SHA-256 over operation and body, without the API key; `…00.000Z` and `…00Z` are the same moment. */
export function requestFingerprint(operation: string, { ApiKey: _, ...body }: Record<string, unknown>): string {
  return createHash('sha256')
    .update(`${operation}\n${JSON.stringify(body, (_name, value: unknown) => toComparable(value))}`)
    .digest('base64url');
}
