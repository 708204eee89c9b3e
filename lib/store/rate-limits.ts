import type { TableWriter } from './dynamodb/client.ts';
import { StoreConflict } from './dynamodb/errors.ts';
import { layout } from './keys.ts';

/** What became of a request for calls from a key's bucket. */
export type TokenGrant =
  | { readonly kind: 'granted'; readonly calls: number; readonly remaining: number }
  | { readonly kind: 'empty'; readonly retryAfterSeconds: number };

/**
 * Takes up to `requested` calls from a token bucket, which is stored as the moment at which it would be full again
 * (`FullAt`, milliseconds). Worked, rate 50/s and burst 100: a full bucket has FullAt ≤ now; 25 calls move it to
 * now + 500 ms; at now + 2,000 ms it is empty.
 */
export function takeFromBucket(
  fullAt: number,
  now: number,
  { rate, burst, requested }: { rate: number; burst: number; requested: number },
) {
  const from = Math.max(fullAt, now);
  const available = burst - ((from - now) / 1000) * rate;
  const whole = Math.floor(available + 1e-6);
  const granted = Math.max(0, Math.min(requested, whole));
  return {
    granted,
    fullAt: from + (granted / rate) * 1000,
    remaining: Math.max(0, whole - granted),
    retryAfterSeconds: (1 - available) / rate,
  };
}

/**
 * Takes calls from the bucket in the table, which all containers share; also writes the day of use, for `key list`, at
 * no further cost.
 */
export async function takeTokens(
  table: TableWriter,
  publicPart: string,
  { now, ...limit }: { now: Date; rate: number; burst: number; requested: number },
): Promise<TokenGrant> {
  const key = layout.rate.key({ public: publicPart });
  for (let attempt = 0; attempt < 10; attempt++) {
    const stored = (await table.get(key))?.['FullAt'] as number | undefined;
    const next = takeFromBucket(stored ?? 0, now.getTime(), limit);
    if (next.granted === 0) return { kind: 'empty', retryAfterSeconds: Math.max(1, Math.ceil(next.retryAfterSeconds)) };
    try {
      const set = { FullAt: next.fullAt, LastUsed: now.toISOString().slice(0, 10) };
      await table.update({ update: key, set, if: { equals: { FullAt: stored } } });
      return { kind: 'granted', calls: next.granted, remaining: next.remaining };
    } catch (error) {
      if (!(error instanceof StoreConflict)) throw error;
    }
  }
  return { kind: 'empty', retryAfterSeconds: 1 };
}
