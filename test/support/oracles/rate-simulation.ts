import type { ApiKeyRecord } from '../../../lib/entities/api-keys.ts';
import type { admit } from '../../../lib/api/callers/rate-limit.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/table.ts';
import { SECOND } from '../../../lib/shared/time/time.ts';

/** A module instance of the rate limit: containers have memories of their own. */
export interface RateContainer {
  readonly admit: typeof admit;
}

export interface SimulatedCalls {
  readonly key: ApiKeyRecord;
  readonly perSecond: number;
  readonly seconds: number;
  /** Calls at random moments in random containers, on clocks that differ by 5 ms; or evenly, in turn. */
  readonly isRandom: boolean;
}

const NOW = Date.UTC(2026, 2, 8, 12);
/** Mean time of a request to the table; one of a hundred takes five times as long. */
const TABLE_MILLISECONDS = 8;

/**
 * Calls of one key in containers over one item, whose requests take time, on a clock of its own. Returns how many calls
 * passed in each second, and the requests to the table.
 */
export async function simulateRate(
  containers: readonly RateContainer[],
  { key, perSecond, seconds, isRandom }: SimulatedCalls,
  random: () => number,
): Promise<{ passed: number[]; requests: number }> {
  const item: Record<string, unknown> = { LastUsed: '2026-03-08' };
  const passed = Array.from({ length: seconds }, () => 0);
  const later: { at: number; run: () => void }[] = [];
  let clock = 0;
  let requests = 0;
  const request = (change: () => void) => {
    requests++;
    const half = (TABLE_MILLISECONDS / 2) * (random() < 0.01 ? 5 : 1);
    return new Promise<Record<string, unknown>>((resolve) => {
      const arrive = () => {
        change();
        const state = { ...item };
        later.push({ at: clock + half * (0.5 + random()), run: () => resolve(state) });
      };
      later.push({ at: clock + half * (0.5 + random()), run: arrive });
    });
  };
  const table = {
    get: () => request(() => undefined),
    update: ({ set = {}, setOnce = {}, add = {}, remove = [] }: Parameters<TableWriter['update']>[0]) =>
      request(() => {
        for (const name of remove) delete item[name];
        Object.assign(item, { ...setOnce, ...item, ...set });
        for (const [name, more] of Object.entries(add)) item[name] = Number(item[name] ?? 0) + more;
      }),
  } as unknown as TableWriter;

  const skews = containers.map(() => (isRandom ? Math.round((random() - 0.5) * 10) : 0));
  const calls = Array.from({ length: perSecond * seconds }, (_, call) => {
    const container = isRandom ? Math.floor(random() * containers.length) : call % containers.length;
    return { container, at: isRandom ? random() * seconds * SECOND : (call * SECOND) / perSecond };
  }).sort((one, other) => one.at - other.at);

  const start = ({ container, at }: (typeof calls)[number]) => {
    const now = () => new Date(NOW + Math.floor(clock) + (skews[container] ?? 0));
    const pass = (admission: Awaited<ReturnType<typeof admit>>) => {
      passed[Math.floor(at / SECOND)] = (passed[Math.floor(at / SECOND)] ?? 0) + 1;
      later.push({ at: clock + 15 + random() * 20, run: () => void admission.end(now(), 1) });
    };
    const refuse = (error: { readonly status?: number }) => {
      if (error.status !== 429) throw error;
    };
    containers[container]?.admit(table, key, now()).then(pass).catch(refuse);
  };
  for (let next = 0; next < calls.length || later.length;) {
    const due = later.reduce((first, { at }, index) => (at < (later[first]?.at ?? Infinity) ? index : first), -1);
    const call = calls[next];
    const event = later[due];
    if (call && !(event && event.at <= call.at)) {
      next++;
      clock = call.at;
      start(call);
    } else if (event) {
      later.splice(due, 1);
      clock = event.at;
      event.run();
    }
    await new Promise(setImmediate);
  }
  return { passed, requests };
}
