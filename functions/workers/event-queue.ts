import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { type FailedRecord, type WorkerContext, batchResult, workerDeadline } from '../../lib/api/worker.ts';
import { type Change, type StreamRecord, parseChange, entityKindOf } from '../../lib/events/change.ts';
import { eventContactId, toEvent, eventText } from '../../lib/events/event.ts';
import { type EventRelations, entityKinds } from '../../lib/events/kinds.ts';
import { findFeedContacts } from '../../lib/store/contacts.ts';
import { type TableWriter, openTable } from '../../lib/store/dynamodb/client.ts';
import { type NewEvent, appendEvents, splitTransactions } from '../../lib/store/events.ts';
import { listRecentSettings } from '../../lib/store/settings.ts';

interface IndexedEvent extends NewEvent {
  readonly index: number;
}

/** A change, by the place of its record in the batch. */
interface IndexedChange {
  readonly index: number;
  readonly change: Change;
}

/** The changes of the records, in order, up to the first record that tells of none although it should. */
function changesOf(records: readonly StreamRecord[]): { changes: IndexedChange[]; failed: FailedRecord | undefined } {
  const changes: IndexedChange[] = [];
  for (const [index, record] of records.entries()) {
    const entity = entityKindOf(record);
    if (entity === undefined || !entityKinds.has(entity)) continue;
    try {
      changes.push({ index, change: parseChange(record, entity) });
    } catch (error) {
      return { changes, failed: { index, error } };
    }
  }
  return { changes, failed: undefined };
}

async function viewOf(
  table: TableWriter,
  account: string,
  changes: readonly IndexedChange[],
  now: Date,
): Promise<EventRelations> {
  const told = new Set(changes.map(({ change }) => eventContactId(change)).filter((id) => id !== null));
  const [customFields, taxRates, contacts] = await Promise.all([
    listRecentSettings<EventRelations['lists']['customFields'][number]>(table, account, 'CustomField', now),
    listRecentSettings<EventRelations['lists']['taxRates'][number]>(table, account, 'NamedTaxRate', now),
    findFeedContacts(table, account, [...told]),
  ]);
  return { lists: { customFields, taxRates }, baseUrl: process.env['BASE_URL'] ?? '', contacts };
}

/** The events of an account's changes, in order, up to the first change of which none can be made. */
async function eventsOf(
  table: TableWriter,
  account: string,
  changes: readonly IndexedChange[],
  now: Date,
): Promise<{ events: IndexedEvent[]; failed: FailedRecord | undefined }> {
  const events: IndexedEvent[] = [];
  let at = changes[0]?.index ?? 0;
  try {
    const view = await viewOf(table, account, changes, now);
    for (const { index, change } of changes) {
      at = index;
      const event = toEvent(change, view);
      const name = `${change.entity}.${change.id}.${change.version}`;
      if (event) events.push({ index, change: name, payload: eventText(event) });
    }
  } catch (error) {
    return { events, failed: { index: at, error } };
  }
  return { events, failed: undefined };
}

/** Queues the events of an account's changes, transaction after transaction; stops at the first that fails. */
async function queueAll(
  table: TableWriter,
  account: string,
  changes: readonly IndexedChange[],
  now: Date,
  deadline: number,
): Promise<{ queued: number; failed: FailedRecord | undefined }> {
  const { events, failed } = await eventsOf(table, account, changes, now);
  let queued = 0;
  for (const part of splitTransactions(events)) {
    try {
      queued += await appendEvents(table, account, part, now, deadline);
    } catch (error) {
      return { queued, failed: { index: part[0]?.index ?? 0, error } };
    }
  }
  return { queued, failed };
}

/**
 * Turns a batch of the table's stream into events of the accounts' queues, each change once and those of a thing in
 * order. Where a record cannot be handled, all before it are, and Lambda is told to go on from it (batch.ts).
 */
export async function handler(
  { Records }: DynamoDBStreamEvent,
  context?: WorkerContext,
): Promise<DynamoDBBatchResponse> {
  const now = new Date();
  const deadline = workerDeadline(now, context);
  const table = openTable();
  const { changes, failed } = changesOf(Records);
  const accounts = await Promise.all(
    [...Map.groupBy(changes, ({ change }) => change.account)].map(([account, list]) =>
      queueAll(table, account, list, now, deadline),
    ),
  );
  const queued = accounts.reduce((sum, account) => sum + account.queued, 0);
  const failures = [failed, ...accounts.map((account) => account.failed)];
  return batchResult(Records, failures, { worker: 'event-queue', now, queued, usage: table.meter.usage });
}
