import type { DataSubscriberEvent, EventPayload } from '../resources/events.ts';
import { toUtc } from '../shared/time/format-moments.ts';
import { type Change, changedFields } from './change.ts';
import type { EntityKind, EventRecord, EventRelations, Fields } from './entity-kind.ts';
import { entityKinds } from './kinds.ts';

const DELETE = 3;

/** The contact that the event of a transaction or a deletion needs: it must be among the relations. */
export function eventContactId({ entity: name, before, after }: Change): number | null {
  const entity = entityKinds.get(name);
  const latest = after ?? before;
  return entity && latest && (!after || entity.transaction) ? entity.contactId(latest as never) : null;
}

/**
 * The event of a change; `undefined` where the entity has no events, or no field of the resource changed. `Changed` is
 * empty for a new or deleted record. `Data` is what the record's own operation would return after the change, `null`
 * for a deleted one.
 */
export function toEvent(change: Change, relations: EventRelations): EventPayload | undefined {
  const kind = entityKinds.get(change.entity);
  if (!kind) return undefined;
  const before = change.before as EventRecord | undefined;
  const after = change.after as EventRecord | undefined;
  if (!after) {
    if (!before) return undefined;
    const source = { kind, change, record: before, relations };
    return recordEvent(source, { Kind: kind.kinds.deleted, Changed: [], Data: null });
  }
  const source = { kind, change, record: after, relations };
  const resource = kind.resource(after, relations);
  const Data = kind.data ? kind.data(resource, after) : resource;
  if (!before) return recordEvent(source, { Kind: kind.created?.(after) ?? kind.kinds.created, Changed: [], Data });
  const previous = kind.resource(before, relations, { record: after, resource });
  const Changed = changedFields(previous, resource);
  if (Changed.length === 0) return undefined;
  const part = kind.changedPart?.(Changed, previous, resource);
  if (part) return { ...recordEvent(source, part), Id: part.Id };
  return recordEvent(source, { Kind: kind.updated?.(before, after) ?? kind.kinds.updated, Changed, Data });
}

/** What an event is made from; `record` is the one after the change, of a deletion the one before. */
interface EventSource {
  readonly kind: EntityKind;
  readonly change: Change;
  readonly record: EventRecord;
  readonly relations: EventRelations;
}

type EventContent = Pick<EventPayload, 'Kind' | 'Changed'> & { readonly Data: Fields | null };

/** One literal, without spreads: they took longer than the resource. A deletion is a transaction of its own moment. */
function recordEvent(
  { kind, change, record, relations }: EventSource,
  { Kind, Changed, Data }: EventContent,
): EventPayload {
  const { actor, after, at } = change;
  const ContactId = kind.contactId(record);
  const transaction = after ? kind.transaction?.(record) : { date: at.getTime(), subtotal: null };
  const contact = transaction && ContactId !== null ? relations.contacts.get(ContactId) : undefined;
  return {
    Kind,
    Id: change.id,
    OrganizationId: record.OrganizationId || null,
    ContactId,
    At: toUtc(at.getTime()),
    Actor: actor ? { Key: actor.Key, Name: actor.Name } : null,
    RequestId: actor?.RequestId ?? '',
    Truncated: after !== undefined && Data === null,
    TransactionKind: after ? (kind.transactionKind ?? null) : DELETE,
    TransactionDate: toUtcOrNull(transaction?.date),
    Subtotal: transaction?.subtotal ?? null,
    LifetimeValue: contact ? (contact.LifetimeValue ?? 0) : null,
    CustomerSince: toUtcOrNull(contact?.CustomerSince),
    ContactName: contact?.Name ?? null,
    ContactNickname: contact?.Nickname ?? null,
    ContactCompany: contact?.Company ?? null,
    ContactPhone: contact?.Phone ?? null,
    ContactAltPhone: contact?.AltPhone ?? null,
    Changed,
    Data,
  };
}

const toUtcOrNull = (at: number | null | undefined): string | null => (at == null ? null : toUtc(at));

/**
 * The event of a record whose last change is not known any more: with the data as it is now, and as Changed the fields
 * that differ from `previous`, the data that subscribers had last, or all. `undefined` where they have had this data.
 */
