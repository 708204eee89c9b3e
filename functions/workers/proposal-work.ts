import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type FailedRecord, type WorkerContext, batchResult, workerDeadline } from '../../lib/api/worker.ts';
import { changeAccount, entityKindOf, isExpiry } from '../../lib/events/change.ts';
import { type TableWriter, openTable } from '../../lib/store/dynamodb/client.ts';
import { StoreConflict, StoreUnavailable } from '../../lib/store/dynamodb/errors.ts';
import { layout } from '../../lib/store/keys.ts';
import { expireProposal } from '../../lib/workflows/proposals/expire-proposal.ts';
import { queueNextVisits } from '../../lib/workflows/proposals/queue-visits.ts';

const LONGEST_WAIT = 1_000;
const wait = (attempt: number) =>
  new Promise((done) => setTimeout(done, Math.random() * Math.min(LONGEST_WAIT, 10 * 2 ** attempt)));
const passing = (error: unknown): boolean => error instanceof StoreConflict || error instanceof StoreUnavailable;

/** What a step of a worker's task has done, and how much is left. */
interface Step {
  readonly queued: number;
  readonly left: number;
}

/** What may be due of a proposal, a step at a time; each may be taken twice, late, and by several workers at once. */
const tasks = {
  visits: queueNextVisits,
  async expiry(table: TableWriter, account: string, id: number, now: Date): Promise<Step> {
    return { queued: (await expireProposal(table, account, id, now)) ? 1 : 0, left: 0 };
  },
};
type Task = keyof typeof tasks;

/** Something due, and the place of the first record that tells of it. */
interface Due {
  readonly index: number;
  readonly task: Task;
  readonly account: string;
  readonly id: number;
}

/** What a record makes due: visits to be queued, or the expiry of what the table has removed at its time. */
function taskOf(record: DynamoDBRecord): Task | undefined {
  const { Keys, NewImage } = record.dynamodb ?? {};
  if (isExpiry(record)) return Keys?.['SK']?.S === layout.proposalExpiry.sort ? 'expiry' : undefined;
  return entityKindOf(record) === 'Proposal' && Number(NewImage?.['VisitsToQueue']?.N) > 0 ? 'visits' : undefined;
}

/** What a batch makes due, each once, in order; up to a record that cannot be read. */
function dueIn(records: readonly DynamoDBRecord[]): { due: Due[]; failed: FailedRecord | undefined } {
  const found = new Map<string, Due>();
  for (const [index, record] of records.entries()) {
    const task = taskOf(record);
    if (!task) continue;
    try {
      const account = changeAccount(record);
      const id = Number((record.dynamodb?.NewImage ?? record.dynamodb?.OldImage)?.['Id']?.N);
      if (!Number.isInteger(id)) throw new TypeError('a stream record of a proposal without a whole Id');
      const name = `${task}#${account}#${id}`;
      if (!found.has(name)) found.set(name, { index, task, account, id });
    } catch (error) {
      return { due: [...found.values()], failed: { index, error } };
    }
  }
  return { due: [...found.values()], failed: undefined };
}

/**
 * Does what is due of a proposal until nothing of it is left. Out of time it stops: what it has queued changed the
 * proposal, and that change brings it here again. Throws where it could do nothing.
 */
async function doAll(table: TableWriter, { task, account, id }: Due, now: Date, deadline: number): Promise<number> {
  let queued = 0;
  for (let failures = 0; ;) {
    try {
      const done = await tasks[task](table, account, id, now);
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
 * What time and acceptance bring about of proposals by themselves: the visits of accepted subscriptions become queued
 * appointments, those that acceptance itself has no room for in its transaction, and open ones whose time is over
 * become Expired. How far it is stands in the proposal, so that records may come twice, late, to several workers at
 * once, or after one that was killed.
 */
export async function handler(
  { Records }: DynamoDBStreamEvent,
  context?: WorkerContext,
): Promise<DynamoDBBatchResponse> {
  const now = new Date();
  const deadline = workerDeadline(now, context);
  const table = openTable();
  const { due, failed } = dueIn(Records);
  const failures: FailedRecord[] = failed ? [failed] : [];
  let queued = 0;
  for (const each of due) {
    try {
      queued += await doAll(table, each, now, deadline);
    } catch (error) {
      failures.push({ index: each.index, error });
      break;
    }
  }
  return batchResult(Records, failures, { worker: 'proposal-work', now, queued, usage: table.meter.usage });
}
