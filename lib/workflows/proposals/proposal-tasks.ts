import { scheduleVisits } from '../../domain/subscriptions/visits.ts';
import type { StreamRecord } from '../../events/change.ts';
import type { BatchOptions, BatchOutcome, Progress } from '../../shared/batch.ts';
import { InternalError } from '../../shared/failure.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import { layout } from '../../store/keys.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import { findSoldSeries } from '../../store/series.ts';
import { runStreamTasks, workOff } from '../queues/stream-tasks.ts';
import { queueVisits } from './accept-proposal.ts';
import type { StoreWriter } from '../../store/store.ts';

/**
 * Queues the visits of accepted subscriptions that did not fit into the transaction of the acceptance, for a batch of
 * the stream. The progress is stored in the proposal. A proposal whose visits cannot be made is parked.
 */
export const runProposalTasks = (
  table: TableWriter,
  records: readonly StreamRecord[],
  options: BatchOptions,
): Promise<BatchOutcome> =>
  runStreamTasks(table, records, options, {
    entity: 'Proposal',
    isDue: (image) => Number(image['VisitsToQueue']?.N) > 0,
    run: (store, id) => workOff(() => queueNextVisits(store, id, options.now), options),
  });

/**
 * Queues the next visits of an accepted proposal, as many as one transaction takes. Writes at once, for the worker.
 * Safe to repeat, also concurrently: the same transaction lowers VisitsToQueue and requires the version that was read,
 * and each visit becomes one appointment.
 */
function queueNextVisits(store: StoreWriter, id: number, now: Date): Promise<Progress> {
  const { account, table } = store;
  const key = layout.proposal.key({ account, id });
  return retryOnConflict(async () => {
    const [proposal, series] = await Promise.all([findProposal(store, id), findSoldSeries(store, id)]);
    if (!proposal || proposal.VisitsToQueue < 1) return { queued: 0, left: 0 };
    const { VisitsToQueue, V } = proposal;
    const from = scheduleVisits(proposal).length - VisitsToQueue;
    if (from < 0) throw new InternalError(`proposal ${id} has fewer visits than VisitsToQueue`);
    const { changes, queued, left } = await queueVisits(store, { proposal, series, from }, now);
    const progress: Change = { update: key, set: { VisitsToQueue: left }, add: { V: 1 }, if: { equals: { V } } };
    await table.commit([progress, ...changes]);
    return { queued, left };
  });
}
