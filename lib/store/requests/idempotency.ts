import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type StoredResponse, savedResponseEntity } from '../../entities/requests.ts';
import { MAX_ITEM_BYTES } from '../../shared/limits.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { DAY, SECOND } from '../../shared/time/time.ts';
import type { Change } from '../dynamodb/changes.ts';
import { ResponseTooLong } from '../dynamodb/errors.ts';
import { ttlAfter } from '../dynamodb/table.ts';
import { type Key, layout } from '../keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';

/**
 * Responses under Idempotency-Keys. A response is saved for 24 hours in the transaction of its effect: either both are
 * in the table or neither.
 */

/** Where a response is saved. Callers have separate keys, even in one account. */
export interface ResponseKey {
  readonly publicPart: string;
  readonly idempotencyKey: string;
}

export interface SavedResponse {
  /** Fingerprint of the request (requestFingerprint): the same key with another request is an error. */
  readonly Fingerprint: string;
  readonly Status: number;
  readonly Body: string;
}

/** A saved response; one that another version saved in a form unknown to this one has no `Body`. */
export type FoundResponse = Omit<SavedResponse, 'Body'> & { readonly Body: string | undefined };

/**
 * The first characters of hashes: 64 partitions per account take 64,000 saved responses per second, and the erasure of
 * a person can read them all.
 */
const SHARDS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
const SHARDS_AT_ONCE = 8;

function itemKey({ account }: StoreAccount, { publicPart, idempotencyKey }: ResponseKey): Key {
  const hash = createHash('sha256').update(`${publicPart}\n${idempotencyKey}`).digest('base64url');
  return layout.idempotency.key({ account, shard: hash.slice(0, 1), hash });
}

const MAX_PLAIN_LENGTH = 1_024;
/** Leaves room for the other attributes of the item. */
const MAX_BODY_BYTES = MAX_ITEM_BYTES - 10_000;

function storedBody(body: string): Pick<StoredResponse, 'Body' | 'Form'> {
  if (body.length <= MAX_PLAIN_LENGTH) return { Body: body, Form: 'json' };
  const bytes = gzipSync(body);
  if (bytes.length > MAX_BODY_BYTES) throw new ResponseTooLong(`A response of ${body.length} characters.`);
  return { Body: bytes, Form: 'gzip' };
}

function bodyOf({ Body, Form }: StoredResponse): string | undefined {
  if (Form === 'json') return Body as string;
  return Form === 'gzip' ? gunzipSync(Body as Uint8Array).toString() : undefined;
}

/** Seconds since 1970, for TTL. */
const secondsOf = (now: Date): number => Math.floor(now.getTime() / SECOND);

/** The response that was saved under the key in the last 24 hours. TTL removes older ones later. */
export async function findResponse(
  store: StoreReader,
  key: ResponseKey,
  now: Date,
): Promise<FoundResponse | undefined> {
  const item = await store.table.get(itemKey(store, key));
  if (!item) return undefined;
  const stored = savedResponseEntity.read(item);
  if (stored.TTL < secondsOf(now)) return undefined;
  return { Fingerprint: stored.Fingerprint, Status: stored.Status, Body: bodyOf(stored) };
}

/** The change that saves a response, if the key has none from the last 24 hours. */
export const responseChange = (
  store: StoreAccount,
  key: ResponseKey,
  { Body, ...response }: SavedResponse,
  now: Date,
): Change => ({
  put: { ...itemKey(store, key), ...response, ...storedBody(Body), TTL: ttlAfter(now, DAY / SECOND) },
  if: { atLeast: {}, below: { TTL: secondsOf(now) } },
});

/** The response to a repeated call whose response contained an erased contact: the call is still not made twice. */
const ERASED_RESPONSE = {
  Status: 404,
  ...storedBody(
    JSON.stringify({
      ResultCode: 404,
      Message: 'The response of this call was removed with the contact that it is about.',
      Errors: [],
    }),
  ),
};

/**
 * Replaces the matching saved responses of an account, and returns how many. Those in an unknown form are
 * replaced whatever they contain, because they are no longer repeated. Reads all of them, page by page: those of the
 * last 24 hours, and expired ones that are still in the table. Writes at once. Safe to repeat.
 */
export async function writeErasedResponses(
  { account, table }: StoreWriter,
  matches: (body: string) => boolean,
): Promise<number> {
  const counts = await mapWithConcurrency(SHARDS, SHARDS_AT_ONCE, async (shard) => {
    const partition = layout.idempotency.of({ account, shard });
    let count = 0;
    let after: string | undefined;
    do {
      const page = await table.query({ partition, after, consistent: true });
      for (const item of page.items) {
        const { PK, SK } = item;
        const stored = savedResponseEntity.read(item);
        const body = bodyOf(stored);
        if (body !== undefined && !matches(body)) continue;
        const { Fingerprint, TTL } = stored;
        await table.commit([{ put: { PK, SK, Fingerprint, TTL, ...ERASED_RESPONSE } }]);
        count++;
      }
      after = page.next;
    } while (after !== undefined);
    return count;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
