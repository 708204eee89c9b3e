import type { TableWriter } from './dynamodb/client.ts';
import { StoreConflict } from './dynamodb/errors.ts';
import { layout } from './keys.ts';

/** What became of an attempt to take calls from a key's bucket. */
export type TokenGrant =
  | { readonly kind: 'granted'; readonly calls: number; readonly remaining: number }
  | { readonly kind: 'empty'; readonly retryAfterSeconds: number };

/**
 * Takes up to `wanted` calls from a token bucket kept as the moment at which it would be full again (`FullAt`,
 * milliseconds). Worked, rate 50/s and burst 100: a full bucket has FullAt ≤ now; 25 calls move it to now + 500 ms; at
 * now + 2,000 ms it is empty.
 */
export function plan(
  fullAt: number,
  now: number,
  { rate, burst, wanted }: { rate: number; burst: number; wanted: number },
) {
  const from = Math.max(fullAt, now);
  const free = Math.floor(burst - ((from - now) / 1000) * rate + 1e-6);
  const granted = Math.max(0, Math.min(wanted, free));
  return {
    granted,
    fullAt: from + (granted / rate) * 1000,
    remaining: Math.max(0, free - granted),
    retryAfterSeconds: (1 - (burst - ((from - now) / 1000) * rate)) / rate,
  };
}

/**
 * Takes calls from the bucket in the table, which all containers share; notes the day of use beside it, for `key list`,
 * at no further cost.
 */
export async function takeTokens(
  table: TableWriter,
  publicPart: string,
  { now, ...limit }: { now: Date; rate: number; burst: number; wanted: number },
): Promise<TokenGrant> {
  const key = layout.rate.key({ public: publicPart });
  for (let attempt = 0; attempt < 10; attempt++) {
    const seen = (await table.get(key))?.['FullAt'] as number | undefined;
    const next = plan(seen ?? 0, now.getTime(), limit);
    if (next.granted === 0) return { kind: 'empty', retryAfterSeconds: Math.max(1, Math.ceil(next.retryAfterSeconds)) };
    try {
      const set = { FullAt: next.fullAt, LastUsed: now.toISOString().slice(0, 10) };
      await table.update({ update: key, set, if: { equals: { FullAt: seen } } });
      return { kind: 'granted', calls: next.granted, remaining: next.remaining };
    } catch (error) {
      if (!(error instanceof StoreConflict)) throw error;
    }
  }
  return { kind: 'empty', retryAfterSeconds: 1 };
}
