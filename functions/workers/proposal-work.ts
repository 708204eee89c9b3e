import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { type WorkerContext, batchResult, workerDeadline } from '../../lib/api/worker.ts';
import { openTable } from '../../lib/store/dynamodb/client.ts';
import { runProposalTasks } from '../../lib/workflows/proposals/proposal-tasks.ts';

/** Queues visits of accepted subscriptions and expires open proposals whose time is over. */
export async function handler(
  { Records }: DynamoDBStreamEvent,
  context?: WorkerContext,
): Promise<DynamoDBBatchResponse> {
  const now = new Date();
  const table = openTable();
  const result = await runProposalTasks(table, Records, { now, deadline: workerDeadline(now, context) });
  return batchResult(Records, result, { worker: 'proposal-work', now, usage: table.meter.usage });
}
