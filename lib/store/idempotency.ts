import { createHash } from 'node:crypto';
import { brotliText, deflateText, gunzipText, inflateText, unbrotliText } from '../shared/gzip.ts';
import { mapWithConcurrency } from '../shared/concurrency.ts';
import { MAX_ITEM_BYTES } from '../shared/limits.ts';
import { withoutFraction } from '../shared/read-moments.ts';
import { DAY, SECOND } from '../shared/time.ts';
import type { Change, Condition } from './dynamodb/changes.ts';
import { type TableReader, type TableWriter, ttlAfter } from './dynamodb/client.ts';
import { ResponseTooLong } from './dynamodb/errors.ts';
import { layout } from './keys.ts';
import { RESPONSE_DICTIONARY } from './response-dictionary.ts';

/** A response saved for 24 hours under the caller's Idempotency-Key. */
export interface SavedResponse {
  /** SHA-256 of operation and body: the same key with another body is an error. */
  readonly Fingerprint: string;
  readonly Status: number;
  readonly Body: string;
}

/** Longer bodies are compressed: an item of one kilobyte has some 170 bytes besides. */
const LONG_BODY = 600;
const MAX_SMALL_BYTES = 850;
const MAX_BODY_BYTES = MAX_ITEM_BYTES - 10_000;

/**
 * How a body is compressed: with the dictionary, or with Brotli where that is shorter. `gzip` is of earlier versions.
 */
const forms = {
  dictionary: (bytes: Uint8Array) => inflateText(bytes, RESPONSE_DICTIONARY),
  brotli: unbrotliText,
  gzip: gunzipText,
} as const;

type Form = keyof typeof forms;

interface PackedBody {
  readonly Body: string | Uint8Array;
  readonly Form?: Form;
}

/** A proposal of 13 KB has 730 bytes with the dictionary and 1,470 with Brotli; 5,000 postal codes 11 KB and 3 KB. */
function pack(body: string): PackedBody {
  if (body.length <= LONG_BODY) return { Body: body };
  const small = deflateText(body, RESPONSE_DICTIONARY);
  const other = small.length > MAX_SMALL_BYTES ? brotliText(body) : undefined;
  const [Form, Body]: [Form, Uint8Array] =
    other && other.length < small.length ? ['brotli', other] : ['dictionary', small];
  if (Body.length > MAX_BODY_BYTES) throw new ResponseTooLong(`A response of ${body.length} characters.`);
  return { Body, Form };
}

const unpack = ({ Body, Form = 'gzip' }: PackedBody): string => (typeof Body === 'string' ? Body : forms[Form](Body));

/** Where a response is saved. Callers have separate keys, even in one account. */
export interface ResponseKey {
  readonly account: string;
  readonly publicPart: string;
  readonly idempotencyKey: string;
}

/**
 * The first characters of hashes: 64 partitions an account take 64,000 saved responses a second, and whoever erases a
 * person can read them all.
 */
const SHARDS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];

function itemKey({ account, publicPart, idempotencyKey }: ResponseKey) {
  const hash = createHash('sha256').update(`${publicPart}\n${idempotencyKey}`).digest('base64url');
  return layout.idempotency.key({ account, shard: hash.slice(0, 1), hash });
}

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
  const { Fingerprint, Status, TTL, ...body } = item as unknown as Omit<SavedResponse, 'Body'> &
    PackedBody & { readonly TTL: number };
  const response = { Fingerprint, Status, Body: unpack(body) };
  return { response: TTL > now.getTime() / 1000 ? response : undefined, unchanged: { equals: { TTL } } };
}

/**
 * The change that saves a response, for the same transaction as its effect. It fails when another call with the key was
 * first.
 */
export const savedResponseChange = (
  key: ResponseKey,
  { Body, ...response }: SavedResponse,
  unchanged: Condition,
  now: Date,
): Change => ({
  put: { ...itemKey(key), ...response, ...pack(Body), TTL: ttlAfter(now, DAY / SECOND) },
  if: unchanged,
});

const SHARDS_AT_ONCE = 8;

/** The response to a repeated call whose response held an erased contact: the call is still not done twice. */
const ERASED_RESPONSE = {
  Status: 404,
  Body: JSON.stringify({
    ResultCode: 404,
    Message: 'The response of this call was removed with the contact that it is about.',
    Errors: [],
  }),
};

/**
 * Replaces the saved responses of an account that match; returns how many. Reads all of them, page by page, those of the
 * last 24 hours and any that have expired but are still in the table. Writes at once. Safe to repeat.
 */
export async function writeErasedResponses(
  table: TableWriter,
  account: string,
  matches: (body: string) => boolean,
): Promise<number> {
  const counts = await mapWithConcurrency(SHARDS, SHARDS_AT_ONCE, async (shard) => {
    const partition = layout.idempotency.of({ account, shard });
    let count = 0;
    let after: string | undefined;
    do {
      const page = await table.query({ partition, after, consistent: true });
      for (const { PK, SK, Fingerprint, TTL, ...body } of page.items) {
        if (!matches(unpack(body as unknown as PackedBody))) continue;
        await table.commit([{ put: { PK, SK, Fingerprint, TTL, ...ERASED_RESPONSE } }]);
        count++;
      }
      after = page.next;
    } while (after !== undefined);
    return count;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
