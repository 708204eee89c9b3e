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

/** The first record, in the order of the stream, that could not be handled. */
interface Failed {
  readonly index: number;
  readonly error: unknown;
}

interface IndexedEvent extends NewEvent {
  readonly index: number;
}

const concerns = (record: StreamRecord): boolean => entityKinds.has(entityOf(record) ?? '');

async function viewOf(table: TableWriter, account: string, now: Date): Promise<View> {
  const [customFields, taxRates] = await Promise.all([
    cachedList<View['lists']['customFields'][number]>(table, account, 'CustomField', now),
    cachedList<View['lists']['taxRates'][number]>(table, account, 'NamedTaxRate', now),
  ]);
  return { lists: { customFields, taxRates }, baseUrl: process.env['BASE_URL'] ?? '' };
}

/** The events of the records, by account and in order, up to the first record of which none can be made. */
async function eventsOf(table: TableWriter, records: readonly StreamRecord[], now: Date): Promise<{ events: Map<string, IndexedEvent[]>; poison: Failed | undefined }> {
  const events = new Map<string, IndexedEvent[]>();
  const views = new Map<string, View>();
  for (const [index, record] of records.entries()) {
    const entity = entityOf(record);
    if (entity === undefined || !entityKinds.has(entity)) continue;
    try {
      const { account } = { account: accountOf(record) };
      const view = views.get(account) ?? (await viewOf(table, account, now));
      views.set(account, view);
      const change = changeOf(record, entity);
      const event = eventOf(change, view);
      if (!event) continue;
      const queued = events.get(account) ?? [];
      events.set(account, queued);
      queued.push({ index, change: `${entity}.${change.id}.${change.version}`, payload: textOf(event) });
    } catch (error) {
      return { events, poison: { index, error } };
    }
  }
  return { events, poison: undefined };
}
