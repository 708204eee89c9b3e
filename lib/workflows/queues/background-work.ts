import type { StreamRecord } from '../../events/change.ts';
import type { BatchOptions, BatchOutcome } from '../../shared/batch.ts';
import type { SendMessages } from '../../shared/queues.ts';
import type { PatientTable } from '../../store/dynamodb/client.ts';
import { runProposalTasks } from '../proposals/proposal-tasks.ts';
import { handOver } from './hand-over.ts';

/** All that follows from changes beside their events, for a batch of the stream. Neither part waits for the other. */
export async function runBackgroundWork(
  table: PatientTable,
  records: readonly StreamRecord[],
  options: BatchOptions,
  send: SendMessages,
): Promise<BatchOutcome> {
  const outcomes = await Promise.all([
    runProposalTasks(table, records, options),
    handOver(table, records, options, send),
  ]);
  return {
    queued: outcomes.reduce((sum, { queued }) => sum + queued, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
    parked: outcomes.flatMap(({ parked }) => parked),
    putAside: 0,
  };
}
