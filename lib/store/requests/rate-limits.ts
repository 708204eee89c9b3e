import { DAY, SECOND } from '../../shared/time/time.ts';
import { networkOf } from '../../shared/web/address-ranges.ts';
import type { Item } from '../dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../dynamodb/table.ts';
import { layout, rateAttributes } from '../keys.ts';

/** Tokens a second, and tokens of a full bucket. */
export interface RateLimit {
  readonly rate: number;
  readonly burst: number;
}

/** Tokens are counted in the table by windows of 250 ms: what a container spent is added in any order, and late. */
export const WINDOW_MILLISECONDS = 250;
/** What was spent longer ago is not added. */
export const LATEST_MILLISECONDS = 10 * SECOND;
/** The level of the bucket is fixed at every 20th window once nothing can be added before it. */
const CHECKPOINT_WINDOWS = 20;
/** A bucket is overdrawn by at most what it gains in 10 seconds, so a key that waits so long may call again. */
const MAX_DEBT_SECONDS = 10;
/** Longer than any call: a container that was killed holds its calls no longer. */
const CALL_MILLISECONDS = 30 * SECOND;

/** Tokens spent, by the number of their window. */
type Spending = ReadonlyMap<number, number>;

/** What the table holds of a key: all that containers have reported. */
export interface RateState {
  readonly spent: Spending;
  /** Levels of the bucket at the start of windows. */
  readonly levels: ReadonlyMap<number, number>;
  /** Calls that run for long, by their mark, with the moment (milliseconds) until which they count. */
  readonly calls: ReadonlyMap<string, number>;
  /** The day, `YYYY-MM-DD`. */
  readonly lastUsed: string;
}

export const windowAt = (milliseconds: number): number => Math.floor(milliseconds / WINDOW_MILLISECONDS);

const dayAt = (now: number): string => new Date(now - (now % DAY)).toISOString().slice(0, 10);

/**
 * Tokens in the bucket at `now`: from the newest fixed level, or full, each window's spending is taken at its start and
 * then refills. Worked, rate 50 and burst 100: 100 spent in a window that began 1 s ago leave 0 + 50. More than the
 * burst can pass in one window, by its own refill of 12; over any longer time the rate is exact.
 */
export function bucketLevel({ spent, levels }: Pick<RateState, 'spent' | 'levels'>, limit: RateLimit, now: number) {
  const start = [...levels.keys()].reduce((newest, window) => Math.max(newest, window), 0);
  let bucket = { level: levels.get(start) ?? limit.burst, at: start * WINDOW_MILLISECONDS };
  for (const window of [...spent.keys()].filter((one) => one >= start).sort((a, b) => a - b)) {
    const filled = refilled(bucket, limit, window * WINDOW_MILLISECONDS);
    bucket = { ...filled, level: overdrawn(filled.level - (spent.get(window) ?? 0), limit) };
  }
  return refilled(bucket, limit, now).level;
}

/** The bucket as it is at `now`; `rate` is what it gains in a second. */
export const refilled = (
  { level, at }: { readonly level: number; readonly at: number },
  { rate, burst }: RateLimit,
  now: number,
) => ({ level: Math.min(burst, level + (Math.max(0, now - at) / SECOND) * rate), at: Math.max(at, now) });

/** A level, not further below zero than the limit allows. */
export const overdrawn = (level: number, { rate }: RateLimit): number => Math.max(level, -MAX_DEBT_SECONDS * rate);

/**
 * Of a nearly empty bucket containers share what flows in, and keep it between empty and twice this part of a second.
 */
const KEPT_SECONDS = 0.125;
/**
 * A difference from that level is evened out in half a second, but a debt slowly: a twentieth of the rate goes for it.
 */
const CORRECTION_SECONDS = 0.5;
const SLOWEST_PACE = 0.95;
/** A greater debt, of expensive calls, is paid before anything else. */
const MAX_SHARED_DEBT_SECONDS = 0.5;

/** Below this level each container must keep to its share. */
export const scarceLevel = ({ rate, burst }: RateLimit): number => 2 * KEPT_SECONDS * Math.min(rate, burst);

/**
 * Tokens a second that all containers together may take from a bucket that is nearly empty. Worked, rate 50: 50 at
 * level 6.25; 60 at 11.25; 47.5 at -20, so that no second has much less than the rate; nothing at -26.
 */
export function sharedPace(level: number, { rate, burst }: RateLimit): number {
  if (level < -MAX_SHARED_DEBT_SECONDS * rate) return 0;
  const above = level - KEPT_SECONDS * Math.min(rate, burst);
  return Math.max(rate * SLOWEST_PACE, rate + above / CORRECTION_SECONDS);
}

