import { createHash } from 'node:crypto';
import { withoutFraction } from '../../shared/time/without-fraction.ts';

const toComparable = (value: unknown): unknown => (typeof value === 'string' ? withoutFraction(value) : value);

/** SHA-256 over operation and body, without the API key; `…00.000Z` and `…00Z` are the same moment. */
export function requestFingerprint(operation: string, { ApiKey: _, ...body }: Record<string, unknown>): string {
  return createHash('sha256')
    .update(`${operation}\n${JSON.stringify(body, (_name, value: unknown) => toComparable(value))}`)
    .digest('base64url');
}
