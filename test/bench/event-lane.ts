/**
 * The worker of one shard in a process of its own, as on AWS. It handles its records of a run in batches; each request
 * takes some milliseconds more, as one to DynamoDB does. test/bench/event-lanes.ts starts it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { streamWorkers } from '../../functions/workers/index.ts';
import type { StreamRecord } from '../../lib/events/change.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { documentClient } from '../../lib/store/dynamodb/client.ts';
import { queueEvents } from '../../lib/workflows/events/queue-events.ts';
import { type ShardOfRun, laneRecords } from './event-records.ts';

/** What a lane did in a run. */
export interface LaneResult {
  readonly startedAt: number;
  /** When its transactions were made, in milliseconds since 1970. */
  readonly committedAt: readonly number[];
  readonly batches: number;
  readonly requests: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Transactions that the table refused, because another lane was first. */
  readonly lost: number;
  readonly queued: number;
  readonly putAside: number;
  /** Batches that were reported, to be delivered again. */
  readonly failures: number;
}

export type LaneMessage = 'ready' | LaneResult;

/** What a request takes on its way to DynamoDB and back. The engine's own time comes on top. */
const LATENCY = 10;
const INVOCATION = 55_000;

let requests = 0;
let lost = 0;
let committedAt: number[] = [];

const clock = () => performance.timeOrigin + performance.now();

documentClient().middlewareStack.add(
  (next) => async (input) => {
    requests++;
    await pause(LATENCY);
    return next(input);
  },
  { step: 'deserialize', name: 'latency' },
);
documentClient().middlewareStack.add(
  (next, { commandName }) =>
    async (input) => {
      try {
        const answer = await next(input);
        if (commandName === 'TransactWriteItemsCommand') committedAt.push(clock());
        return answer;
      } catch (error) {
        if (error instanceof Error && error.name === 'TransactionCanceledException') lost++;
        throw error;
      }
    },
  { step: 'initialize', name: 'transactions' },
);

async function handleAll(records: readonly StreamRecord[]): Promise<LaneResult> {
  [requests, lost, committedAt] = [0, 0, []];
  const total = { batches: 0, readUnits: 0, writeUnits: 0, queued: 0, putAside: 0, failures: 0 };
  const { batchSize } = streamWorkers['event-queue'].stream;
  const startedAt = clock();
  for (let start = 0; start < records.length; total.batches++) {
    const batch = records.slice(start, start + batchSize);
    const now = new Date();
    const deadline = now.getTime() + INVOCATION;
    const table = openTable({ deadline });
    const { queued, putAside, failures } = await queueEvents(table, batch, { now, deadline });
    total.readUnits += table.meter.usage.readUnits;
    total.writeUnits += table.meter.usage.writeUnits;
    total.queued += queued;
    total.putAside += putAside;
    total.failures += failures.length;
    start += Math.min(batch.length, ...failures.map(({ index }) => index));
  }
  return { startedAt, committedAt, requests, lost, ...total };
}

const send = (message: LaneMessage) => process.send?.(message);

let records: readonly StreamRecord[] = [];
process.on('disconnect', () => process.exit());
process.on('message', (message: ShardOfRun | 'go') => {
  if (message === 'go') void handleAll(records).then(send);
  else {
    records = laneRecords(message);
    send('ready');
  }
});
