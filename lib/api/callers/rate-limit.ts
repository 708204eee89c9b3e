import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { Failure } from '../../shared/failure.ts';
import { SECOND } from '../../shared/time/time.ts';
import { networkOf } from '../../shared/web/web-addresses.ts';
import type { Usage } from '../../store/dynamodb/client.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { layout } from '../../store/keys.ts';
import type { CallContext } from '../respond.ts';

/** The interval at which a container adds its count to the item of the key; the reply has what all containers spent. */
const ADD_MILLISECONDS = 250;
/** The longest that an answer waits for an addition; a frozen container finishes it at its next call. */
const MAX_WAIT_MILLISECONDS = 300;
/** Older spending is forgotten, so a bucket that is never full gains one burst in this time. */
const COUNTED_SECONDS = 30;
/** The longest wait: after it a key may call again, whatever it has spent. */
const MAX_DEBT_SECONDS = 10;

type Limits = Pick<ApiKeyRecord, 'Public' | 'Rate' | 'Burst' | 'InFlight'>;
/** Tokens spent by second since 1970. */
type Spent = ReadonlyMap<number, number>;

const secondAt = (now: Date): number => Math.floor(now.getTime() / SECOND);
const countedAt = (spent: Spent, second: number): Map<number, number> =>
  new Map([...spent].filter(([each]) => each > second - COUNTED_SECONDS));
const count = (spent: Map<number, number>, second: number, tokens: number): unknown =>
  spent.set(second, (spent.get(second) ?? 0) + tokens);

/** Tokens left in a key's bucket: each second adds Rate, up to Burst, and subtracts what was spent in it. */
export function tokensLeft(spent: Spent, { Rate, Burst }: Pick<Limits, 'Rate' | 'Burst'>, second: number): number {
  let left = Burst;
  for (let each = second - COUNTED_SECONDS + 1; each <= second; each++)
    left = Math.max(-MAX_DEBT_SECONDS * Rate, Math.min(Burst, left + Rate) - (spent.get(each) ?? 0));
  return left;
}

/**
 * The previous version, which may run at the same time, counts by quarter seconds; this one counts in the first
 * quarter.
 */
const attributesOf = (second: number) => [0, 1, 2, 3].map((quarter) => `S${(4 * second + quarter).toString(36)}`);
const secondOf = (attribute: string): number => Math.floor(Number.parseInt(attribute.slice(1), 36) / 4);

/** What a container knows of a key's spending, and spends itself. */
class KeyUse {
  inFlight = 0;
  /** What all containers had spent at the table's last reply, plus what this one has spent since. */
  #spent = new Map<number, number>();
  #unsent = new Map<number, number>();
  #addedAt = -Infinity;
  #addition: Promise<unknown> | undefined;

