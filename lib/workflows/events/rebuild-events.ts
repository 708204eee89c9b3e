import { isGone } from '../../entities/erased-contacts.ts';
import type { Stored } from '../../entities/declaration/read.ts';
import { nounOf } from '../../entities/nouns.ts';
import { eventPayload, eventText } from '../../events/event-text.ts';
import { rebuiltEvent } from '../../events/event.ts';
import { entityKinds } from '../../events/kinds.ts';
import { type Key, accountOfKey, attributes, isTableAttribute, parseActor } from '../../store/keys.ts';
import type { Item } from '../../store/dynamodb/changes.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import type { ScanTable } from '../../store/dynamodb/scan.ts';
import { appendEvents, findQueue, listChangeNames, listEvents } from '../../store/events/events.ts';
import { changeName, loadRelations } from './queue-events.ts';
import { type StoreReader, accountStore, type PatientStore } from '../../store/store.ts';

export interface RebuildOptions {
  /** Records that changed earlier are left alone. */
  readonly since: Date;
  /** Only this account; defaults to all. */
  readonly account?: string | undefined;
  readonly now: () => Date;
  /** How long one event waits for the table, in milliseconds. */
  readonly patience: number;
}

/** A record's newest queued event: its version and id. */
interface QueuedVersion {
  readonly version: number;
  readonly eventId: number;
}

/**
 * Queues an event, once, for each record whose current version never became one, with the current data: under the name
 * that the worker gives the change, so a late delivery by the stream adds nothing. Reads the whole table and the
 * readable events. Returns how many events of each kind were queued. Safe to repeat and to interrupt.
 */
export async function rebuildEvents(
  table: PatientTable,
  scan: ScanTable,
  { since, account: only, now, patience }: RebuildOptions,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const queues = new Map<string, Promise<Map<string, QueuedVersion>>>();
  for await (const page of scan(only === undefined ? {} : { accounts: [only], isWhole: true })) {
    for (const { PK, SK, ...item } of page) {
      const account = accountOfKey({ PK });
      const entity = entityOf(item);
      if (!account || !entity || (only !== undefined && account !== only)) continue;
      const store = accountStore(table, account);
      const queued = queues.get(account) ?? listQueuedVersions(store, now());
      queues.set(account, queued);
      const known = (await queued).get(`${entity}.${String(item['Id'])}`);
      if (!isMissing({ ...item, PK, SK }, known, since)) continue;
      const kind = await queueCurrent(store, { PK, SK }, { entity, known, now: now(), patience, since });
      if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  return counts;
}

function entityOf(item: Readonly<Record<string, unknown>>): string | undefined {
  const entity = item[attributes.entity] as string | undefined;
  const isRecord = Number.isInteger(item['Id']) && Number.isInteger(item[attributes.version]) && !isGone(item);
  return entity !== undefined && isRecord && entityKinds.has(entity) ? entity : undefined;
}

/** When a record last changed; kinds that do not store it use the moment of creation. */
const changedAt = (item: Item): number => Number(item['Updated'] ?? item['Created'] ?? 0);

/**
 * Whether the current version never became an event. A record that does not store its time of change also counts if the
 * queue still has an earlier version of it.
 */
function isMissing(item: Item, known: QueuedVersion | undefined, since: Date): boolean {
  if (known && known.version >= (item[attributes.version] as number)) return false;
  const isUndated = item['Updated'] === undefined;
  return changedAt(item) >= since.getTime() || (isUndated && known !== undefined);
}

const STRETCH = 1_000;

/** Keyed by record (`Contact.12`), from the readable events. */
async function listQueuedVersions(store: StoreReader, now: Date): Promise<Map<string, QueuedVersion>> {
  const { next, last } = await findQueue(store, '', now);
  const versions = new Map<string, QueuedVersion>();
  for (let first = next; first <= last; first += STRETCH)
    for (const { id, name } of await listChangeNames(store, first, Math.min(last, first + STRETCH - 1))) {
      const end = name.lastIndexOf('.');
      const [record, version] = [name.slice(0, end), Number(name.slice(end + 1))];
      const known = versions.get(record);
      if (!known || known.version < version) versions.set(record, { version, eventId: id });
    }
  return versions;
}

interface Rebuilding {
  readonly entity: string;
  readonly known: QueuedVersion | undefined;
  readonly since: Date;
  readonly now: Date;
  readonly patience: number;
}

/** The kind of the queued event; `undefined` if none is due for the current record. */
async function queueCurrent(
  store: PatientStore,
  key: Key,
  { entity, known, since, now, patience }: Rebuilding,
): Promise<string | undefined> {
  const { table, account } = store;
  const item = await table.get(key);
  if (!item || !isMissing(item, known, since)) return undefined;
  const after = nounOf(entity)?.read(withoutTableAttributes(item));
  const change = {
    account,
    entity,
    id: item['Id'] as number,
    version: item[attributes.version] as number,
    at: new Date(item['Updated'] === undefined ? now : changedAt(item)),
    actor: item[attributes.actor] === undefined ? undefined : parseActor(item[attributes.actor]),
    after,
  };
  const relations = await loadRelations(store, [{ change: { ...change, before: undefined } }], now);
  const event = rebuiltEvent(change, await findPrevious(store, item, known, since), relations);
  if (!event) return undefined;
  const queued = { change: changeName(change), payload: eventText(event) };
  return (await appendEvents(store, [queued], now, now.getTime() + patience)) ? event.Kind : undefined;
}

/** The data of the record's newest event, `null` if unknown; `undefined` if it had none. */
async function findPrevious(
  store: StoreReader,
  item: Item,
  known: QueuedVersion | undefined,
  since: Date,
): Promise<Readonly<Record<string, unknown>> | null | undefined> {
  if (!known) return Number(item['Created'] ?? 0) >= since.getTime() ? undefined : null;
  const { events } = await listEvents(store, known.eventId, known.eventId);
  const payload = events[0] && eventPayload(events[0].payload);
  // A note's event holds the note without its contact.
  if (!payload || payload.Id !== item['Id']) return null;
  const data = payload.Data as Readonly<Record<string, unknown>> | null;
  return data && 'Id' in data ? data : null;
}

/** Reads the item like an image from the stream. */
function withoutTableAttributes(item: Item): Stored {
  const fields = Object.entries(item).filter(([name]) => !isTableAttribute(name));
  return Object.fromEntries(fields.map(([name, value]) => [name, value instanceof Set ? [...value] : value]));
}