/** Whole seconds until one token is there. */
export const secondsToNextToken = (level: number, { rate }: RateLimit): number =>
  Math.max(1, Math.ceil((1 - level) / rate));

function toState(item: Item | undefined): RateState {
  const spent = new Map<number, number>();
  const levels = new Map<number, number>();
  const calls = new Map<string, number>();
  const { spent: spentName, level: levelName, call: callName } = rateAttributes;
  for (const [name, value] of Object.entries(item ?? {})) {
    const rest = name.slice(1);
    if (typeof value !== 'number') continue;
    if (name.startsWith(spentName)) spent.set(Number.parseInt(rest, 36), value);
    else if (name.startsWith(levelName)) levels.set(Number.parseInt(rest, 36), value);
    else if (name.startsWith(callName)) calls.set(rest, value);
  }
  return { spent, levels, calls, lastUsed: String(item?.['LastUsed'] ?? '') };
}

export const noState: RateState = toState(undefined);

export const isUsedToday = ({ lastUsed }: RateState, now: number): boolean => lastUsed === dayAt(now);

const isRunning = ({ calls }: RateState, call: string, now: number): boolean => (calls.get(call) ?? 0) > now;

/** The calls that run for long, without those whose container must be gone. */
export const runningCalls = (state: RateState, now: number): string[] =>
  [...state.calls.keys()].filter((call) => isRunning(state, call, now));

export async function findRateState(
  table: TableReader,
  publicPart: string,
  options: { readonly consistent: boolean },
): Promise<RateState> {
  return toState(await table.get(layout.rate.key({ public: publicPart }), options));
}

/** What a container adds to the shared state. */
export interface RateReport {
  readonly spent: Spending;
  /** Marks of calls that have run for long, and of those that ended. */
  readonly begun: readonly string[];
  readonly ended: readonly string[];
  /** The last known state and its moment, to remove what is old in it. */
  readonly known: RateState;
  readonly knownAt: number;
  readonly limit: RateLimit;
  readonly now: number;
}

/**
 * Adds tokens and long calls to the state of a key and returns it; also writes the day and network of its use. There is
 * no condition: additions of many containers never conflict. Where a reply was lost, tokens may count twice, which a
 * bucket forgets within seconds.
 */
export async function writeRateReport(
  table: TableWriter,
  publicPart: string,
  report: RateReport,
  address = '',
): Promise<RateState> {
  const { spent, begun, ended, known, now } = report;
  const until = now + CALL_MILLISECONDS;
  const over = new Set([...ended, ...[...known.calls.keys()].filter((call) => !isRunning(known, call, now))]);
  const item = await table.update({
    update: layout.rate.key({ public: publicPart }),
    set: {
      LastUsed: dayAt(now),
      UsedFrom: networkOf(address),
      ...Object.fromEntries(begun.map((call) => [rateAttributes.call + call, until])),
    },
    setOnce: newCheckpoint(report),
    add: Object.fromEntries([...spent].map(([window, tokens]) => [spentAttribute(window), tokens])),
    remove: [...[...over].map((call) => rateAttributes.call + call), ...beforeCheckpoint(known)],
  });
  return toState(item);
}

const spentAttribute = (window: number): string => rateAttributes.spent + window.toString(36);
const levelAttribute = (window: number): string => rateAttributes.level + window.toString(36);

/** The level at the last window before which nothing can be added, if the known state has that already. */
function newCheckpoint({ known, knownAt, limit, now }: RateReport): Record<string, number> {
  const latest = windowAt(now - LATEST_MILLISECONDS);
  const window = latest - (latest % CHECKPOINT_WINDOWS);
  const start = window * WINDOW_MILLISECONDS;
  const isNeeded = [...known.spent.keys()].some((one) => one < window) && !known.levels.has(window);
  if (!isNeeded || knownAt - LATEST_MILLISECONDS < start) return {};
  const spent = new Map([...known.spent].filter(([one]) => one < window));
  return { [levelAttribute(window)]: Math.floor(bucketLevel({ ...known, spent }, limit, start)) };
}

/** The attributes that the newest level replaces. */
function beforeCheckpoint({ spent, levels }: RateState): string[] {
  const newest = Math.max(...levels.keys());
  return [
    ...[...spent.keys()].filter((window) => window < newest).map(spentAttribute),
    ...[...levels.keys()].filter((window) => window < newest).map(levelAttribute),
  ];
}
