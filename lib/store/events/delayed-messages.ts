import { delayedMessageEntity } from '../../entities/webhooks.ts';
import type { QueueMessage, QueueName } from '../../shared/queues.ts';
import { sortable, accountOfKey, type Key, layout } from '../keys.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../dynamodb/table.ts';
import { hashChange } from './event-sequence.ts';

/** A message that is sent to its queue at `at`, milliseconds since 1970: SQS delays by 15 minutes at most. */
export interface DelayedMessage {
  readonly queue: QueueName;
  readonly message: QueueMessage;
  readonly at: number;
}

/** By the key of the message: 8 partitions, each of which takes 1,000 messages a second. */
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

/** The change that has a message sent later. */
export const delayedMessageChange = (delayed: DelayedMessage): Change => ({ put: toItem(delayed) });

/** The change that has a message sent at once: by the stream, which removes it, and where that is late by the clock. */
export const messageChange = (message: Omit<DelayedMessage, 'at'>, now: Date): Change => ({
  put: { ...toItem({ ...message, at: now.getTime() }), Queue: message.queue },
});

/** Has messages sent later. Safe to repeat: the same message at the same time is the same item. */
export const writeDelayedMessages = (table: TableWriter, messages: readonly DelayedMessage[]): Promise<void> =>
  messages.length ? table.putMany(messages.map(toItem)) : Promise.resolve();

/** A message as it is in the list. */
export type ListedMessage = DelayedMessage & { readonly key: Key };

/** A page of a shard's messages that are due through a moment, in the order of time. 0.5 RRU for an empty one. */
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
