import { createHash } from 'node:crypto';
import { gunzipText, gzipText } from '../shared/gzip.ts';
import type { Change, Condition, Item } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { layout } from './keys.ts';

/** An answer kept for 24 hours under the caller's Idempotency-Key. */
export interface SavedResponse {
  /** SHA-256 of operation and body: the same key with another body is an error. */
  readonly Fingerprint: string;
  readonly Status: number;
  readonly Body: string;
}

const DAY_SECONDS = 24 * 60 * 60;

/** Longer answers are kept compressed: an item holds 400 KB. */
const LONG_BYTES = 50_000;
const MAX_BYTES = 390_000;

/** Thrown where even the compressed answer is too long to be kept; nothing is stored then. */
export class ResponseTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

function packed(body: string): string | Uint8Array {
  if (body.length < LONG_BYTES) return body;
  const compressed = gzipText(body);
  if (compressed.length > MAX_BYTES) throw new ResponseTooLong(`an answer of ${body.length} characters`);
  return compressed;
}

const keptOf = ({ Fingerprint, Status, Body }: Item): SavedResponse => ({
  Fingerprint: Fingerprint as string,
  Status: Status as number,
  Body: typeof Body === 'string' ? Body : gunzipText(Body as Uint8Array),
});

/** Keys of one caller do not meet those of another, even of the same account. */
const keyOf = (account: string, publicPart: string, idempotencyKey: string) =>
  layout.idempotency.key({
    account,
    hash: createHash('sha256').update(`${publicPart}\n${idempotencyKey}`).digest('base64url'),
  });

/** SHA-256 over operation and body; the API key does not count. */
export function requestFingerprint(operation: string, { ApiKey: _, ...body }: Record<string, unknown>): string {
  return createHash('sha256')
    .update(`${operation}\n${JSON.stringify(body)}`)
    .digest('base64url');
}

/** Where one call's answer is kept. */
export interface ResponseKey {
  readonly account: string;
  readonly publicPart: string;
  readonly idempotencyKey: string;
}

/**
 * What is kept under the key, and the condition under which an answer may be kept there now: an answer older than 24
 * hours does not count any more, but stands in the table until TTL drops it, a little later.
 */
export async function replayedResponse(
  table: TableReader,
  place: ResponseKey,
  now: Date,
): Promise<{ kept: SavedResponse | undefined; free: Condition }> {
  const item = await table.get(keyOf(place.account, place.publicPart, place.idempotencyKey));
  if (!item) return { kept: undefined, free: 'absent' };
  const alive = (item['TTL'] as number) > now.getTime() / 1000;
  return { kept: alive ? keptOf(item) : undefined, free: { equals: { TTL: item['TTL'] } } };
}

/**
 * The change that keeps an answer, for the same transaction as its effect. It fails when another call with the key was
 * first.
 */
export function savedResponseChange(place: ResponseKey, answer: SavedResponse, free: Condition, now: Date): Change {
  const key = keyOf(place.account, place.publicPart, place.idempotencyKey);
  return {
    put: { ...key, ...answer, Body: packed(answer.Body), TTL: Math.floor(now.getTime() / 1000) + DAY_SECONDS },
    if: free,
  };
}
