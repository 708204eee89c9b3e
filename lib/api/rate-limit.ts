import { Failure } from '../shared/failure.ts';
import type { ApiKeyRecord } from '../store/api-keys.ts';
import type { TableWriter } from '../store/dynamodb/client.ts';
import { takeTokens } from '../store/rate-limits.ts';

/** Calls that a container takes from the table in one write: 25 keep the limit at 1/25 write a call. */
const MAX_BLOCK = 25;
/** Unused calls expire, or an idle container could save up several bursts. */
const EXPIRY_MILLISECONDS = 10_000;

/** Calls of a key that this container may still serve. */
interface Allowance {
  calls: number;
  readonly expiresAt: number;
  /** Calls left in the table. */
  readonly remaining: number;
}

const allowances = new Map<string, Allowance>();
const refills = new Map<string, Promise<unknown>>();

/** Spends one call of the key's token bucket and returns the RateLimit headers. Throws 429 with Retry-After. */
export async function checkRateLimit(
  table: TableWriter,
  key: ApiKeyRecord,
  now: Date,
): Promise<Record<string, string>> {
  for (;;) {
    const allowance = currentAllowance(key, now);
    if (allowance && allowance.calls > 0) {
      allowance.calls--;
      return rateHeaders(key, allowance.remaining + allowance.calls);
    }
    // Calls of one container that arrive together share one refill.
    const refilled = refills.get(key.Public) ?? refill(table, key, now).finally(() => refills.delete(key.Public));
    refills.set(key.Public, refilled);
    await refilled;
  }
}

function currentAllowance({ Public }: ApiKeyRecord, now: Date): Allowance | undefined {
  const allowance = allowances.get(Public);
  return allowance && allowance.expiresAt > now.getTime() ? allowance : undefined;
}

async function refill(table: TableWriter, key: ApiKeyRecord, now: Date): Promise<void> {
  const { Public, Rate: rate, Burst: burst } = key;
  // A quarter of a small burst at most, or one container would take it all: a key with burst 8 takes 2 calls.
  const block = Math.max(1, Math.min(MAX_BLOCK, Math.floor(burst / 4)));
  const grant = await takeTokens(table, Public, { now, rate, burst, requested: block });
  if (grant.kind === 'empty')
    throw new Failure(
      429,
      `This key may make ${rate} calls a second, ${burst} at once. Try again in ${grant.retryAfterSeconds} s.`,
      { headers: { ...rateHeaders(key, 0), 'Retry-After': String(grant.retryAfterSeconds) } },
    );
  const calls = (currentAllowance(key, now)?.calls ?? 0) + grant.calls;
  allowances.set(Public, { calls, expiresAt: now.getTime() + EXPIRY_MILLISECONDS, remaining: grant.remaining });
}

const rateHeaders = ({ Burst, Rate }: ApiKeyRecord, remaining: number) => ({
  'RateLimit-Limit': String(Burst),
  'RateLimit-Remaining': String(Math.max(0, remaining)),
  'RateLimit-Reset': String(Math.ceil((Burst - remaining) / Rate)),
});
