import type { Files } from '../../files/s3.ts';
import {
  type FailedMessage,
  type MessageProgress,
  type QueueMessage,
  type QueueOptions,
  type QueueOutcome,
  type WaitingMessage,
  RETRY_SECONDS,
  secondsHidden,
} from '../../shared/queues.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import { entityAt } from '../../store/entities.ts';
import { goOnWithErasure } from '../erasure/go-on-with-erasure.ts';
import { goOnWithMerge } from './move-merged-records.ts';
import { accountOfKey } from '../../store/keys.ts';
import { accountStore } from '../../store/store.ts';

interface ContactWorkOptions extends QueueOptions {
  readonly openFiles: () => Promise<Files>;
}

/**
 * Continues merges, undone merges and erasures of contacts, for a batch of the queue. A message stays in the queue
 * until all of its work is done.
 */
export async function workOnContacts(
  table: PatientTable,
  messages: readonly QueueMessage[],
  { now, deadline, hide, openFiles }: ContactWorkOptions,
): Promise<QueueOutcome> {
  let done = 0;
  const failures: FailedMessage[] = [];
  const waiting: WaitingMessage[] = [];
  const goOn = async (message: QueueMessage): Promise<MessageProgress> => {
    const store = accountStore(table, accountOfKey(message) ?? '');
    return entityAt(message) === 'ContactErasure'
      ? goOnWithErasure(store, message, { deadline, files: await openFiles() })
      : goOnWithMerge(store, message, { now, deadline });
  };
  for (const [index, message] of messages.entries()) {
    await hide(index, secondsHidden({ now, deadline }));
    try {
      const progress = await goOn(message);
      if (progress.kind === 'done') done++;
      else waiting.push({ index, seconds: progress.seconds });
    } catch (error) {
      failures.push({ index, error, seconds: RETRY_SECONDS });
    }
  }
  return { done, failures, waiting };
}
