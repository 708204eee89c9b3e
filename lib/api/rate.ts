import { Failure } from '../shared/failure.ts';
import type { ApiKeyRecord } from '../store/api-keys.ts';
import type { TableWriter } from '../store/dynamodb/client.ts';
import { takeTokens } from '../store/rate-limits.ts';

/** Calls a container takes from the table at once: 25 calls a write keeps the limit at 1/25 write a call. */
const BLOCK = 25;
/** Calls not used soon go stale, or an idle container could save up several bursts. */
const STALE_MILLISECONDS = 10_000;

interface Held {
  calls: number;
  until: number;
  remaining: number;
}

const held = new Map<string, Held>();
const leasing = new Map<string, Promise<unknown>>();

/** A small burst is not eaten by one container: a key with burst 8 is leased 2 calls at a time. */
const blockOf = (burst: number) => Math.max(1, Math.min(BLOCK, Math.floor(burst / 4)));

const headersOf = ({ Burst, Rate }: ApiKeyRecord, remaining: number) => ({
  'RateLimit-Limit': String(Burst),
  'RateLimit-Remaining': String(Math.max(0, remaining)),
  'RateLimit-Reset': String(Math.ceil((Burst - remaining) / Rate)),
});

async function refill(table: TableWriter, key: ApiKeyRecord, now: Date): Promise<void> {
  const lease = await takeTokens(table, key.Public, {
    now,
    rate: key.Rate,
    burst: key.Burst,
    wanted: blockOf(key.Burst),
  });
  if (lease.kind === 'empty') {
    const headers = { ...headersOf(key, 0), 'Retry-After': String(lease.retryAfterSeconds) };
    throw new Failure(
      429,
      `This key may make ${key.Rate} calls a second, ${key.Burst} at once. Try again in ${lease.retryAfterSeconds} s.`,
      { headers },
    );
  }
  const already = held.get(key.Public);
  const calls = (already && already.until > now.getTime() ? already.calls : 0) + lease.calls;
  held.set(key.Public, { calls, until: now.getTime() + STALE_MILLISECONDS, remaining: lease.remaining });
}

/** Spends one call of the key's token bucket and gives the RateLimit headers; 429 with Retry-After when it is empty. */
export async function checkRateLimit(
  table: TableWriter,
  key: ApiKeyRecord,
  now: Date,
): Promise<Record<string, string>> {
  for (;;) {
    const stock = held.get(key.Public);
    if (stock && stock.calls > 0 && stock.until > now.getTime()) {
      stock.calls--;
      return headersOf(key, stock.remaining + stock.calls);
    }
    // Calls of one container that arrive together share one lease.
    const lease = leasing.get(key.Public) ?? refill(table, key, now).finally(() => leasing.delete(key.Public));
    leasing.set(key.Public, lease);
    await lease;
  }
}
