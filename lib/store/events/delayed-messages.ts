import { delayedMessageEntity } from '../../entities/webhooks.ts';
import type { QueueMessage, QueueName } from '../../shared/queues.ts';
import { sortable, accountOfKey, type Key, layout } from '../keys.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../dynamodb/table.ts';
import { hashChange } from './event-sequence.ts';

/** A message that is sent to its queue at `at`, milliseconds since 1970, because SQS delays by 15 minutes at most. */
export interface DelayedMessage {
  readonly queue: QueueName;
  readonly message: QueueMessage;
  readonly at: number;
}

/** By the key of the message: 8 partitions, each of which takes 1,000 messages per second. */
export const MESSAGE_SHARDS = 8;

const PAGE = 100;

function toItem({ queue, message, at }: DelayedMessage): Item {
  const { PK, SK } = message;
  const text = `${PK}#${SK}`;
  const shard = hashChange(text) % MESSAGE_SHARDS;
  return {
    ...layout.delayedMessage.key({ shard, at: sortable(at), message: text }),
    Account: accountOfKey(message),
    To: queue,
    Message: { PK, SK },
    At: at,
  };
}

/** The change that schedules a message for later. */
export const delayedMessageChange = (delayed: DelayedMessage): Change => ({ put: toItem(delayed) });

/**
 * The change that sends a message at once, to arrive `at`, by default now: the stream sends and removes it, and if that
 * is late, the schedule does.
 */
export const messageChange = (
  { at, ...message }: Omit<DelayedMessage, 'at'> & { readonly at?: number },
  now: Date,
): Change => ({ put: { ...toItem({ ...message, at: at ?? now.getTime() }), Queue: message.queue } });

/** Schedules messages for later. Safe to repeat: the same message at the same time is the same item. */
export const writeDelayedMessages = (table: TableWriter, messages: readonly DelayedMessage[]): Promise<void> =>
  messages.length ? table.putMany(messages.map(toItem)) : Promise.resolve();

/** A message in the list. */
export type ListedMessage = DelayedMessage & { readonly key: Key };

/** A page of a shard's messages that are due through a moment, ordered by time. An empty one costs 0.5 RRU. */
export async function listDueMessages(
  table: TableReader,
  { shard, through, after }: { shard: number; through: number; after: string | undefined },
): Promise<{ messages: ListedMessage[]; next: string | undefined }> {
  const partition = layout.delayedMessage.of({ shard });
  const page = await table.query({ partition, to: `${sortable(through)}#\u{10FFFF}`, after, limit: PAGE });
  const messages = page.items.map((item) => {
    const { To, Message, At } = delayedMessageEntity.read(item);
    return { key: { PK: item.PK, SK: item.SK }, queue: To, message: Message, at: At };
  });
  return { messages, next: page.next };
}

/** Removes messages that were sent. Safe to repeat. */
export const writeMessageRemovals = (table: TableWriter, keys: readonly Key[]): Promise<void> =>
  keys.length ? table.putMany([], keys) : Promise.resolve();
