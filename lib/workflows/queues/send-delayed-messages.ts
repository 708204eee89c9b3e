import type { BatchOptions } from '../../shared/batch.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { InternalError } from '../../shared/failure.ts';
import type { SendMessages } from '../../shared/queues.ts';
import { MINUTE, SECOND } from '../../shared/time/time.ts';
import { MESSAGE_SHARDS, listDueMessages, writeMessageRemovals } from '../../store/events/delayed-messages.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';

export interface SendingOutcome {
  /** Messages sent. */
  readonly done: number;
  readonly failures: readonly unknown[];
  /** Whether due messages remain because the time was up. */
  readonly isUnfinished: boolean;
}

/** A run covers the time until the next one and a little more; SQS delays what is not due yet. */
const AHEAD = MINUTE + 30 * SECOND;

/**
 * Sends the messages that are due before the next run, for all accounts, each to arrive when it is due. Writes at once.
 * Safe to repeat, also concurrently and after a kill: the worker recognizes a message that is sent twice.
 */
export async function sendDelayedMessages(
  table: PatientTable,
  { now, deadline }: BatchOptions,
  send: SendMessages,
): Promise<SendingOutcome> {
  const shards = Array.from({ length: MESSAGE_SHARDS }, (_, shard) => shard);
  const patient = table.until(deadline);
  const outcomes = await mapWithConcurrency(shards, MESSAGE_SHARDS, (shard) =>
    sendShard(patient, shard, { now, deadline }, send).catch((error: unknown): SendingOutcome => ({
      done: 0,
      failures: [error],
      isUnfinished: true,
    })),
  );
  return {
    done: outcomes.reduce((sum, { done }) => sum + done, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
    isUnfinished: outcomes.some(({ isUnfinished }) => isUnfinished),
  };
}

async function sendShard(
  table: PatientTable,
  shard: number,
  { now, deadline }: BatchOptions,
  send: SendMessages,
): Promise<SendingOutcome> {
  let done = 0;
  let after: string | undefined;
  do {
    if (Date.now() > deadline) return { done, failures: [], isUnfinished: true };
    const page = await listDueMessages(table, { shard, through: now.getTime() + AHEAD, after });
    const outgoing = page.messages.map(({ queue, message, at }) => ({
      queue,
      message,
      delaySeconds: Math.max(0, Math.ceil((at - Date.now()) / SECOND)),
    }));
    const unsent = new Set(await send(outgoing));
    const sent = page.messages.filter((_, index) => !unsent.has(outgoing[index] as (typeof outgoing)[number]));
    await writeMessageRemovals(
      table,
      sent.map(({ key }) => key),
    );
    done += sent.length;
    if (unsent.size)
      return { done, failures: [new InternalError(`${unsent.size} messages were not sent.`)], isUnfinished: true };
    after = page.next;
  } while (after !== undefined);
  return { done, failures: [], isUnfinished: false };
}
