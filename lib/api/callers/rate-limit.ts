import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { Failure } from '../../shared/failure.ts';
import { LruMap } from '../../shared/caches.ts';
import { randomHandle } from '../../store/dynamodb/ids.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import type { Usage } from '../../store/dynamodb/call-requests.ts';
import { findRateState, writeRateReport } from '../../store/requests/rate-limits.ts';
import { type Decision, type Learn, type MeterEvent, newMeter, rateHeaders, step } from './rate-meter.ts';

/** A call that runs for longer registers, so that other containers count it. */
const LONG_CALL_MILLISECONDS = 250;
/** Calls that become long, and long ones that end while others run, within this time are one write. */
const GATHER_MILLISECONDS = 100;
/** An answer waits no longer for a report; a frozen container goes on with it at its next call. */
const MAX_WAIT_MILLISECONDS = 300;
/** How often a call learns the shared state before it decides by what it knows. */
const MAX_LESSONS = 3;

/** A call that may be served. `end` charges what it cost and returns the RateLimit headers; only the first counts. */
export interface Admission {
  end(now: Date, tokens: number): Promise<Record<string, string>>;
}

/** What this container knows and spent of each key; of many keys those that were used last. */
const meters = new LruMap<KeyMeter>({ max: 1_000 });

/**
 * Takes one token of the key and one of its calls in flight; a report names the network of `address` as where the key
 * was used last. Throws 429 with Retry-After.
 */
export function admit(table: TableWriter, key: ApiKeyRecord, now: Date, address = ''): Promise<Admission> {
  const meter = meters.get(key.Public) ?? new KeyMeter(key.Public);
  meters.set(key.Public, meter);
  return meter.admit(table, key, now.getTime(), address);
}

/**
 * The rate of one key in one container. It spends by its own estimate of the bucket that all containers share, reports
 * what it spent by additions, and refuses a call only by the shared state itself (rate-meter.ts decides).
 */
class KeyMeter {
  readonly #publicPart: string;
  #state = newMeter;
  /** From where the key was used last. */
  #address = '';
  #request: Promise<void> | undefined;
  /** The report that waits for the request in flight: whatever is to be reported by then is in it. */
  #nextReport: Promise<void> | undefined;
  #registration: NodeJS.Timeout | undefined;

  constructor(publicPart: string) {
    this.#publicPart = publicPart;
  }

