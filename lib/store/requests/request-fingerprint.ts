import { createHash } from 'node:crypto';
import { type Json, canonical } from '../../shared/objects.ts';

/** A moment written to the millisecond, as `toISOString` of JavaScript does. */
const WITH_FRACTION = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})[.,]\d{1,9}(Z|[+-]\d{2}:?\d{2})?$/i;

/** A text that is a moment with a fraction of its second without it; another text as it is. */
export const withoutFraction = (text: string): string => text.replace(WITH_FRACTION, '$1$2');

const toComparable = (value: unknown): unknown => (typeof value === 'string' ? withoutFraction(value) : value);

/**
 * SHA-256 over operation and body, without the API key and whatever the order of members; `…00.000Z` and `…00Z` are
 * the same moment. Records of bookings and invoices keep it: it stays the same in every version.
 */
export function requestFingerprint(operation: string, { ApiKey: _, ...body }: Record<string, unknown>): string {
  const comparable = JSON.parse(JSON.stringify(body, (_name, value: unknown) => toComparable(value))) as Json;
  return createHash('sha256')
    .update(`${operation}\n${canonical(comparable)}`)
    .digest('base64url');
}