  left(key: Limits, now: Date): number {
    return tokensLeft(this.#spent, key, secondAt(now));
  }

  spend(tokens: number, now: Date): void {
    count(this.#spent, secondAt(now), tokens);
    count(this.#unsent, secondAt(now), tokens);
  }

  /** Starts an addition if one is due. If it fails, the call goes on; other containers then do not see its tokens. */
  add(table: TableWriter, key: Limits, now: Date, address: string): void {
    if (this.#addition || !this.#unsent.size || now.getTime() - this.#addedAt < ADD_MILLISECONDS) return;
    this.#addedAt = now.getTime();
    this.#addition = this.#send(table, key, now, address)
      .catch(() => undefined)
      .finally(() => (this.#addition = undefined));
  }

  async added(): Promise<void> {
    const tooLong = () => setTimeout(MAX_WAIT_MILLISECONDS, undefined, { ref: false });
    if (this.#addition) await Promise.race([this.#addition, tooLong()]);
  }

  /** A retry after a lost reply counts tokens twice, so the caller waits a second longer. */
  async #send(table: TableWriter, { Public }: Limits, now: Date, address: string): Promise<void> {
    const second = secondAt(now);
    const [added, known] = [countedAt(this.#unsent, second), this.#spent];
    this.#spent = countedAt(known, second);
    this.#unsent = new Map();
    const item = await table.update({
      update: layout.rate.key({ public: Public }),
      set: { LastUsed: now.toISOString().slice(0, 10), UsedFrom: networkOf(address) },
      add: Object.fromEntries([...added].map(([each, tokens]) => [attributesOf(each)[0], tokens])),
      remove: [...known.keys()].filter((each) => !this.#spent.has(each)).flatMap(attributesOf),
    });
    this.#spent = new Map(this.#unsent);
    for (const [name, value] of Object.entries(item))
      if (name.startsWith('S') && typeof value === 'number') count(this.#spent, secondOf(name), value);
  }
}

/** Keeps the keys that were used last. */
const uses = new LRUCache<string, KeyUse>({ max: 1_000 });

/** An admitted call. `end` charges its cost once and returns the RateLimit headers. */
export interface Admission {
  /** Stops counting the call as in flight before its cost is known. */
  release(): void;
  end(now: Date, tokens: number): Promise<Record<string, string>>;
}

/** Takes one token of the key and one of its slots for calls in flight in this process. Throws 429 with Retry-After. */
export async function admit(table: TableWriter, key: Limits, now: Date, address = ''): Promise<Admission> {
  const use = uses.get(key.Public) ?? new KeyUse();
  uses.set(key.Public, use);
  const left = use.left(key, now);
  if (left < 1 || use.inFlight >= key.InFlight) {
    use.add(table, key, now, address);
    await use.added();
    throw tooMany(left < 1 ? 'rate_limited' : 'too_many_in_flight', key, left);
  }
  use.inFlight++;
  use.spend(1, now);
  use.add(table, key, now, address);
  let [isInFlight, isOpen] = [true, true];
  const release = () => {
    if (isInFlight) use.inFlight--;
    isInFlight = false;
  };
  return {
    release,
    async end(endedAt, tokens) {
      release();
      if (isOpen && tokens > 1) {
        use.spend(tokens - 1, endedAt);
        use.add(table, key, endedAt, address);
      }
      isOpen = false;
      await use.added();
      return headersOf(key, use.left(key, endedAt));
    },
  };
}

function tooMany(code: 'rate_limited' | 'too_many_in_flight', key: Limits, left: number): Failure {
  const { Rate, Burst, InFlight } = key;
  const seconds = Math.max(1, Math.ceil((1 - left) / Rate));
  const calls = `${InFlight} ${InFlight === 1 ? 'call' : 'calls'}`;
  const messages = {
    rate_limited: `This key may make ${Rate} calls a second, ${Burst} at once. Try again in ${seconds} s.`,
    too_many_in_flight: `This key may have ${calls} in flight. Wait for the answer of one, then try again.`,
  };
  return new Failure(code, messages[code], { headers: { ...headersOf(key, left), 'Retry-After': String(seconds) } });
}

const headersOf = ({ Rate, Burst }: Limits, left: number): Record<string, string> => ({
  'RateLimit-Limit': String(Burst),
  'RateLimit-Remaining': String(Math.max(0, Math.floor(left))),
  'RateLimit-Reset': String(Math.ceil((Burst - left) / Rate)),
});

/** A call with a key, as rate limiting sees it. */
export interface RatedCall extends CallContext {
  /** The table for the operation; its meter counts what the operation costs. */
  table: TableWriter;
  /** The table for the steps around it (key, rate limit), with its own meter. */
  pipelineTable: TableWriter;
  /** What the key's rate allowed. */
  admission?: Admission;
  /** The CPU time that is charged to the call. */
  cpu?: CpuTime;
}

/** Takes a token of the key. Throws 429. */
export async function takeToken(context: RatedCall, key: ApiKeyRecord): Promise<void> {
  context.admission = await admit(context.pipelineTable, key, context.log.now, context.log.source);
}

/** Read units that one token includes. */
const READ_UNITS = 150;
const WRITE_UNITS = 50;

/**
 * The token cost of a call: one, or more if its units add up to more. Worked: booking a slot with 13 read and 10 write
 * units is 13/150 + 10/50 = 0.29, one token; accepting a proposal with 40 visits, 364 write units and 2 read units, is
 * 7.29, eight tokens.
 */
export const tokensOf = ({ readUnits, writeUnits }: Usage): number =>
  Math.max(1, Math.ceil(readUnits / READ_UNITS + writeUnits / WRITE_UNITS));

/** CPU milliseconds that one token includes; a first call loads modules for about as long. */
const CPU_MILLISECONDS = 200;

/** Extra tokens for CPU, besides the one of the call. */
export const cpuTokens = (milliseconds: number): number => Math.floor(milliseconds / CPU_MILLISECONDS);

const cpuNow = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** The time up to which this process's CPU is charged: of concurrent calls, each millisecond is charged to only one. */
let chargedUntil = 0;

/** Measures the CPU that the process uses for a call. */
export class CpuTime {
  readonly #begun = cpuNow();

  /** Milliseconds since the call began that were charged to no other call. */
  take(): number {
    const now = cpuNow();
    const used = now - Math.max(this.#begun, chargedUntil);
    chargedUntil = now;
    return used;
  }
}

/** Charges the key for the call and stops counting it as in flight. */
export async function charge({ context }: { readonly context: RatedCall }): Promise<void> {
  const { admission, cpu, headers, table } = context;
  const tokens = tokensOf(table.meter.usage) + (cpu ? cpuTokens(cpu.take()) : 0);
  Object.assign(headers, await admission?.end(new Date(), tokens));
}
