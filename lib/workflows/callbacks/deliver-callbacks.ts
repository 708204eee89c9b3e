import type { QueueMessage, QueueOutcome } from '../../shared/queues.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';

/** Messages without an item have no work left: nothing writes callbacks yet. */
export async function deliverCallbacks(table: TableReader, messages: readonly QueueMessage[]): Promise<QueueOutcome> {
  const items = await table.getMany(messages.map(({ PK, SK }) => ({ PK, SK })));
  return { done: messages.length - items.length, failures: [] };
}
