import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { accountOf, entityOf } from '../../lib/events/change.ts';
import { openTable, type TableWriter } from '../../lib/store/client.ts';
import { StoreConflict, StoreUnavailable } from '../../lib/store/errors.ts';
import { queueNextVisits } from '../../lib/store/visits.ts';
import { deadlineOf, ended, type Failed, type WorkerContext } from './batch.ts';

const LONGEST_WAIT = 1_000;
const wait = (attempt: number) =>
  new Promise((done) => setTimeout(done, Math.random() * Math.min(LONGEST_WAIT, 10 * 2 ** attempt)));
const passing = (error: unknown): boolean => error instanceof StoreConflict || error instanceof StoreUnavailable;

/** A proposal with visits to be queued, and the place of the first record that tells of it. */
interface Waiting {
  readonly index: number;
  readonly account: string;
  readonly id: number;
}

/** The proposals of a batch that had visits to be queued, each once, in order; up to a record that cannot be read. */
function waitingIn(records: readonly DynamoDBRecord[]): { waiting: Waiting[]; failed: Failed | undefined } {
  const found = new Map<string, Waiting>();
  for (const [index, record] of records.entries()) {
    const image = record.dynamodb?.NewImage;
    if (entityOf(record) !== 'Proposal' || !(Number(image?.['VisitsToQueue']?.N) > 0)) continue;
    try {
      const account = accountOf(record);
      const id = Number(image?.['Id']?.N);
      if (!Number.isInteger(id)) throw new TypeError('a stream record of a proposal without a whole Id');
      const name = `${account}#${id}`;
      if (!found.has(name)) found.set(name, { index, account, id });
    } catch (error) {
      return { waiting: [...found.values()], failed: { index, error } };
    }
  }
  return { waiting: [...found.values()], failed: undefined };
}

/**
 * Queues the visits of a proposal until none is left. Out of time it stops: what it has queued changed the proposal, and
 * that change brings it here again. Throws where it could queue none.
 */
async function queueAll(table: TableWriter, { account, id }: Waiting, now: Date, deadline: number): Promise<number> {
  let queued = 0;
  for (let failures = 0; ; ) {
    try {
      const done = await queueNextVisits(table, account, id, now);
      queued += done.queued;
      if (done.left === 0 || Date.now() > deadline) return queued;
    } catch (error) {
      if (!passing(error) || (Date.now() > deadline && queued === 0)) throw error;
      if (Date.now() > deadline) return queued;
      await wait(failures++);
    }
  }
}

/**
 * Makes the visits of accepted subscriptions queued appointments: those that acceptance itself has no room for in its
 * transaction. How far it is stands in the proposal (VisitsToQueue), so that records may come twice, late, to several
 * workers at once, or after one that was killed.
 */
export async function handler({ Records }: DynamoDBStreamEvent, context?: WorkerContext): Promise<DynamoDBBatchResponse> {
  const now = new Date();
  const deadline = deadlineOf(now, context);
  const table = openTable();
  const { waiting, failed } = waitingIn(Records);
  const failures: Failed[] = failed ? [failed] : [];
  let queued = 0;
  for (const proposal of waiting) {
    try {
      queued += await queueAll(table, proposal, now, deadline);
    } catch (error) {
      failures.push({ index: proposal.index, error });
      break;
    }
  }
  return ended(Records, failures, { worker: 'visits', now, queued, usage: table.meter.usage });
}
