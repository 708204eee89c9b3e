import { isOfSignIn } from '../../domain/users.ts';
import { type Attributes, type StreamRecord, changeAccount, entityKindOf, isExpiry } from '../../events/change.ts';
import type { BatchOptions, BatchOutcome } from '../../shared/batch.ts';
import type { OutgoingMessage, QueueName, SendMessages } from '../../shared/queues.ts';
import { SECOND } from '../../shared/time/time.ts';
import { hasUserPool } from '../../sign-in/has-user-pool.ts';
import type { PatientTable, TableWriter } from '../../store/dynamodb/table.ts';
import { writeDelayedMessages, writeMessageRemovals } from '../../store/events/delayed-messages.ts';
import type { Key } from '../../store/keys.ts';
import { findBookedSeries, findSoldSeries } from '../../store/series.ts';
import { runCreditListTasks } from '../payments/list-credit.ts';
import { runCreditTasks } from '../payments/spend-credits.ts';
import { runProposalTasks } from '../proposals/proposal-tasks.ts';
import { runSeriesTasks } from '../series/series-tasks.ts';

/**
 * Work that follows from changes, besides their events: visits of subscriptions and series, invoices paid by credit,
 * the lists of contacts with credit, and messages to queues.
 */

/**
 * Does all work that follows from changes, besides their events, for a batch of the stream. No part waits for another.
 */
export async function runBackgroundWork(
  table: PatientTable,
  records: readonly StreamRecord[],
  options: BatchOptions,
  send: SendMessages,
): Promise<BatchOutcome> {
  return together([runRecordTasks(table, records, options), handOver(table, records, options, send)]);
}

/** Does the work that follows from changes of records. */
export const runRecordTasks = (
  table: TableWriter,
  records: readonly StreamRecord[],
  options: BatchOptions,
): Promise<BatchOutcome> =>
  together([
    runProposalTasks(table, records, options),
    runSeriesTasks(table, records, options, findSoldSeries),
    runSeriesTasks(table, records, options, findBookedSeries),
    runCreditTasks(table, records, options),
    runCreditListTasks(table, records, options),
  ]);

async function together(parts: readonly Promise<BatchOutcome>[]): Promise<BatchOutcome> {
  const outcomes = await Promise.all(parts);
  return {
    queued: outcomes.reduce((sum, { queued }) => sum + queued, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
    parked: outcomes.flatMap(({ parked }) => parked),
    putAside: 0,
  };
}

/**
 * Sends new items with the attribute Queue (or the item that they name) to that queue, and users whom the user pool
 * must follow to its queue, for a batch of the stream. Messages that SQS does not take are kept in the table for the
 * next minute, so that an outage of SQS does not hold up the batch; a listed message that SQS has taken leaves the
 * list, or the clock would send it again. Safe to repeat: a worker sees in the item whether its work is done.
 */
export async function handOver(
  table: TableWriter,
  records: readonly StreamRecord[],
  { now }: Pick<BatchOptions, 'now'>,
  send: SendMessages,
): Promise<BatchOutcome> {
  const found = records.flatMap(
    (record, index) => toMessage(record, { index, now }) ?? toSignInMessage(record, index) ?? [],
  );
  const nothingParked = { parked: [], putAside: 0 };
  if (!found.length) return { queued: 0, failures: [], ...nothingParked };
  const unsent = new Set(await send(found.map(({ outgoing }) => outgoing)));
  const kept = found.filter(({ outgoing, listed }) => unsent.has(outgoing) && !listed);
  try {
    await Promise.all([
      writeDelayedMessages(
        table,
        kept.map(({ outgoing: { queue, message } }) => ({ queue, message, at: now.getTime() })),
      ),
      writeMessageRemovals(
        table,
        found.flatMap(({ outgoing, listed }) => (listed && !unsent.has(outgoing) ? listed : [])),
      ),
    ]);
  } catch (error) {
    return { queued: 0, failures: [{ index: found[0]?.index ?? 0, error }], ...nothingParked };
  }
  return { queued: found.length, failures: [], ...nothingParked };
}

interface Found {
  readonly index: number;
  readonly outgoing: OutgoingMessage;
  /** The message's place in the list that the clock sends. */
  readonly listed: Key | undefined;
}

function toMessage(record: StreamRecord, { index, now }: { index: number; now: Date }): Found | undefined {
  const { NewImage, OldImage, Keys } = record.dynamodb ?? {};
  const queue = NewImage?.['Queue']?.S as QueueName | undefined;
  const own = toKey(Keys);
  const listed = NewImage?.['Message'] ? own : undefined;
  const message = listed ? toKey(NewImage?.['Message']?.M) : own;
  if (!queue || OldImage || isExpiry(record) || !message) return undefined;
  const delaySeconds = listed ? Math.ceil((Number(NewImage?.['At']?.N ?? 0) - now.getTime()) / SECOND) : 0;
  return { index, outgoing: { queue, message, ...(delaySeconds > 0 ? { delaySeconds } : {}) }, listed };
}

/** A message for the user pool: a user who is new, or whose change concerns the sign-in. */
function toSignInMessage(record: StreamRecord, index: number): Found | undefined {
  const { NewImage, OldImage, Keys } = record.dynamodb ?? {};
  const message = toKey(Keys);
  if (!NewImage || !message || entityKindOf(record) !== 'User' || !hasUserPool(changeAccount(record))) return undefined;
  if (!isOfSignIn(OldImage, NewImage)) return undefined;
  return { index, outgoing: { queue: 'signins', message }, listed: undefined };
}

function toKey(key: Attributes | undefined): Key | undefined {
  const [PK, SK] = [key?.['PK']?.S, key?.['SK']?.S];
  return PK && SK ? { PK, SK } : undefined;
}