  async admit(table: TableWriter, key: ApiKeyRecord, now: number, address: string): Promise<Admission> {
    this.#address = address;
    const decision = await this.#decide(table, key, now);
    if (decision.kind !== 'pass') throw this.#tooMany(decision, key);
    const pending: Promise<unknown>[] = [];
    if (decision.beside) pending.push(this.#learnQuietly(table, decision.beside, now));
    const call = randomHandle(8);
    const timer = setTimeout(() => {
      this.#take({ kind: 'long', call });
      this.#registerSoon(table, now + LONG_CALL_MILLISECONDS);
    }, LONG_CALL_MILLISECONDS);
    let isOpen = true;
    return {
      end: async (endedAt, tokens) => {
        const end = endedAt.getTime();
        if (isOpen) {
          isOpen = false;
          clearTimeout(timer);
          const { kind } = this.#take({ kind: 'end', now: end, tokens, call, random: Math.random() });
          if (kind === 'pass') pending.push(this.#learnQuietly(table, 'report', end));
          else if (this.#state.endedCalls.size) this.#registerSoon(table, end);
          if (pending.length) await atMost(MAX_WAIT_MILLISECONDS, Promise.all(pending));
        }
        return rateHeaders(this.#state);
      },
    };
  }

  /** Steps to the next state. */
  #take(event: MeterEvent): Decision {
    const { state, decision } = step(this.#state, event);
    this.#state = state;
    return decision;
  }

  async #decide(table: TableWriter, { Rate: rate, Burst: burst, InFlight }: ApiKeyRecord, now: number) {
    for (let lessons = 0; ; lessons++) {
      const random = Math.random();
      const mayLearn = lessons < MAX_LESSONS;
      const limit = { rate, burst };
      const decision = this.#take({ kind: 'call', now, limit, maxInFlight: InFlight, random, mayLearn });
      if (decision.kind !== 'learn first') return decision;
      await this.#learn(table, decision.how, now);
    }
  }

  #tooMany(decision: Decision, { Rate, Burst, InFlight }: ApiKeyRecord): Failure {
    const seconds = decision.kind === 'no tokens' ? decision.seconds : 1;
    const message =
      decision.kind === 'no tokens'
        ? `This key may make ${Rate} calls a second, ${Burst} at once. Try again in ${seconds} s.`
        : `This key may have ${InFlight} ${InFlight === 1 ? 'call' : 'calls'} in flight. ` +
          'Wait for the answer of one, then try again.';
    const headers = { ...rateHeaders(this.#state), 'Retry-After': String(seconds) };
    return new Failure(decision.kind === 'no tokens' ? 'rate_limited' : 'too_many_in_flight', message, { headers });
  }

  #registerSoon(table: TableWriter, now: number): void {
    if (this.#registration) return;
    this.#registration = setTimeout(() => {
      this.#registration = undefined;
      const { longCalls, endedCalls } = this.#state;
      const isNeeded = endedCalls.size > 0 || [...longCalls.values()].includes(false);
      if (isNeeded) void this.#learnQuietly(table, 'report', now);
    }, GATHER_MILLISECONDS);
  }

  /** Calls that need the state at the same time share one read, and those that wait to report share one report. */
  async #learn(table: TableWriter, how: Learn, now: number): Promise<void> {
    if (how === 'report') return (this.#nextReport ??= this.#report(table, now));
    const consistent = how === 'read consistently';
    await (this.#request ??
      this.#send(async () => {
        const known = await findRateState(table, this.#publicPart, { consistent });
        this.#take({ kind: 'read', now, known });
      }));
  }

  async #report(table: TableWriter, now: number): Promise<void> {
    do await this.#request?.catch(() => undefined);
    while (this.#request);
    this.#nextReport = undefined;
    const decision = this.#take({ kind: 'report', now });
    if (decision.kind !== 'write') return;
    const { report } = decision;
    await this.#send(async () => {
      const known = await writeRateReport(table, this.#publicPart, report, this.#address);
      this.#take({ kind: 'reported', report, known });
    });
  }

  /** Beside the work of a call: where it fails, the next one has its tokens too. */
  #learnQuietly(table: TableWriter, how: Learn, now: number): Promise<void> {
    return this.#learn(table, how, now).catch(() => undefined);
  }

  #send(request: () => Promise<void>): Promise<void> {
    this.#request = request().finally(() => {
      this.#request = undefined;
    });
    return this.#request;
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

/** What one token of the rate limit includes. */
const READ_UNITS = 150;
const WRITE_UNITS = 50;
const CPU_MILLISECONDS = 100;

/**
 * Tokens that a call costs: one, and more where its parts add up to more. Worked: booking a slot with 13 read units, 10
 * write units and 12 ms is 13/150 + 10/50 + 12/100 = 0.41, one token; accepting a proposal with 40 visits, 364 write
 * units, 2 read units and 35 ms, is 7.64, eight tokens.
 */
export const tokensOf = ({ readUnits, writeUnits }: Usage, cpuMilliseconds: number): number =>
  Math.max(1, Math.ceil(readUnits / READ_UNITS + writeUnits / WRITE_UNITS + cpuMilliseconds / CPU_MILLISECONDS));

/** Processor time of one call. */
export interface CpuTimer {
  /** Milliseconds until now, or until the first `end`. */
  end(): number;
}

const running = new Set<{ microseconds: number }>();
let counted = 0;
let readAt = -Infinity;

/** The clock takes 30 µs to read. What a call is charged may be wrong by so much, a fifth of a token. */
const READ_MILLISECONDS = 20;

/** Divides the time of the process since the last reading between the calls that run: in Lambda it is one. */
function divideTime(): void {
  const now = performance.now();
  if (now - readAt < READ_MILLISECONDS) return;
  readAt = now;
  const { user, system } = process.cpuUsage();
  const share = (user + system - counted) / running.size;
  counted = user + system;
  for (const call of running) call.microseconds += share;
}

export function startCpuTimer(): CpuTimer {
  divideTime();
  const call = { microseconds: 0 };
  running.add(call);
  return {
    end() {
      if (running.has(call)) divideTime();
      running.delete(call);
      return call.microseconds / 1_000;
    },
  };
}
