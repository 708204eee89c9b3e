import { type Condition, type Item, type TransactionChange, partChanges } from '../../../lib/store/dynamodb/changes.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/table.ts';
import { StoreConflict, StoreUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import { Meter } from '../../../lib/store/dynamodb/call-requests.ts';
import type { Key } from '../../../lib/store/keys.ts';

const nameOf = ({ PK, SK }: Key): string => `${PK} ${SK}`;

/** Items in memory, with the conditions that records are written under. */
export class MemoryTable {
  readonly items = new Map<string, Item>();
  #writes = 0;

  nextWrite(): number {
    return ++this.#writes;
  }

  get(key: Key): Item | undefined {
    return this.items.get(nameOf(key));
  }

  #holds(key: Key, condition: Condition | undefined): boolean {
    const item = this.get(key);
    if (!condition) return true;
    if (condition === 'absent') return !item;
    if (condition === 'present' || 'atLeast' in condition) throw new Error('a condition that no record is put under');
    return Object.entries(condition.equals).every(([name, value]) => item?.[name] === value);
  }

  /** All changes or none. */
  write(changes: readonly TransactionChange[]): void {
    for (const change of changes) {
      const key = 'put' in change ? change.put : 'update' in change ? change.update : undefined;
      if (!key) throw new Error('only puts and updates');
      if (!this.#holds(key, change.if)) throw new StoreConflict('A condition does not hold.');
    }
    for (const change of changes) {
      if ('put' in change) this.items.set(nameOf(change.put), change.put);
      if (!('update' in change)) continue;
      const { update, set = {}, add = {} } = change;
      const item: Item = { ...this.get(update), ...update, ...set };
      for (const [name, by] of Object.entries(add)) item[name] = Number(item[name] ?? 0) + by;
      this.items.set(nameOf(update), item);
    }
  }
}

interface Pending {
  readonly process: string;
  readonly isWrite: boolean;
  /** Carries the request out; `isRepeat` where the SDK has sent it before. */
  readonly deliver: (isRepeat: boolean) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  isRepeat: boolean;
}

export interface Process {
  readonly name: string;
  /** Requests to `direct` are carried out at once, in the same step as the request before. */
  run(table: TableWriter, direct: TableWriter): Promise<void>;
  /** Begins when all others have ended, and has no errors. */
  readonly isLast?: boolean;
  /** Whether the line loses its requests and replies. */
  readonly isFaulty?: boolean;
}

export interface Budget {
  /** How often a process is interrupted that could go on. */
  readonly switches: number;
  /** How many writes are delayed, lost or repeated. */
  readonly errors: number;
}

/** Until every process waits for the table: none has a longer chain of promises between two requests. */
async function settle(): Promise<void> {
  for (let tick = 0; tick < 40; tick++) await undefined;
}

/** Chooses one of so many ways to go on. */
export type Choose = (ways: number) => number;

/**
 * Processes over one table, of which only one request at a time is carried out: which, is chosen. A write may also be
 * given up by its process, or sent again by the SDK, while the first request is still on its way: it arrives at any
 * later moment, at the latest at the end.
 */
export async function interleave(
  memory: MemoryTable,
  processes: readonly Process[],
  { switches, errors }: Budget,
  choose: Choose,
): Promise<void> {
  const pending: Pending[] = [];
  const onTheWay: Pending[] = [];
  let [running, switchesLeft, errorsLeft] = [0, switches, errors];
  let current = '';
  const failures: unknown[] = [];

  const tableFor = (process: string, isDirect = false): TableWriter => {
    const send = <Result>(deliver: (isRepeat: boolean) => Result, isWrite = true): Promise<Result> =>
      new Promise((resolve, reject) => {
        if (isDirect) return resolve(deliver(false));
        const resolveUnknown = resolve as (value: unknown) => void;
        pending.push({ process, isWrite, deliver, resolve: resolveUnknown, reject, isRepeat: false });
      });
    const unused = () => Promise.reject(new Error('not in this model'));
    return {
      meter: new Meter(),
      get: (key, { abandoned = false } = {}) =>
        send(() => {
          const item = memory.get(key);
          return item && (abandoned || !('Z' in item)) ? item : undefined;
        }, false),
      commit(all, { provable = false } = {}) {
        const changes = partChanges(all).transaction;
        const [only] = changes;
        if (changes.length === 1 && only && 'put' in only) return send(putter(memory, only, provable));
        // A transaction has a token: it is made once, however often it arrives.
        let isMade = false;
        return send(() => {
          if (!isMade) memory.write(changes);
          isMade = true;
        });
      },
      update: (change) =>
        send(() => {
          memory.write([change]);
          return memory.get(change.update) as Item;
        }),
      getMany: unused,
      query: unused,
      putMany: unused,
      writeCursor: unused,
    };
  };
  const start = ({ name, run }: Process): void => {
    running++;
    run(tableFor(name), tableFor(name, true))
      .catch((error: unknown) => failures.push(error))
      .finally(() => running--);
  };
  const take = (list: Pending[], one: Pending): void => void list.splice(list.indexOf(one), 1);
  const arrive = (one: Pending): void => {
    take(onTheWay, one);
    try {
      one.deliver(one.isRepeat);
    } catch (error) {
      if (!(error instanceof StoreConflict || error instanceof StoreUnavailable)) throw error;
    }
  };
  const carryOut = (one: Pending): void => {
    take(pending, one);
    try {
      one.resolve(one.deliver(one.isRepeat));
    } catch (error) {
      one.reject(error);
    }
  };

  const last = processes.filter(({ isLast }) => isLast);
  const faulty = new Set(processes.flatMap(({ name, isFaulty }) => (isFaulty ? [name] : [])));
  for (const process of processes) if (!process.isLast) start(process);
  for (;;) {
    await settle();
    if (!running && last.length) {
      for (const process of last.splice(0)) start(process);
      continue;
    }
    if (!running) break;
    const own = pending.filter(({ process }) => process === current);
    const others = own.length && !switchesLeft ? [] : pending.filter(({ process }) => process !== current);
    const ways = [...own, ...others].flatMap((one) => {
      const go = (step: () => void) => () => {
        if (own.length && one.process !== current) switchesLeft--;
        current = one.process;
        step();
      };
      const delay = (step: () => void) =>
        go(() => {
          errorsLeft--;
          onTheWay.push({ ...one });
          step();
        });
      const giveUp = () => {
        take(pending, one);
        one.reject(new StoreUnavailable('The table did not answer in time.'));
      };
      const canFail = one.isWrite && errorsLeft > 0 && faulty.has(one.process);
      return [
        go(() => carryOut(one)),
        ...(canFail ? [delay(giveUp), ...(one.isRepeat ? [] : [delay(() => (one.isRepeat = true))])] : []),
      ];
    });
    ways.push(...onTheWay.map((one) => () => arrive(one)));
    const way = ways[choose(ways.length)];
    if (!way) throw new Error('a process waits for something else than the table');
    way();
  }
  while (onTheWay[0]) arrive(onTheWay[0]);
  if (failures.length) throw failures[0];
}

/** A single put, as the client makes it: repeated by the SDK it finds its own write mark. */
function putter(memory: MemoryTable, change: Extract<TransactionChange, { put: Item }>, provable: boolean) {
  const put: Item = { ...change.put, W: memory.nextWrite() };
  return (isRepeat: boolean): void => {
    try {
      memory.write([{ ...change, put }]);
    } catch (error) {
      const stored = memory.get(put);
      if (!isRepeat) throw error;
      if (stored?.['W'] === put['W']) return;
      if (!provable && Number(stored?.['V']) > Number(put['V'])) throw new StoreUnavailable('A later version exists.');
      throw error;
    }
  };
}

/** Every sequence of choices, one after another; gives how many there were. */
export async function enumerateChoices(play: (choose: Choose) => Promise<void>): Promise<number> {
  let choices: { way: number; ways: number }[] = [];
  for (let count = 1; ; count++) {
    let step = 0;
    await play((ways) => {
      const choice = (choices[step] ??= { way: 0, ways });
      step++;
      return choice.way;
    });
    while (choices.at(-1)?.way === (choices.at(-1)?.ways ?? 0) - 1) choices = choices.slice(0, -1);
    const deepest = choices.at(-1);
    if (!deepest) return count;
    deepest.way++;
  }
}
