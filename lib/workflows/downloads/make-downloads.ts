import type { PartFiles } from '../../files/downloads.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import type { FailedMessage, QueueMessage, QueueOutcome, SendMessages } from '../../shared/queues.ts';
import { SECOND } from '../../shared/time/time.ts';
import { writeDelayedMessages } from '../../store/events/delayed-messages.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import { makeDownload } from './make-download.ts';

/** When a run that failed is followed by another. */
const RETRY_SECONDS = 30;
/** After the end of a run that may have died. */
const WATCH_SECONDS = 10;

export interface DownloadsOptions extends BatchOptions {
  readonly files: PartFiles;
  readonly send: SendMessages;
}

/**
 * Makes the downloads of a batch, as far as they get until the deadline; what is left continues with another message.
 * A run first sends the message that follows it, should it die: SQS itself repeats only much later.
 */
export async function makeDownloads(
  table: PatientTable,
  messages: readonly QueueMessage[],
  { now, deadline, files, send }: DownloadsOptions,
): Promise<QueueOutcome> {
  let done = 0;
  const failures: FailedMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const follow = (seconds: number) => sendLater(table, send, message, seconds);
    const onTaken = () => follow(Math.ceil((deadline - now.getTime()) / SECOND) + WATCH_SECONDS);
    try {
      const making = await makeDownload(message, { table, files, now, deadline, onTaken });
      const error = making.kind === 'unfinished' ? making.error : undefined;
      if (making.kind === 'unfinished') await follow(error === undefined ? 0 : RETRY_SECONDS);
      if (error === undefined) done++;
      else failures.push({ index, error });
    } catch (error) {
      failures.push({ index, error });
    }
  }
  return { done, failures };
}

/** Has the message delivered again; by the table while SQS is away. */
async function sendLater(
  table: PatientTable,
  send: SendMessages,
  message: QueueMessage,
  delaySeconds: number,
): Promise<void> {
  const unsent = await send([{ queue: 'downloads', message, delaySeconds }]);
  await writeDelayedMessages(
    table,
    unsent.map(({ queue }) => ({ queue, message, at: Date.now() + delaySeconds * SECOND })),
  );
}
