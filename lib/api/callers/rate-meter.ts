import { SECOND } from '../../shared/time/time.ts';
import {
  LATEST_MILLISECONDS,
  type RateLimit,
  type RateReport,
  type RateState,
  WINDOW_MILLISECONDS,
  bucketLevel,
  isUsedToday,
  noState,
  overdrawn,
  refilled,
  runningCalls,
  scarceLevel,
  secondsToNextToken,
  sharedPace,
  windowAt,
} from '../../store/requests/rate-limits.ts';

/** A state as old as that may refuse a call; an older one is read again first. */
const FRESH_MILLISECONDS = 200;
/** A state older than that allows nothing before it is read again, and one older than this is read beside a call. */
const STALE_MILLISECONDS = 10 * SECOND;
const AGED_MILLISECONDS = 3 * SECOND;
/** What others spent in the last seconds is what they are expected to spend. */
const PACE_MILLISECONDS = 5 * SECOND;
/** What a container spent is reported after that time, or after a second where the bucket is nearly empty. */
const REPORT_MILLISECONDS = 5 * SECOND;
/** A container that spends less than this part of the rate is not worth a write. */
const NEGLIGIBLE_SHARE = 0.01;
/** A caller above its rate by so much empties the bucket: what is left is divided by reports, an eighth at a time. */
const EMPTYING_PACE = 1.25;
/** What it does not use at once a container keeps, a little more than a token. */
const MAX_ALLOWANCE = 1.2;
/** A container that has spent nothing yet, or little, gets this part of a nearly empty bucket. */
const SMALLEST_SHARE = 0.02;

/** Tokens by window. */
type Spending = ReadonlyMap<number, number>;

/** What one container knows and spent of a key. Times are milliseconds since 1970. */
export interface MeterState {
  readonly limit: RateLimit;
  /** What all containers reported, as the table had it. */
  readonly known: RateState;
  readonly knownAt: number;
  /** The estimate: it gains what others are not expected to spend. */
  readonly bucket: { readonly level: number; readonly at: number };
  /** Tokens a second: of others, and of all containers. */
  readonly paceOfOthers: number;
  readonly pace: number;
  /** This container's part of what all spend. */
  readonly share: number;
  /** Tokens of a nearly empty bucket that are this container's. */
  readonly allowance: { readonly tokens: number; readonly at: number };
  readonly unreported: Spending;
  /** In the last seconds. */
  readonly reported: Spending;
  readonly inFlight: number;
  /** Calls that run for long, and whether a report has registered them. */
  readonly longCalls: ReadonlyMap<string, boolean>;
  /** Registered calls that ended, until a report has removed them. */
  readonly endedCalls: ReadonlySet<string>;
}

export const newMeter: MeterState = {
  limit: { rate: 1, burst: 1 },
  known: noState,
  knownAt: -Infinity,
  bucket: { level: 0, at: 0 },
  paceOfOthers: 0,
  pace: 0,
  share: 1,
  allowance: { tokens: 0, at: 0 },
  unreported: new Map(),
  reported: new Map(),
  inFlight: 0,
  longCalls: new Map(),
  endedCalls: new Set(),
};

/** What happens to a meter. `random` is below 1. */
export type MeterEvent =
  | {
      readonly kind: 'call';
      readonly now: number;
      readonly limit: RateLimit;
      readonly maxInFlight: number;
      readonly random: number;
      /** False where the call decides by what is known, however old. */
      readonly mayLearn: boolean;
    }
  | { readonly kind: 'long'; readonly call: string }
  | {
      readonly kind: 'end';
      readonly now: number;
      readonly tokens: number;
      readonly call: string;
      readonly random: number;
    }
  | { readonly kind: 'report'; readonly now: number }
  | { readonly kind: 'reported'; readonly report: RateReport; readonly known: RateState }
  | { readonly kind: 'read'; readonly now: number; readonly known: RateState };

/** How the shared state is asked: a report adds what was spent, and answers with the state too. */
export type Learn = 'read' | 'read consistently' | 'report';

export type Decision =
  /** Learn before the call, and ask again. */
  | { readonly kind: 'learn first'; readonly how: Learn }
  /** The call passes; `beside` it the state is asked. */
  | { readonly kind: 'pass'; readonly beside?: Learn | undefined }
  | { readonly kind: 'no tokens'; readonly seconds: number }
  | { readonly kind: 'too many in flight' }
  /** What to write. */
  | { readonly kind: 'write'; readonly report: RateReport }
  | { readonly kind: 'nothing' };

interface Step {
  readonly state: MeterState;
  readonly decision: Decision;
}

const nothing: Decision = { kind: 'nothing' };

