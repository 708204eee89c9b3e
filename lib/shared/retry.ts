/** Waits in milliseconds: random up to the first, then up to twice as long each time, up to the longest. */
export interface Backoff {
  readonly firstWait?: number;
  readonly longestWait?: number;
}

/** Full jitter: callers that collided once do not collide again. `attempt` counts from 1. */
export const backOff = (attempt: number, { firstWait = 10, longestWait = 1_000 }: Backoff = {}): Promise<void> =>
  new Promise((resolve) =>
    setTimeout(resolve, Math.random() * Math.min(longestWait, firstWait * 2 ** Math.min(attempt - 1, 30))),
  );

export interface RetryOptions extends Backoff {
  /** Whether another attempt may succeed after this error. */
  readonly isTransient: (error: unknown) => boolean;
  readonly maxAttempts?: number;
  /** No attempt begins after it; milliseconds since 1970. */
  readonly deadline?: number;
}

/** Runs `attempt`, and runs it again after a transient error; throws the last error when it gives up. */
export async function retry<Result>(
  attempt: (count: number) => Promise<Result>,
  { isTransient, maxAttempts = Infinity, deadline = Infinity, ...backoff }: RetryOptions,
): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      return await attempt(count);
    } catch (error) {
      if (!isTransient(error) || count >= maxAttempts || Date.now() > deadline) throw error;
    }
    await backOff(count, backoff);
  }
}

/** Sends values, and again those that `send` returns as not done, until none is left. */
export async function retryRemaining<Value>(
  values: readonly Value[],
  send: (values: readonly Value[]) => Promise<readonly Value[]>,
): Promise<void> {
  let remaining = await send(values);
  for (let attempt = 1; remaining.length; attempt++) {
    await backOff(attempt);
    remaining = await send(remaining);
  }
}
