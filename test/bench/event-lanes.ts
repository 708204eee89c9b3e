import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { streamWorkers } from '../../functions/workers/index.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { findQueue, listChangeNames } from '../../lib/store/events/events.ts';
import { startTable } from '../support/stack/engine.ts';
import type { LaneMessage, LaneResult } from './event-lane.ts';
import { type ShardOfRun, laneChanges } from './event-records.ts';
import { median, printTable } from './table.ts';
import { accountStore } from '../../lib/store/store.ts';

const SHARDS = [1, 2, 4, 20];
const ROUNDS = 3;
/** Full batches for each of 20 shards. */
const CHANGES = 20 * 2 * streamWorkers['event-queue'].stream.batchSize;

/** What a run may take; before turns and lists of blocks, one shard took 0.21 requests and 1.2 read units an event. */
const LIMITS = {
  oneShard: { requests: 0.06, readUnits: 0.15, writeUnits: 2.05 },
  severalShards: { requests: 0.18, readUnits: 0.6, writeUnits: 2.05 },
  /** The rate with several shards, of that with one. */
  rate: 0.95,
  /** Of all transactions. */
  lost: 0.05,
};

async function request(lane: ChildProcess, message: ShardOfRun | 'go'): Promise<LaneMessage> {
  const answer = once(lane, 'message');
  lane.send(message);
  return ((await answer) as [LaneMessage])[0];
}

interface Run {
  readonly shards: number;
  /** Milliseconds from one transaction of the account to the next one, the median. */
  readonly turn: number;
  /** Events a second over the whole run. */
  readonly rate: number;
  /** By event. */
  readonly requests: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Transactions, changes and batches. */
  readonly lost: number;
  readonly putAside: number;
  readonly failures: number;
  /** What is wrong with the queue. */
  readonly errors: readonly string[];
}

let runs = 0;

async function runLanes(lanes: readonly ChildProcess[]): Promise<Run> {
  const shards = lanes.length;
  const run = { account: `lanes${++runs}`, shards, changes: CHANGES, second: Math.floor(Date.now() / 1_000) };
  await Promise.all(lanes.map((lane, shard) => request(lane, { ...run, shard })));
  const results = (await Promise.all(lanes.map((lane) => request(lane, 'go')))) as LaneResult[];
  const sum = (figure: Exclude<keyof LaneResult, 'committedAt'>) =>
    results.reduce((total, result) => total + result[figure], 0);
  const moments = results.flatMap(({ committedAt }) => committedAt).sort((one, other) => one - other);
  const startedAt = Math.min(...results.map((result) => result.startedAt));
  return {
    shards,
    turn: median(moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0))),
    rate: (1_000 * sum('queued')) / ((moments.at(-1) ?? 0) - startedAt),
    requests: sum('requests') / CHANGES,
    readUnits: sum('readUnits') / CHANGES,
    writeUnits: sum('writeUnits') / CHANGES,
    lost: sum('lost'),
    putAside: sum('putAside'),
    failures: sum('failures'),
    errors: await findErrors(run.account),
  };
}

/** Whether ids have no gap, each change is one event, and those of a record are in order. */
async function findErrors(account: string): Promise<string[]> {
  const table = openTable();
  const { last } = await findQueue(accountStore(table, account), 'bench', new Date());
  const names = (await listChangeNames(accountStore(table, account), 1, last)).map(({ name }) => name);
  const places = new Map(names.map((name, place) => [name, place]));
  const expected = laneChanges(CHANGES);
  const errors: string[] = [];
  if (last !== CHANGES || names.length !== CHANGES) errors.push(`${names.length} events with ids up to ${last}`);
  const missing = expected.filter((name) => !places.has(name));
  if (missing.length) errors.push(`${missing.length} changes without event, such as ${missing[0]}`);
  // The second version of a contact follows the first.
  const placeOf = (index: number) => places.get(expected[index] ?? '') ?? 0;
  const early = expected.filter((_, index) => index % 2 === 1 && placeOf(index) < placeOf(index - 1));
  if (early.length) errors.push(`${early.length} events before the one of the version before, such as ${early[0]}`);
  return errors;
}

/** What the runs of a number of shards have over the limits. */
function excesses(run: Omit<Run, 'errors'>, oneShard: Pick<Run, 'turn'>): string[] {
  const { shards, turn, requests, readUnits, writeUnits, lost, putAside, failures } = run;
  const limits = shards === 1 ? LIMITS.oneShard : LIMITS.severalShards;
  const transactions = CHANGES / streamWorkers['event-queue'].stream.batchSize;
  return Object.entries({
    rate: oneShard.turn / turn < LIMITS.rate,
    requests: requests > limits.requests,
    'read units': readUnits > limits.readUnits,
    'write units': writeUnits > limits.writeUnits,
    'lost transactions': lost > LIMITS.lost * transactions,
    'put aside': putAside > 0,
    'reported batches': failures > 0,
  }).flatMap(([name, isOver]) => (isOver ? [`${shards} shards: ${name}`] : []));
}

/**
 * Events of one account whose changes come in several shards, each with a worker in a process of its own. The rate is
 * that of the median time from one transaction to the next one: the engine and 20 workers share the processors here,
 * and a moment in which all of them wait says nothing of a lane. Numbers of shards take turns.
 */
export async function eventLanes(): Promise<boolean> {
  const engine = await startTable({ stream: false });
  const lanes = Array.from({ length: Math.max(...SHARDS) }, () => fork(join(import.meta.dirname, 'event-lane.ts')));
  const all: Run[] = [];
  try {
    // The code of a lane that has handled nothing is not compiled yet.
    await runLanes(lanes);
    for (let round = 0; round < ROUNDS; round++)
      for (const shards of SHARDS) all.push(await runLanes(lanes.slice(0, shards)));
  } finally {
    for (const lane of lanes) lane.disconnect();
    await engine.stop();
  }
  const figures = SHARDS.map((shards) => {
    const ofShards = all.filter((run) => run.shards === shards);
    const middle = (figure: Exclude<keyof Run, 'errors'>) => median(ofShards.map((run) => run[figure]));
    const max = (figure: Exclude<keyof Run, 'errors'>) => Math.max(...ofShards.map((run) => run[figure]));
    return {
      shards,
      turn: middle('turn'),
      rate: middle('rate'),
      requests: middle('requests'),
      readUnits: middle('readUnits'),
      writeUnits: middle('writeUnits'),
      lost: middle('lost'),
      putAside: max('putAside'),
      failures: max('failures'),
    };
  });
  printTable(
    ['shards', 'ms a turn', 'events/s', 'whole run', 'requests/event', 'RRU', 'WRU', 'lost', 'put aside'],
    figures.map(({ shards, turn, rate, requests, readUnits, writeUnits, lost, putAside }) => [
      String(shards),
      Math.round(turn),
      Math.round((1_000 * streamWorkers['event-queue'].stream.batchSize) / turn),
      Math.round(rate),
      requests.toFixed(3),
      readUnits.toFixed(2),
      writeUnits.toFixed(2),
      lost,
      putAside,
    ]),
  );
  const [oneShard = { turn: 0 }] = figures;
  const problems = [
    ...all.flatMap(({ shards, errors }) => errors.map((error) => `${shards} shards: ${error}`)),
    ...figures.flatMap((run) => excesses(run, oneShard)),
  ];
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  return problems.length === 0;
}
