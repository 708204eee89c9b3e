import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { type WorkerContext, batchResult, workerDeadline } from '../../lib/api/worker.ts';
import { openTable } from '../../lib/store/dynamodb/client.ts';
import { queueEvents } from '../../lib/workflows/events/queue-events.ts';

/** Turns a batch of the table's stream into events of the accounts' queues, each change once. */
export async function handler(
  { Records }: DynamoDBStreamEvent,
  context?: WorkerContext,
): Promise<DynamoDBBatchResponse> {
  const now = new Date();
  const table = openTable();
  const result = await queueEvents(table, Records, { now, deadline: workerDeadline(now, context) });
  return batchResult(Records, result, { worker: 'event-queue', now, usage: table.meter.usage });
}
