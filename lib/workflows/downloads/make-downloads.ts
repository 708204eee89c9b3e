import type { PartFiles } from '../../files/downloads.ts';
import {
  type FailedMessage,
  type QueueMessage,
  type QueueOptions,
  type QueueOutcome,
  type WaitingMessage,
  RETRY_SECONDS,
  secondsHidden,
} from '../../shared/queues.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import { makeDownload } from './make-download.ts';
import { accountOfKey } from '../../store/keys.ts';
import { accountStore } from '../../store/store.ts';

export interface DownloadsOptions extends QueueOptions {
  readonly files: PartFiles;
}

/**
 * Makes the downloads of a batch, as far as they get until the deadline. The message of a download stays in the queue
 * until its file is ready: the next run gets it as soon as this one ends, even if it dies.
 */
export async function makeDownloads(
  table: PatientTable,
  messages: readonly QueueMessage[],
  { now, deadline, files, hide }: DownloadsOptions,
): Promise<QueueOutcome> {
  let done = 0;
  const failures: FailedMessage[] = [];
  const waiting: WaitingMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const store = accountStore(table, accountOfKey(message) ?? '');
    const onTaken = () => hide(index, secondsHidden({ now, deadline }));
    try {
      const making = await makeDownload(message, { store, files, now, deadline, onTaken });
      if (making.kind === 'done') done++;
      else if (making.kind === 'busy') waiting.push({ index, seconds: RETRY_SECONDS });
      else if ('error' in making) failures.push({ index, error: making.error, seconds: RETRY_SECONDS });
      else waiting.push({ index, seconds: 0 });
    } catch (error) {
      failures.push({ index, error, seconds: RETRY_SECONDS });
    }
  }
  return { done, failures, waiting };
}
