import { createHash } from 'node:crypto';
import { gunzipText, gzipText } from '../shared/gzip.ts';
import { MAX_ITEM_BYTES } from '../shared/limits.ts';
import { withoutFraction } from '../shared/read-moments.ts';
import { DAY, SECOND } from '../shared/time.ts';
import type { Change, Condition } from './dynamodb/changes.ts';
import { type TableReader, ttlAfter } from './dynamodb/client.ts';
import { ResponseTooLong } from './dynamodb/errors.ts';
import { layout } from './keys.ts';

/** A response saved for 24 hours under the caller's Idempotency-Key. */
export interface SavedResponse {
  /** SHA-256 of operation and body: the same key with another body is an error. */
  readonly Fingerprint: string;
  readonly Status: number;
  readonly Body: string;
}

/** Longer bodies are compressed. */
const LONG_BODY = 50_000;
const MAX_BODY_BYTES = MAX_ITEM_BYTES - 10_000;

function pack(body: string): string | Uint8Array {
  if (body.length < LONG_BODY) return body;
  const compressed = gzipText(body);
  if (compressed.length > MAX_BODY_BYTES) throw new ResponseTooLong(`A response of ${body.length} characters.`);
  return compressed;
}

/** Where a response is saved. Callers have separate keys, even in one account. */
export interface ResponseKey {
  readonly account: string;
  readonly publicPart: string;
  readonly idempotencyKey: string;
}

const itemKey = ({ account, publicPart, idempotencyKey }: ResponseKey) =>
  layout.idempotency.key({
    account,
    hash: createHash('sha256').update(`${publicPart}\n${idempotencyKey}`).digest('base64url'),
  });

const toComparable = (value: unknown): unknown => (typeof value === 'string' ? withoutFraction(value) : value);

/** SHA-256 over operation and body, without the API key; `…00.000Z` and `…00Z` are the same moment. */
export function requestFingerprint(operation: string, { ApiKey: _, ...body }: Record<string, unknown>): string {
  return createHash('sha256')
    .update(`${operation}\n${JSON.stringify(body, (_name, value: unknown) => toComparable(value))}`)
    .digest('base64url');
}

/**
 * The response saved under the key, and the condition under which one may be saved now: a response older than 24 hours
 * no longer counts, but stays in the table until TTL removes it.
 */
export async function replayedResponse(
  table: TableReader,
  key: ResponseKey,
  now: Date,
): Promise<{ response: SavedResponse | undefined; unchanged: Condition }> {
  const item = await table.get(itemKey(key));
  if (!item) return { response: undefined, unchanged: 'absent' };
  const { Fingerprint, Status, Body, TTL } = item as unknown as Record<'Fingerprint', string> &
    Record<'Status' | 'TTL', number> &
    Record<'Body', string | Uint8Array>;
  const response = { Fingerprint, Status, Body: typeof Body === 'string' ? Body : gunzipText(Body) };
  return { response: TTL > now.getTime() / 1000 ? response : undefined, unchanged: { equals: { TTL } } };
}

/**
 * The change that saves a response, for the same transaction as its effect. It fails when another call with the key was
 * first.
 */
export const savedResponseChange = (
  key: ResponseKey,
  response: SavedResponse,
  unchanged: Condition,
  now: Date,
): Change => ({
  put: { ...itemKey(key), ...response, Body: pack(response.Body), TTL: ttlAfter(now, DAY / SECOND) },
  if: unchanged,
});
