import { type StreamRecord, isExpiry } from '../../events/change.ts';
import type { BatchOptions, BatchOutcome } from '../../shared/batch.ts';
import type { OutgoingMessage, QueueName, SendMessages } from '../../shared/queues.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import { writeDelayedMessages } from '../../store/events/delayed-messages.ts';

/**
 * Hands new items with the attribute Queue to that queue, or the item that they name, for a batch of the stream.
 * Messages that SQS does not take are kept in the table for the next minute, so that the batch is not held up while SQS
 * is away. Safe to repeat: a worker finds in the item whether its work is done.
 */
export async function handOver(
  table: TableWriter,
  records: readonly StreamRecord[],
  { now }: Pick<BatchOptions, 'now'>,
  send: SendMessages,
): Promise<BatchOutcome> {
  const found = records.flatMap((record, index) => toMessage(record, index) ?? []);
  const nothingParked = { parked: [], putAside: 0 };
  if (!found.length) return { queued: 0, failures: [], ...nothingParked };
  const unsent = await send(found.map(({ outgoing }) => outgoing));
  try {
    await writeDelayedMessages(
      table,
      unsent.map(({ queue, message }) => ({ queue, message, at: now.getTime() })),
    );
  } catch (error) {
    return { queued: 0, failures: [{ index: found[0]?.index ?? 0, error }], ...nothingParked };
  }
  return { queued: found.length, failures: [], ...nothingParked };
}

function toMessage(record: StreamRecord, index: number): { index: number; outgoing: OutgoingMessage } | undefined {
  const { NewImage, OldImage, Keys } = record.dynamodb ?? {};
  const queue = NewImage?.['Queue']?.S as QueueName | undefined;
  const key = NewImage?.['Message']?.M ?? Keys;
  const [PK, SK] = [key?.['PK']?.S, key?.['SK']?.S];
  if (!queue || OldImage || isExpiry(record) || !PK || !SK) return undefined;
  return { index, outgoing: { queue, message: { PK, SK } } };
}