/** What follows from an event. */
export function step(state: MeterState, event: MeterEvent): Step {
  switch (event.kind) {
    case 'call':
      return decideCall(state, event);
    case 'long':
      return { state: { ...state, longCalls: new Map(state.longCalls).set(event.call, false) }, decision: nothing };
    case 'end':
      return endCall(state, event);
    case 'report':
      return beginReport(state, event.now);
    case 'reported':
      return { state: learn(moveReported(state, event.report), event.known, event.report.now), decision: nothing };
    case 'read':
      return { state: learn(state, event.known, event.now), decision: nothing };
  }
}

function decideCall(before: MeterState, call: Extract<MeterEvent, { kind: 'call' }>): Step {
  const { now, limit, maxInFlight, random, mayLearn } = call;
  const current = forget({ ...before, limit }, now);
  const age = now - current.knownAt;
  if (mayLearn && age >= STALE_MILLISECONDS) return { state: current, decision: { kind: 'learn first', how: 'read' } };
  const state = advance(current, now, random);
  const refusal = whyNot(state, maxInFlight, now);
  if (refusal && mayLearn && age > FRESH_MILLISECONDS)
    return { state, decision: { kind: 'learn first', how: isReportDue(state, now) ? 'report' : 'read consistently' } };
  if (refusal) return { state, decision: refusal };
  const passed = { ...spend(state, 1, now), inFlight: state.inFlight + 1 };
  return { state: passed, decision: { kind: 'pass', beside: whatBeside(passed, now) } };
}

function whatBeside(state: MeterState, now: number): Learn | undefined {
  if (isReportDue(state, now) || !isUsedToday(state.known, now)) return 'report';
  return now - state.knownAt >= AGED_MILLISECONDS ? 'read' : undefined;
}

function endCall(before: MeterState, { now, tokens, call, random }: Extract<MeterEvent, { kind: 'end' }>): Step {
  const isRegistered = before.longCalls.get(call) === true;
  const longCalls = new Map(before.longCalls);
  longCalls.delete(call);
  const ended: MeterState = {
    ...before,
    inFlight: before.inFlight - 1,
    longCalls,
    endedCalls: isRegistered ? new Set(before.endedCalls).add(call) : before.endedCalls,
  };
  const state = advance(tokens > 1 ? spend(ended, tokens - 1, now) : ended, now, random);
  // The last call of a container reports, because then the container freezes.
  const mustReport = (state.endedCalls.size > 0 && state.inFlight === 0) || (tokens > 1 && isReportDue(state, now));
  return { state, decision: mustReport ? { kind: 'pass', beside: 'report' } : nothing };
}

function beginReport(state: MeterState, now: number): Step {
  const { unreported: spent, known, knownAt, limit } = state;
  const [begun, ended] = [[...state.longCalls.keys()], [...state.endedCalls]];
  const longCalls = new Map(begun.map((call) => [call, true] as const));
  const report: RateReport = { spent, begun, ended, known, knownAt, limit, now };
  return { state: { ...state, longCalls }, decision: { kind: 'write', report } };
}

function moveReported(state: MeterState, { spent, ended }: RateReport): MeterState {
  const unreported = new Map(state.unreported);
  const reported = new Map(state.reported);
  for (const [window, tokens] of spent) {
    add(unreported, window, -tokens);
    if (!unreported.get(window)) unreported.delete(window);
    add(reported, window, tokens);
  }
  const endedCalls = new Set([...state.endedCalls].filter((call) => !ended.includes(call)));
  return { ...state, unreported, reported, endedCalls };
}

function learn(state: MeterState, known: RateState, now: number): MeterState {
  const latest = windowAt(now - LATEST_MILLISECONDS);
  const spent = new Map(known.spent);
  for (const [window, tokens] of state.unreported) if (window > latest) add(spent, window, tokens);
  const since = windowAt(now - PACE_MILLISECONDS);
  const recent = (from: Spending) => sum([...from].filter(([window]) => window > since));
  const own = recent(state.reported);
  const others = Math.max(0, recent(known.spent) - own);
  const first = Math.min(windowAt(now), ...[...known.spent.keys()].filter((window) => window > since));
  const seconds = Math.max(WINDOW_MILLISECONDS, now - first * WINDOW_MILLISECONDS) / SECOND;
  return {
    ...state,
    known,
    knownAt: now,
    bucket: { at: now, level: bucketLevel({ ...known, spent }, state.limit, now) },
    pace: (own + others) / seconds,
    paceOfOthers: others / seconds,
    share: others ? Math.max(SMALLEST_SHARE, own / (own + others)) : 1,
  };
}

/** Why a call may not pass, by the estimate. */
function whyNot(state: MeterState, maxInFlight: number, now: number): Decision | undefined {
  if (available(state) < 1) return { kind: 'no tokens', seconds: secondsToNextToken(state.bucket.level, state.limit) };
  const isOwn = (call: string) => state.longCalls.has(call) || state.endedCalls.has(call);
  const others = runningCalls(state.known, now).filter((call) => !isOwn(call)).length;
  return state.inFlight + others < maxInFlight ? undefined : { kind: 'too many in flight' };
}

