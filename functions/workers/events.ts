import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { accountOf, changeOf, entityOf, type StreamRecord } from '../../lib/events/change.ts';
import { eventOf, textOf } from '../../lib/events/event.ts';
import { entityKinds, type View } from '../../lib/events/kinds.ts';
import { openTable, type TableWriter } from '../../lib/store/client.ts';
import { appendEvents, transactionsOf, type NewEvent } from '../../lib/store/event-append.ts';
import { cachedList } from '../../lib/store/lists.ts';
import { logBatch } from './log.ts';

/** Time kept back before Lambda ends the batch, so that what was done is reported and not done again. */
const KEPT_BACK_MILLISECONDS = 5_000;
const WITHOUT_LAMBDA_MILLISECONDS = 20_000;

/** A record, by its place in the batch, that could not be handled. */
interface Failed {
  readonly index: number;
  readonly error: unknown;
}

interface IndexedEvent extends NewEvent {
  readonly index: number;
}

async function viewOf(table: TableWriter, account: string, now: Date): Promise<View> {
  const [customFields, taxRates] = await Promise.all([
    cachedList<View['lists']['customFields'][number]>(table, account, 'CustomField', now),
    cachedList<View['lists']['taxRates'][number]>(table, account, 'NamedTaxRate', now),
  ]);
  return { lists: { customFields, taxRates }, baseUrl: process.env['BASE_URL'] ?? '' };
}

/** The events of the records, by account and in order, up to the first record of which none can be made. */
async function eventsOf(
  table: TableWriter,
  records: readonly StreamRecord[],
  now: Date,
): Promise<{ events: Map<string, IndexedEvent[]>; failed: Failed | undefined }> {
  const events = new Map<string, IndexedEvent[]>();
  const views = new Map<string, View>();
  for (const [index, record] of records.entries()) {
    const entity = entityOf(record);
    if (entity === undefined || !entityKinds.has(entity)) continue;
    try {
      const account = accountOf(record);
      const view = views.get(account) ?? (await viewOf(table, account, now));
      views.set(account, view);
      const change = changeOf(record, entity);
      const event = eventOf(change, view);
      if (!event) continue;
      const queued = events.get(account) ?? [];
      events.set(account, queued);
      queued.push({ index, change: `${entity}.${change.id}.${change.version}`, payload: textOf(event) });
    } catch (error) {
      return { events, failed: { index, error } };
    }
  }
  return { events, failed: undefined };
}

/** Queues an account's events, transaction after transaction; stops at the first that fails. */
async function queueAll(
  table: TableWriter,
  account: string,
  events: readonly IndexedEvent[],
  now: Date,
  deadline: number,
): Promise<{ queued: number; failed: Failed | undefined }> {
  let queued = 0;
  for (const part of transactionsOf(events)) {
    try {
      queued += await appendEvents(table, account, part, now, deadline);
    } catch (error) {
      return { queued, failed: { index: part[0]?.index ?? 0, error } };
    }
  }
  return { queued, failed: undefined };
}

/**
 * Turns a batch of the table's stream into events of the accounts' queues, each change once and those of a thing in
 * order. Where a record cannot be handled, all before it are, and Lambda is told to go on from it. When that is the
 * first of several it is an error instead, upon which Lambda halves the batch: a record that never can be handled ends
 * up alone, and no other is given up with it.
 */
export async function handler(
  { Records }: DynamoDBStreamEvent,
  context?: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<DynamoDBBatchResponse> {
  const now = new Date();
  const deadline =
    now.getTime() +
    (context ? context.getRemainingTimeInMillis() - KEPT_BACK_MILLISECONDS : WITHOUT_LAMBDA_MILLISECONDS);
  const table = openTable();
  const { events, failed } = await eventsOf(table, Records, now);
  const accounts = await Promise.all(
    [...events].map(([account, list]) => queueAll(table, account, list, now, deadline)),
  );
  const failures = [failed, ...accounts.map((account) => account.failed)].filter((failure) => failure !== undefined);
  const first = failures.sort((a, b) => a.index - b.index)[0];
  const sequenceNumber = first && (Records[first.index]?.dynamodb?.SequenceNumber ?? '');
  const queued = accounts.reduce((sum, account) => sum + account.queued, 0);
  logBatch({
    now,
    records: Records.length,
    queued,
    usage: table.meter.usage,
    failed: first && { sequenceNumber, error: first.error },
  });
  if (sequenceNumber === undefined) return { batchItemFailures: [] };
  if (first?.index === 0 && Records.length > 1)
    throw new Error('The first record of the batch cannot be handled; see the line above.');
  return { batchItemFailures: [{ itemIdentifier: sequenceNumber }] };
}
