import { MINUTE, SECOND } from '../../shared/time/time.ts';

/**
 * How much of the worker a host may occupy, shared by all containers. A slot lets one container call the host with ten
 * calls at once. A host begins with two slots, gets twice as many each time it answers soon, and after a time-out drops
 * to one, following a pause: a host that hangs occupies two containers, then none.
 */
export interface HostState {
  readonly slots: number;
  /** Milliseconds since 1970; 0 without a pause. */
  readonly pausedUntil: number;
  /** Time-outs since the last answer. */
  readonly timeouts: number;
}

export const newHost: HostState = { slots: 2, pausedUntil: 0, timeouts: 0 };

/** Out of the twenty containers that the worker may have. */
const MAX_SLOTS = 8;

/** A host that takes longer delays others. */
const SLOW = 5 * SECOND;
const FIRST_PAUSE = 5 * SECOND;
const LONGEST_PAUSE = 5 * MINUTE;

/** The state of a host after a container's simultaneous calls. */
export function afterCalls(
  state: HostState,
  calls: readonly { readonly milliseconds: number; readonly timedOut: boolean }[],
  now: number,
): HostState {
  const slowest = Math.max(0, ...calls.map(({ milliseconds }) => milliseconds));
  if (calls.every(({ timedOut }) => timedOut)) {
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(state.timeouts, 10));
    return { slots: 1, pausedUntil: now + pause, timeouts: state.timeouts + 1 };
  }
  if (slowest > SLOW) return { slots: Math.max(1, Math.floor(state.slots / 2)), pausedUntil: 0, timeouts: 0 };
  return { slots: Math.min(MAX_SLOTS, state.slots * 2), pausedUntil: 0, timeouts: 0 };
}
