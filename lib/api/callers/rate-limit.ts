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

/** A container adds what it counted to the item of the key so often; the answer has what all containers spent. */
const ADD_MILLISECONDS = 250;
/** An answer waits no longer for an addition; a frozen container goes on with it at its next call. */
const MAX_WAIT_MILLISECONDS = 300;
/** What was spent before is forgotten, so a bucket that is never full gains one burst in this time. */
const COUNTED_SECONDS = 30;
/** A key that waits so long may call again, whatever it has spent. */
const MAX_DEBT_SECONDS = 10;

type Limits = Pick<ApiKeyRecord, 'Public' | 'Rate' | 'Burst' | 'InFlight'>;
/** Tokens by second since 1970. */
type Spent = ReadonlyMap<number, number>;

const secondAt = (now: Date): number => Math.floor(now.getTime() / SECOND);
const countedAt = (spent: Spent, second: number): Map<number, number> =>
  new Map([...spent].filter(([each]) => each > second - COUNTED_SECONDS));
const count = (spent: Map<number, number>, second: number, tokens: number): unknown =>
  spent.set(second, (spent.get(second) ?? 0) + tokens);

/** Tokens in the bucket of a key: each second adds Rate, up to Burst, and takes what is spent in it. */
export function tokensLeft(spent: Spent, { Rate, Burst }: Pick<Limits, 'Rate' | 'Burst'>, second: number): number {
  let left = Burst;
  for (let each = second - COUNTED_SECONDS + 1; each <= second; each++)
    left = Math.max(-MAX_DEBT_SECONDS * Rate, Math.min(Burst, left + Rate) - (spent.get(each) ?? 0));
  return left;
}

/** The version before, which may run beside this one, counts by quarters of a second: this one by their first. */
const attributesOf = (second: number) => [0, 1, 2, 3].map((quarter) => `S${(4 * second + quarter).toString(36)}`);
const secondOf = (attribute: string): number => Math.floor(Number.parseInt(attribute.slice(1), 36) / 4);

/** What a container knows of a key and spends of it. */
class KeyUse {
  inFlight = 0;
  /** By all containers when the table answered last, and by this one since. */
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

  /** Begins an addition if one is due. If it fails, the call goes on: other containers know nothing of its tokens. */
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

  /** A repeat after a lost reply counts tokens twice: the caller waits a second longer. */
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

/** Of many keys those that were used last. */
const uses = new LRUCache<string, KeyUse>({ max: 1_000 });

/** A call that may be served. `end` charges what it cost, once, and returns the RateLimit headers. */
export interface Admission {
  /** Ends the call for the limit of calls in flight, before what it costs is known. */
  release(): void;
  end(now: Date, tokens: number): Promise<Record<string, string>>;
}

/** Takes one token of the key and one of its calls in flight in this process. Throws 429 with Retry-After. */
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

/** A call with a key, as its rate sees it. */
export interface RatedCall extends CallContext {
  /** As the operation uses it; its meter counts what the operation costs. */
  table: TableWriter;
  /** As the steps use it (key, rate limit), with a meter of its own. */
  pipelineTable: TableWriter;
  /** What the key's rate allowed. */
  admission?: Admission;
  /** The CPU of a call that is charged for it. */
  cpu?: CpuTime;
}

/** Takes a token of the key. Throws 429. */
export async function takeToken(context: RatedCall, key: ApiKeyRecord): Promise<void> {
  context.admission = await admit(context.pipelineTable, key, context.log.now, context.log.source);
}

/** What one token of the rate limit includes. */
const READ_UNITS = 150;
const WRITE_UNITS = 50;

/**
 * Tokens that a call costs: one, and more where its units add up to more. Worked: booking a slot with 13 read and 10
 * write units is 13/150 + 10/50 = 0.29, one token; accepting a proposal with 40 visits, 364 write units and 2 read
 * units, is 7.29, eight tokens.
 */
export const tokensOf = ({ readUnits, writeUnits }: Usage): number =>
  Math.max(1, Math.ceil(readUnits / READ_UNITS + writeUnits / WRITE_UNITS));

/** CPU that one token includes, in milliseconds; a first call loads modules for about as long. */
const CPU_MILLISECONDS = 200;

/** Tokens that CPU costs besides the one of its call. */
export const cpuTokens = (milliseconds: number): number => Math.floor(milliseconds / CPU_MILLISECONDS);

const cpuNow = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Until when the CPU of this process is charged to somebody: of calls at once, each millisecond to one only. */
let chargedUntil = 0;

/** The CPU that the process uses for a call. */
export class CpuTime {
  readonly #begun = cpuNow();

  /** Milliseconds since the call began that no other call was charged. */
  take(): number {
    const now = cpuNow();
    const used = now - Math.max(this.#begun, chargedUntil);
    chargedUntil = now;
    return used;
  }
}

/** Charges the key what the call cost, and ends it for the limit of calls in flight. */
export async function charge({ context }: { readonly context: RatedCall }): Promise<void> {
  const { admission, cpu, headers, table } = context;
  const tokens = tokensOf(table.meter.usage) + (cpu ? cpuTokens(cpu.take()) : 0);
  Object.assign(headers, await admission?.end(new Date(), tokens));
}
