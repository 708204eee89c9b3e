/** Runs work concurrently, with retries, or only once. */

/** Maps `values` with at most `limit` calls at once; the results keep the order of the values. */
export async function mapWithConcurrency<Value, Result>(
  values: readonly Value[],
  limit: number,
  map: (value: Value, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const remaining = values.entries();
  const worker = async () => {
    for (const [index, value] of remaining) results[index] = await map(value, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, values.length) }, worker));
  return results;
}

/** Waits in milliseconds: random up to `firstWait`, doubling with each attempt up to `longestWait`. */
export interface Backoff {
  readonly firstWait?: number;
  readonly longestWait?: number;
}

const LONGEST_WAIT = 1_000;

/** Full jitter, so that callers that collided once do not collide again. `attempt` counts from 1. */
export const backOff = (attempt: number, { firstWait = 10, longestWait = LONGEST_WAIT }: Backoff = {}): Promise<void> =>
  new Promise((resolve) =>
    setTimeout(resolve, Math.random() * Math.min(longestWait, firstWait * 2 ** Math.min(attempt - 1, 30))),
  );

export interface RetryOptions extends Backoff {
  /** Whether another attempt may succeed after this error. */
  readonly isTransient: (error: unknown) => boolean;
  readonly maxAttempts?: number;
  /** No attempt starts after this; milliseconds since 1970. */
  readonly deadline?: number;
}

/** Runs `attempt` and retries transient errors; throws the last error when it gives up. */
export async function retry<Result>(
  attempt: (count: number) => Promise<Result>,
  { isTransient, maxAttempts = Infinity, deadline = Infinity, ...backoff }: RetryOptions,
): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      return await attempt(count);
    } catch (error) {
      if (!isTransient(error) || count >= maxAttempts || Date.now() >= deadline) throw error;
    }
    const { longestWait = LONGEST_WAIT } = backoff;
    await backOff(count, { ...backoff, longestWait: Math.min(longestWait, Math.max(0, deadline - Date.now())) });
  }
}

/** Runs `create` at the first call and returns its result from then on. */
export function once<Value>(create: () => Value): () => Value {
  let result: { value: Value } | undefined;
  return () => (result ??= { value: create() }).value;
}
