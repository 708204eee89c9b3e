import { DAY, HOUR, MINUTE, SECOND } from '../../shared/time/time.ts';

/** The waits after failed attempts: ten attempts in 75 hours and 35 minutes. */
export const RETRY_WAITS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** The longest wait that a receiver can request with Retry-After. */
const MAX_RETRY_AFTER = DAY;

/** A callback is given up after this time, even if its receiver was too busy for all attempts. */
export const MAX_AGE = 5 * DAY;

/** The receiver's answer, or why there was none. */
export interface CallResult {
  /** `null` without an answer. */
  readonly status: number | null;
  /** One sentence; empty after an answer. */
  readonly error: string;
  readonly timedOut: boolean;
  /** Retry-After as the receiver wrote it. */
  readonly retryAfter: string | undefined;
  readonly milliseconds: number;
}

export type AfterAttempt =
  | { readonly kind: 'delivered' }
  /** `at` in milliseconds since 1970. */
  | { readonly kind: 'retry'; readonly at: number; readonly reason: string }
  /** `isKept`: nothing failed, but the webhook is paused. */
  | { readonly kind: 'dead'; readonly reason: string; readonly isKept?: true };

/** Milliseconds until a Retry-After, given as seconds or an HTTP date; 0 for anything else. */
export function parseRetryAfter(text: string | undefined, now: number): number {
  if (!text) return 0;
  const wait = /^\d{1,9}$/.test(text.trim()) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isFinite(wait) ? Math.min(MAX_RETRY_AFTER, Math.max(0, wait)) : 0;
}

const reasonOf = ({ status, error }: CallResult): string => (status === null ? error : `HTTP ${status}`);

/** What to do after attempt number `attempts`. 410 means that the address no longer exists. */
export function afterAttempt(attempts: number, result: CallResult, now: number): AfterAttempt {
  const { status, retryAfter } = result;
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  const reason = reasonOf(result);
  const wait = RETRY_WAITS[attempts - 1];
  if (status === 410 || wait === undefined) return { kind: 'dead', reason };
  return { kind: 'retry', at: now + Math.max(wait, parseRetryAfter(retryAfter, now)), reason };
}
