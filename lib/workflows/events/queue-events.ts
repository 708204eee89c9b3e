import { type Change, type StreamRecord, entityKindOf, parseChange } from '../../events/change.ts';
import type { EventRelations } from '../../events/entity-kind.ts';
import { eventContactId, eventText, toEvent } from '../../events/event.ts';
import { entityKinds } from '../../events/kinds.ts';
import { findFeedContacts } from '../../store/contacts.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import { type NewEvent, appendEvents, splitTransactions } from '../../store/events.ts';
import { listRecentSettings } from '../../store/settings.ts';
import { type BatchOptions, type BatchOutcome, convertRecords } from '../../shared/batch.ts';

interface IndexedChange {
  readonly index: number;
  readonly change: Change;
}

interface IndexedEvent extends NewEvent {
  readonly index: number;
}

/**
 * Queues the events of a batch's changes, each change once and those of a record in order. Accounts do not wait for
 * each other; each stops at its first failure. Writes at once: a change that is delivered again is known by its name.
 */
export async function queueEvents(
  table: TableWriter,
  records: readonly StreamRecord[],
  options: BatchOptions,
): Promise<BatchOutcome> {
  const { converted: changes, failures } = convertRecords(records, toChange);
  const byAccount = Map.groupBy(changes, ({ change }) => change.account);
  const accounts = await Promise.all(
    [...byAccount].map(([account, accountChanges]) => queueAccountEvents(table, account, accountChanges, options)),
  );
  return {
    queued: accounts.reduce((sum, { queued }) => sum + queued, 0),
    failures: [...failures, ...accounts.flatMap((account) => account.failures)],
  };
}

function toChange(record: StreamRecord, index: number): IndexedChange | undefined {
  const entity = entityKindOf(record);
  return entity !== undefined && entityKinds.has(entity) ? { index, change: parseChange(record, entity) } : undefined;
}

async function queueAccountEvents(
  table: TableWriter,
  account: string,
  changes: readonly IndexedChange[],
  { now, deadline }: BatchOptions,
): Promise<BatchOutcome> {
  const { events, failures } = await toEvents(table, account, changes, now);
  let queued = 0;
  for (const part of splitTransactions(events)) {
    try {
      queued += await appendEvents(table, account, part, now, deadline);
    } catch (error) {
      return { queued, failures: [{ index: part[0]?.index ?? 0, error }] };
    }
  }
  return { queued, failures };
}

/** The events of an account's changes, in order, up to the first change without a valid event. */
async function toEvents(table: TableWriter, account: string, changes: readonly IndexedChange[], now: Date) {
  let relations: EventRelations;
  try {
    relations = await loadRelations(table, account, changes, now);
  } catch (error) {
    return { events: [], failures: [{ index: changes[0]?.index ?? 0, error }] };
  }
  const { converted, failures } = convertRecords(changes, ({ index, change }): IndexedEvent | undefined => {
    const event = toEvent(change, relations);
    const name = `${change.entity}.${change.id}.${change.version}`;
    return event && { index, change: name, committedAt: change.at.getTime(), payload: eventText(event) };
  });
  return {
    events: converted,
    failures: failures.map(({ index, error }) => ({ index: changes[index]?.index ?? 0, error })),
  };
}

async function loadRelations(
  table: TableWriter,
  account: string,
  changes: readonly IndexedChange[],
  now: Date,
): Promise<EventRelations> {
  const contactIds = new Set(changes.map(({ change }) => eventContactId(change)).filter((id) => id !== null));
  const [customFields, taxRates, contacts] = await Promise.all([
    listRecentSettings<EventRelations['lists']['customFields'][number]>(table, account, 'CustomField', now),
    listRecentSettings<EventRelations['lists']['taxRates'][number]>(table, account, 'NamedTaxRate', now),
    findFeedContacts(table, account, [...contactIds]),
  ]);
  return { lists: { customFields, taxRates }, contacts };
}
