import { scheduleVisits } from '../../domain/subscriptions/visits.ts';
import { type StreamRecord, changeAccount, entityKindOf, recordActor } from '../../events/change.ts';
import { type BatchOptions, type BatchOutcome, type FailedRecord, convertRecords } from '../../shared/batch.ts';
import { InternalError } from '../../shared/failure.ts';
import { retry } from '../../shared/promises.ts';
import { type TableWriter, asActor } from '../../store/dynamodb/table.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { isTransient, mayRecover, retryOnConflict } from '../../store/dynamodb/errors.ts';
import { layout } from '../../store/keys.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import { parkRecord } from '../parked-records.ts';
import { queueVisits } from './accept-proposal.ts';

interface Progress {
  readonly queued: number;
  /** How many remain to be queued. */
  readonly left: number;
}

interface ProposalTask {
  readonly index: number;
  readonly account: string;
  readonly id: number;
  /** Of the call that the work follows from. */
  readonly requestId: string | undefined;
}

/**
 * Queues the visits of accepted subscriptions that acceptance had no room for in its transaction, for a batch of the
 * stream. The progress is stored in the proposal: records may come twice, late, to several workers at once, or after a
 * worker was killed. A proposal whose visits cannot be made is parked.
 */
export async function runProposalTasks(
  table: TableWriter,
  records: readonly StreamRecord[],
  options: BatchOptions,
): Promise<BatchOutcome> {
  const { converted, poison } = convertRecords(records, toTask);
  const parked: FailedRecord[] = [];
  const park = async (failed: FailedRecord) => {
    await parkRecord('background-work', records[failed.index] as StreamRecord, failed.error, options.now);
    parked.push(failed);
  };
  let queued = 0;
  let index = 0;
  try {
    for (const failed of poison) {
      index = failed.index;
      await park(failed);
    }
    for (const task of distinctTasks(converted)) {
      index = task.index;
      try {
        queued += await runTask(table, task, options);
      } catch (error) {
        if (isTransient(error) || mayRecover(error)) throw error;
        await park({ index, error });
      }
    }
  } catch (error) {
    return { queued, parked, putAside: 0, failures: [{ index, error }] };
  }
  return { queued, parked, putAside: 0, failures: [] };
}

function toTask(record: StreamRecord, index: number): ProposalTask | undefined {
  const image = record.dynamodb?.NewImage;
  if (entityKindOf(record) !== 'Proposal' || !(Number(image?.['VisitsToQueue']?.N) > 0)) return undefined;
  const account = changeAccount(record);
  const id = Number(image?.['Id']?.N);
  if (!Number.isInteger(id)) throw new InternalError('a stream record of a proposal without a whole Id');
  return { index, account, id, requestId: recordActor(record)?.RequestId };
}

/** Each proposal once, at its first record. */
const distinctTasks = (tasks: readonly ProposalTask[]): ProposalTask[] =>
  [...Map.groupBy(tasks, ({ account, id }) => `${account}#${id}`).values()].flatMap(([task]) => task ?? []);

/**
 * Queues visits until none is left. It stops at the deadline: what it queued changed the proposal, and that change
 * comes here again. Throws where it could do nothing.
 */
async function runTask(worker: TableWriter, task: ProposalTask, { now, deadline }: BatchOptions) {
  const { account, id, requestId } = task;
  const table = requestId ? asActor(worker, { Key: '', Name: 'background-work', RequestId: requestId }) : worker;
  let queued = 0;
  for (;;) {
    try {
      const progress = await retry(() => queueNextVisits(table, account, id, now), { isTransient, deadline });
      queued += progress.queued;
      if (progress.left === 0 || Date.now() > deadline) return queued;
    } catch (error) {
      if (!isTransient(error) || queued === 0) throw error;
      return queued;
    }
  }
}

/**
 * Queues the next visits of an accepted proposal, as many as one transaction takes. Writes at once, for the worker.
 * Safe to repeat, also concurrently: the same transaction lowers VisitsToQueue of the version that was read, and each
 * visit becomes one appointment.
 */
function queueNextVisits(table: TableWriter, account: string, id: number, now: Date): Promise<Progress> {
  const key = layout.proposal.key({ account, id });
  return retryOnConflict(async () => {
    const proposal = await findProposal(table, { accountId: account, organizationId: null }, id);
    if (!proposal || proposal.VisitsToQueue < 1) return { queued: 0, left: 0 };
    const { VisitsToQueue, V } = proposal;
    const from = scheduleVisits(proposal).length - VisitsToQueue;
    if (from < 0) throw new InternalError(`proposal ${id} has fewer visits than VisitsToQueue`);
    const { changes, queued, left } = await queueVisits(table, account, proposal, from, now);
    const progress: Change = { update: key, set: { VisitsToQueue: left }, add: { V: 1 }, if: { equals: { V } } };
    await table.commit([progress, ...changes]);
    return { queued, left };
  });
}