export function rebuiltEvent(
  change: Omit<Change, 'before'>,
  previous: Readonly<Record<string, unknown>> | null | undefined,
  relations: EventRelations,
): EventPayload | undefined {
  const created = toEvent({ ...change, before: undefined }, relations);
  const entity = entityKinds.get(change.entity);
  if (!created || !entity || previous === undefined) return created;
  const data = created.Data as Readonly<Record<string, unknown>> | null;
  const Changed = data && previous ? changedFields(previous, data) : Object.keys(data ?? {}).sort();
  return previous && data && !Changed.length ? undefined : { ...created, Kind: entity.kinds.updated, Changed };
}

/** The actor fields of an event that has none: of a removal, or queued before actors were stored. */
const noActor = { Actor: null, RequestId: '' };

type TransactionFields = Pick<
  EventPayload,
  | 'TransactionDate'
  | 'Subtotal'
  | 'LifetimeValue'
  | 'CustomerSince'
  | 'ContactName'
  | 'ContactNickname'
  | 'ContactCompany'
  | 'ContactPhone'
  | 'ContactAltPhone'
>;

/** The transaction fields of any other event. */
export const noTransaction: TransactionFields = {
  TransactionDate: null,
  Subtotal: null,
  LifetimeValue: null,
  CustomerSince: null,
  ContactName: null,
  ContactNickname: null,
  ContactCompany: null,
  ContactPhone: null,
  ContactAltPhone: null,
};

/** JSON has no field that is undefined. */
const withoutTransaction = (event: EventPayload) => ({
  ...event,
  TransactionDate: undefined,
  Subtotal: undefined,
  LifetimeValue: undefined,
  CustomerSince: undefined,
  ContactName: undefined,
  ContactNickname: undefined,
  ContactCompany: undefined,
  ContactPhone: undefined,
  ContactAltPhone: undefined,
});

/** 1 KB is 1,000 bytes. */
const MAX_DATA_BYTES = 100_000;

/**
 * The event as JSON, as the queue stores it: `Data` of more than 100 KB is left out and `Truncated` set. The empty
 * transaction fields of other events are left out too: their 200 bytes would often cost a write unit.
 */
export function eventText(event: EventPayload): string {
  const stored = event.TransactionKind === null ? withoutTransaction(event) : event;
  const text = JSON.stringify(stored);
  // A UTF-16 unit takes at most three bytes: an ordinary event is not measured at all.
  const isSmall =
    text.length * 3 <= MAX_DATA_BYTES ||
    Buffer.byteLength(text) <= MAX_DATA_BYTES ||
    Buffer.byteLength(JSON.stringify(event.Data)) <= MAX_DATA_BYTES;
  return isSmall ? text : JSON.stringify({ ...stored, Data: null, Truncated: true });
}

/** An event without anything of the person that it is about: who, and what the record was. Amounts and times stay. */
export const withoutPerson = ({
  Data,
  Truncated,
  TransactionDate,
  Subtotal,
  ...event
}: EventPayload): EventPayload => ({
  ...event,
  ...noTransaction,
  TransactionDate,
  Subtotal,
  Data: null,
  Truncated: Truncated || Data !== null,
});

/** An event of the queue with its stored text. */
interface StoredEvent {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly queuedAt: number;
  readonly payload: string;
}

/** An event as subscribers and receivers of callbacks get it: of two events of a record, the higher Id is newer. */
export const subscriberEvent = ({ id, queuedAt, payload }: StoredEvent): DataSubscriberEvent => ({
  Id: id,
  QueuedAt: toUtc(queuedAt),
  Payload: eventPayload(payload),
});

/** A quote within a value is escaped in JSON: no text of a person looks like such a field. */
const LINKS = /"(ClientUrl|ClientPayUrl|ClientPdfUrl|TipUrl|TrackingUrl|UpdatePaymentOnFileUrl|Link)":"[^"]+"/g;

/** A stored event for those who get no links of clients. */
export const withoutLinks = (event: StoredEvent): StoredEvent => ({
  ...event,
  payload: event.payload.replaceAll(LINKS, '"$1":""'),
});

/** The complete payload of a stored text. */
export const eventPayload = (text: string): EventPayload => ({
  ...noTransaction,
  ...noActor,
  ...(JSON.parse(text) as Omit<EventPayload, keyof typeof noTransaction | keyof typeof noActor>),
});
