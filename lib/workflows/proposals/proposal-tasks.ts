import { ProposalStatus, statusAt } from '../../domain/proposals/status.ts';
import { scheduleVisits } from '../../domain/subscriptions/visits.ts';
import { type StreamRecord, changeAccount, entityKindOf, isExpiry } from '../../events/change.ts';
import { type BatchOptions, type BatchOutcome, convertRecords } from '../../shared/batch.ts';
import { InternalError } from '../../shared/internal-error.ts';
import { retry } from '../../shared/retry.ts';
import { contactSummaryChanges } from '../../store/contact-summary.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { isTransient } from '../../store/dynamodb/errors.ts';
import { retryOnConflict } from '../../store/dynamodb/retry.ts';
import { layout } from '../../store/keys.ts';
import { findProposal, proposalWithParentChanges } from '../../store/proposals.ts';
import { queueVisits } from './queue-visits.ts';

interface Progress {
  readonly queued: number;
  /** How many remain to be queued. */
  readonly left: number;
}

/** One step of each task. A step may run twice, late, and in several workers at once. */
const steps = { visits: queueNextVisits, expiry: expireProposal };

interface ProposalTask {
  readonly index: number;
  readonly step: keyof typeof steps;
  readonly account: string;
  readonly id: number;
}

/**
 * Does what a batch of the stream requires of proposals: visits of accepted subscriptions that acceptance had no room
 * for in its transaction become queued appointments, and open proposals whose time is over become Expired. The progress
 * is stored in the proposal: records may come twice, late, to several workers at once, or after a worker was killed.
 */
export async function runProposalTasks(
  table: TableWriter,
  records: readonly StreamRecord[],
  options: BatchOptions,
): Promise<BatchOutcome> {
  const { converted, failures } = convertRecords(records, toTask);
  let queued = 0;
  for (const task of distinctTasks(converted)) {
    try {
      queued += await runTask(table, task, options);
    } catch (error) {
      return { queued, failures: [...failures, { index: task.index, error }] };
    }
  }
  return { queued, failures };
}

/** The stream has an expiry when the table removes the item that lives as long as the proposal is open. */
function requiredStep(record: StreamRecord): ProposalTask['step'] | undefined {
  const { Keys, NewImage } = record.dynamodb ?? {};
  if (isExpiry(record)) return Keys?.['SK']?.S === layout.proposalExpiry.sort ? 'expiry' : undefined;
  return entityKindOf(record) === 'Proposal' && Number(NewImage?.['VisitsToQueue']?.N) > 0 ? 'visits' : undefined;
}

function toTask(record: StreamRecord, index: number): ProposalTask | undefined {
  const step = requiredStep(record);
  if (!step) return undefined;
  const account = changeAccount(record);
  const id = Number((record.dynamodb?.NewImage ?? record.dynamodb?.OldImage)?.['Id']?.N);
  if (!Number.isInteger(id)) throw new InternalError('a stream record of a proposal without a whole Id');
  return { index, step, account, id };
}

/** Each task once, at its first record. */
const distinctTasks = (tasks: readonly ProposalTask[]): ProposalTask[] =>
  [...Map.groupBy(tasks, ({ step, account, id }) => `${step}#${account}#${id}`).values()].flatMap(
    ([task]) => task ?? [],
  );

/**
 * Runs a task until nothing is left. It stops at the deadline: what it queued changed the proposal, and that change
 * comes here again. Throws where it could do nothing.
 */
async function runTask(table: TableWriter, { step, account, id }: ProposalTask, { now, deadline }: BatchOptions) {
  let queued = 0;
  for (;;) {
    try {
      const progress = await retry(() => steps[step](table, account, id, now), { isTransient, deadline });
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

/**
 * Stores that a proposal has expired, removes it from its contact's open proposals and updates its parents. Writes at
 * once, for the worker. Safe to repeat: a proposal that is answered or open again does not change. Counts 1 if it
 * writes.
 */
function expireProposal(table: TableWriter, account: string, id: number, now: Date): Promise<Progress> {
  return retryOnConflict(async () => {
    const before = await findProposal(table, { accountId: account, organizationId: null }, id);
    const isExpired = before && statusAt(before, now.getTime()) === ProposalStatus.Expired;
    if (!isExpired || before.Status === ProposalStatus.Expired) return { queued: 0, left: 0 };
    const after = { ...before, Status: ProposalStatus.Expired };
    const { changes, contactSummary } = await proposalWithParentChanges(table, account, { before, after, now });
    // A change between its expiry and now may have left it in the list; removing it twice is harmless.
    const proposals = { ...contactSummary.proposals, [id]: undefined };
    await table.commit([...changes, ...contactSummaryChanges(account, before.ContactId, { proposals }, now)]);
    return { queued: 1, left: 0 };
  });
}