/** The state with its estimate of a later moment. */
function advance(state: MeterState, now: number, random: number): MeterState {
  const refilledState = refill(state, now);
  return { ...refilledState, allowance: allow(refilledState, now, random) };
}

function refill(state: MeterState, now: number): MeterState {
  const { bucket, limit, paceOfOthers } = state;
  const expected = refilled(bucket, { ...limit, rate: limit.rate - paceOfOthers }, now);
  // Others spend what is left, and then no more than flows in.
  return { ...state, bucket: { ...expected, level: Math.max(Math.min(bucket.level, 0), expected.level) } };
}

const hasPlenty = ({ share, bucket, limit }: MeterState): boolean => share === 1 || bucket.level >= scarceLevel(limit);

function allow(state: MeterState, now: number, random: number): MeterState['allowance'] {
  const { share, bucket, limit, allowance } = state;
  if (hasPlenty(state)) {
    const part = share * scarceLevel(limit);
    // Of many containers each begins with a random part of a token, or all would take the next one at the same moment.
    return { tokens: part > MAX_ALLOWANCE ? part : random, at: now };
  }
  // A new container among many gets a token only if one is left.
  if (allowance.at === 0) return { tokens: Math.min(1, bucket.level), at: now };
  const gained = (Math.max(0, now - allowance.at) / SECOND) * share * sharedPace(bucket.level, limit);
  const most = Math.max(share * bucket.level, MAX_ALLOWANCE);
  return { tokens: Math.min(most, allowance.tokens + gained), at: Math.max(now, allowance.at) };
}

/**
 * Tokens that this container may spend: all that are left, or its allowance where they are few. Containers learn late
 * of each other; if each took what it believes to be left, a second of 60 calls would be followed by one of 40.
 */
function available(state: MeterState): number {
  const { bucket, limit, allowance } = state;
  return hasPlenty(state) || sharedPace(bucket.level, limit) === 0 ? bucket.level : allowance.tokens;
}

function spend(before: MeterState, tokens: number, now: number): MeterState {
  const state = refill(before, now);
  const { bucket, allowance, limit } = state;
  const unreported = new Map(state.unreported);
  add(unreported, windowAt(now), tokens);
  return {
    ...state,
    unreported,
    bucket: { ...bucket, level: overdrawn(bucket.level - tokens, limit) },
    allowance: { ...allowance, tokens: Math.max(-1, allowance.tokens - tokens) },
  };
}

/** Drops what is too old to be reported, and to tell others' pace. */
function forget(state: MeterState, now: number): MeterState {
  const latest = windowAt(now - LATEST_MILLISECONDS);
  const recent = (spent: Spending): Spending =>
    [...spent.keys()].some((window) => window <= latest)
      ? new Map([...spent].filter(([window]) => window > latest))
      : spent;
  return { ...state, unreported: recent(state.unreported), reported: recent(state.reported) };
}

/** Whether what is not reported is worth a write. */
function isReportDue(before: MeterState, now: number): boolean {
  const state = refill(before, now);
  const { unreported, limit, share, pace, bucket } = state;
  const [first] = unreported.keys();
  if (first === undefined) return false;
  const tokens = sum(unreported);
  const isLow = bucket.level < limit.burst / 4;
  if (tokens >= Math.max(1, isLow ? (share * limit.burst) / 8 : unreportedTokens(state, now))) return true;
  if (pace > EMPTYING_PACE * limit.rate && tokens >= Math.max(1, (share * bucket.level) / 8)) return true;
  const windows = windowAt(now) - first;
  return (
    windows >= windowAt(isLow ? SECOND : REPORT_MILLISECONDS) &&
    tokens >= (NEGLIGIBLE_SHARE * limit.rate * windows) / windowAt(SECOND)
  );
}

/** What may stay unreported in a full bucket: little at first, for many containers may begin at once. */
function unreportedTokens({ limit, share, reported }: MeterState, now: number): number {
  const isAlone = share === 1 && [...reported.keys()].some((one) => one < windowAt(now - SECOND));
  return Math.min(limit.burst / (isAlone ? 5 : 16), sum(reported) + 2);
}

/** The headers that tell a caller what was left at the last call or end. */
export function rateHeaders(state: MeterState): Record<string, string> {
  const { rate, burst } = state.limit;
  return {
    'RateLimit-Limit': String(burst),
    'RateLimit-Remaining': String(Math.max(0, Math.floor(available(state)))),
    'RateLimit-Reset': String(Math.ceil((burst - state.bucket.level) / rate)),
  };
}

const add = (spent: Map<number, number>, window: number, tokens: number): unknown =>
  spent.set(window, (spent.get(window) ?? 0) + tokens);

const sum = (spent: Iterable<readonly [number, number]>): number =>
  [...spent].reduce((total, [, one]) => total + one, 0);
