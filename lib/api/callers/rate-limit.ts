import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { LRUCache } from 'lru-cache';
import { Failure } from '../../shared/failure.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { SECOND } from '../../shared/time/time.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import {
  LATEST_MILLISECONDS,
  type RateLimit,
  type RateState,
  WINDOW_MILLISECONDS,
  bucketLevel,
  findRateState,
  isUsedToday,
  noState,
  overdrawn,
  refilled,
  runningCalls,
  scarceLevel,
  secondsToNextToken,
  sharedPace,
  windowAt,
  writeRateReport,
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
/** A call that runs for longer registers, so that other containers count it. */
const LONG_CALL_MILLISECONDS = 250;
/** An answer waits no longer for a report; a frozen container goes on with it at its next call. */
const MAX_WAIT_MILLISECONDS = 300;

/** A call that may be served. `end` charges what it cost and returns the RateLimit headers; only the first counts. */
export interface Admission {
  end(now: Date, tokens: number): Promise<Record<string, string>>;
}

/** What this container knows and spent of each key; of many keys those that were used last. */
const meters = new LRUCache<string, KeyMeter>({ max: 1_000 });

/** Takes one token of the key and one of its calls in flight. Throws 429 with Retry-After. */
export function admit(table: TableWriter, key: ApiKeyRecord, now: Date): Promise<Admission> {
  const meter = meters.get(key.Public) ?? new KeyMeter(key.Public);
  meters.set(key.Public, meter);
  return meter.admit(table, key, now.getTime());
}

/**
 * The rate of one key in one container. It spends by its own estimate of the bucket that all containers share, reports
 * what it spent by additions, and refuses a call only by the shared state itself.
 */
class KeyMeter {
  readonly #publicPart: string;
  #limit: RateLimit = { rate: 1, burst: 1 };
  #state: RateState = noState;
  #stateAt = -Infinity;
  /** The estimate: it gains what others are not expected to spend. */
  #bucket = { level: 0, at: 0 };
  #paceOfOthers = 0;
  /** Tokens a second of all containers, and this one's part of them. */
  #pace = 0;
  #share = 1;
  /** Tokens of a nearly empty bucket that are this container's. */
  #allowance = { tokens: 0, at: 0 };
  /** Tokens by window: not yet reported, and reported in the last seconds. */
  readonly #unreported = new Map<number, number>();
  readonly #reported = new Map<number, number>();
  #inFlight = 0;
  /** Calls of this container that are registered, or must be; and those that ended. */
  readonly #longCalls = new Set<string>();
  readonly #endedCalls = new Set<string>();
  #request: Promise<void> | undefined;

  constructor(publicPart: string) {
    this.#publicPart = publicPart;
  }

  async admit(table: TableWriter, key: ApiKeyRecord, now: number): Promise<Admission> {
    this.#limit = { rate: key.Rate, burst: key.Burst };
    this.#forget(now);
    if (now - this.#stateAt >= STALE_MILLISECONDS) await this.#read(table, now, false);
    if (this.#whyNot(key, now) && now - this.#stateAt > FRESH_MILLISECONDS)
      await (this.#isReportDue(now) ? this.#report(table, now) : this.#read(table, now, true));
    const failure = this.#whyNot(key, now);
    if (failure) throw failure;

    this.#spend(1, now);
    this.#inFlight++;
    const pending: Promise<unknown>[] = [];
    if (this.#isReportDue(now) || !isUsedToday(this.#state, now)) pending.push(this.#reportQuietly(table, now));
    else if (now - this.#stateAt >= AGED_MILLISECONDS)
      pending.push(this.#read(table, now, false).catch(() => undefined));
    let call: string | undefined;
    const timer = setTimeout(() => {
      call = randomHandle(8);
      this.#longCalls.add(call);
      pending.push(this.#reportQuietly(table, now + LONG_CALL_MILLISECONDS));
    }, LONG_CALL_MILLISECONDS);
    let isOpen = true;
    return {
      end: async (endedAt, tokens) => {
        const end = endedAt.getTime();
        if (!isOpen) return this.#headers(end);
        isOpen = false;
        clearTimeout(timer);
        this.#inFlight--;
        if (tokens > 1) this.#spend(tokens - 1, end);
        if (call && this.#longCalls.delete(call)) this.#endedCalls.add(call);
        const isDue = this.#endedCalls.size > 0 || (tokens > 1 && this.#isReportDue(end));
        if (isDue) pending.push(this.#reportQuietly(table, end));
        await atMost(MAX_WAIT_MILLISECONDS, Promise.all(pending));
        return this.#headers(end);
      },
    };
  }

  /** Why a call may not pass, by the estimate. */
  #whyNot({ Rate: rate, Burst: burst, InFlight: limit }: ApiKeyRecord, now: number): Failure | undefined {
    if (this.#available(now) < 1) {
      const seconds = secondsToNextToken(this.#level(now), this.#limit);
      return this.#tooMany(
        `This key may make ${rate} calls a second, ${burst} at once. Try again in ${seconds} s.`,
        seconds,
        now,
      );
    }
    const others = runningCalls(this.#state, now).filter((call) => !this.#isOwn(call)).length;
    if (this.#inFlight + others < limit) return undefined;
    return this.#tooMany(
      `This key may have ${limit} ${limit === 1 ? 'call' : 'calls'} in flight. ` +
        'Wait for the answer of one, then try again.',
      1,
      now,
    );
  }

  #tooMany(message: string, seconds: number, now: number): Failure {
    return new Failure(429, message, { headers: { ...this.#headers(now), 'Retry-After': String(seconds) } });
  }

  #isOwn(call: string): boolean {
    return this.#longCalls.has(call) || this.#endedCalls.has(call);
  }

  #headers(now: number): Record<string, string> {
    const { rate, burst } = this.#limit;
    const level = this.#level(now);
    return {
      'RateLimit-Limit': String(burst),
      'RateLimit-Remaining': String(Math.max(0, Math.floor(this.#available(now)))),
      'RateLimit-Reset': String(Math.ceil((burst - level) / rate)),
    };
  }

  #level(now: number): number {
    const limit = { ...this.#limit, rate: this.#limit.rate - this.#paceOfOthers };
    const { level } = this.#bucket;
    const expected = refilled(this.#bucket, limit, now);
    // Others spend what is left, and then no more than flows in.
    this.#bucket = { ...expected, level: Math.max(Math.min(level, 0), expected.level) };
    return this.#bucket.level;
  }

  /**
   * Tokens that this container may spend: all that are left, or its allowance where they are few. Containers learn late
   * of each other; if each took what it believes to be left, a second of 60 calls would be followed by one of 40.
   */
  #available(now: number): number {
    const level = this.#level(now);
    const scarce = scarceLevel(this.#limit);
    const { tokens, at } = this.#allowance;
    if (this.#share === 1 || level >= scarce) {
      const part = this.#share * scarce;
      // Of many containers each begins with a random part of a token, or all would take the next one at the same
      // moment.
      this.#allowance = { tokens: part > MAX_ALLOWANCE ? part : Math.random(), at: now };
      return level;
    }
    const pace = sharedPace(level, this.#limit);
    const gained = (Math.max(0, now - at) / SECOND) * this.#share * pace;
    const limit = Math.max(this.#share * level, MAX_ALLOWANCE);
    // A new container among many gets a token only if one is left.
    this.#allowance = {
      tokens: at === 0 ? Math.min(1, level) : Math.min(limit, tokens + gained),
      at: Math.max(now, at),
    };
    return pace === 0 ? level : this.#allowance.tokens;
  }

  #spend(tokens: number, now: number): void {
    this.#allowance.tokens = Math.max(-1, this.#allowance.tokens - tokens);
    this.#bucket = { at: now, level: overdrawn(this.#level(now) - tokens, this.#limit) };
    add(this.#unreported, windowAt(now), tokens);
  }

  /** Drops what is too old to be reported, and to tell others' pace. */
  #forget(now: number): void {
    for (const spent of [this.#unreported, this.#reported])
      for (const window of spent.keys()) if (window <= windowAt(now - LATEST_MILLISECONDS)) spent.delete(window);
  }

  /** Whether what is not reported is worth a write. */
  #isReportDue(now: number): boolean {
    const [first] = this.#unreported.keys();
    if (first === undefined) return false;
    const { burst, rate } = this.#limit;
    const tokens = sum(this.#unreported);
    const level = this.#level(now);
    const isLow = level < burst / 4;
    if (tokens >= Math.max(1, isLow ? (this.#share * burst) / 8 : this.#unreportedTokens(now))) return true;
    if (this.#pace > EMPTYING_PACE * rate && tokens >= Math.max(1, (this.#share * level) / 8)) return true;
    const windows = windowAt(now) - first;
    return (
      windows >= windowAt(isLow ? SECOND : REPORT_MILLISECONDS) &&
      tokens >= (NEGLIGIBLE_SHARE * rate * windows) / windowAt(SECOND)
    );
  }

  /** What may stay unreported in a full bucket: little at first, for many containers may begin at once. */
  #unreportedTokens(now: number): number {
    const { burst } = this.#limit;
    const isAlone = this.#share === 1 && [...this.#reported.keys()].some((one) => one < windowAt(now - SECOND));
    return Math.min(burst / (isAlone ? 5 : 16), sum(this.#reported) + 2);
  }

  /** Calls that need the state at the same time share one read. */
  async #read(table: TableWriter, now: number, consistent: boolean): Promise<void> {
    await (this.#request ?? this.#send(() => findRateState(table, this.#publicPart, { consistent }), now));
  }

  async #report(table: TableWriter, now: number): Promise<void> {
    while (this.#request) await this.#request;
    const spent = new Map(this.#unreported);
    const [begun, ended] = [[...this.#longCalls], [...this.#endedCalls]];
    const known = { known: this.#state, knownAt: this.#stateAt, limit: this.#limit };
    await this.#send(async () => {
      const state = await writeRateReport(table, this.#publicPart, { spent, begun, ended, ...known, now });
      for (const [window, tokens] of spent) {
        add(this.#unreported, window, -tokens);
        if (!this.#unreported.get(window)) this.#unreported.delete(window);
        add(this.#reported, window, tokens);
      }
      for (const call of ended) this.#endedCalls.delete(call);
      return state;
    }, now);
  }

  /** A report beside the work of a call: where it fails, the next one has its tokens too. */
  #reportQuietly(table: TableWriter, now: number): Promise<void> {
    return this.#report(table, now).catch(() => undefined);
  }

  #send(request: () => Promise<RateState>, now: number): Promise<void> {
    this.#request = request()
      .then((state) => this.#learn(state, now))
      .finally(() => {
        this.#request = undefined;
      });
    return this.#request;
  }

  #learn(state: RateState, now: number): void {
    this.#state = state;
    this.#stateAt = now;
    const unreported = [...this.#unreported].filter(([window]) => window > windowAt(now - LATEST_MILLISECONDS));
    const spent = new Map(state.spent);
    for (const [window, tokens] of unreported) add(spent, window, tokens);
    this.#bucket = { at: now, level: bucketLevel({ ...state, spent }, this.#limit, now) };
    const since = windowAt(now - PACE_MILLISECONDS);
    const recent = (from: ReadonlyMap<number, number>) => sum([...from].filter(([window]) => window > since));
    const own = recent(this.#reported);
    const others = Math.max(0, recent(state.spent) - own);
    const first = Math.min(windowAt(now), ...[...state.spent.keys()].filter((window) => window > since));
    const seconds = Math.max(WINDOW_MILLISECONDS, now - first * WINDOW_MILLISECONDS) / SECOND;
    this.#pace = (own + others) / seconds;
    this.#paceOfOthers = others / seconds;
    this.#share = others ? Math.max(SMALLEST_SHARE, own / (own + others)) : 1;
  }
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const wait = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, wait]);
  clearTimeout(timer);
}

const add = (spent: Map<number, number>, window: number, tokens: number): unknown =>
  spent.set(window, (spent.get(window) ?? 0) + tokens);

const sum = (spent: Iterable<readonly [number, number]>): number =>
  [...spent].reduce((total, [, one]) => total + one, 0);
