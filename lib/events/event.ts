import type { EventPayload } from '../resources/events.ts';
import { toUtc } from '../shared/time/format-moments.ts';
import { type Change, changedFields } from './change.ts';
import type { Image } from './image.ts';
import type { EntityKind, EventRelations, Fields } from './entity-kind.ts';
import { entityKinds } from './kinds.ts';

const DELETE = 3;

/** The contact that the event of a transaction or a deletion needs: it must be among the relations. */
export function eventContactId({ entity: name, before, after }: Change): number | null {
  const entity = entityKinds.get(name);
  const latest = after ?? before;
  return entity && latest && (!after || entity.transaction) ? entity.contactId(latest) : null;
}

/**
 * The event of a change; `undefined` where the entity has no events, or no field of the resource changed. `Changed` is
 * empty for a new or deleted record. `Data` is what the record's own operation would return after the change, `null`
 * for a deleted one.
 */
export function toEvent(stored: Change, relations: EventRelations): EventPayload | undefined {
  const entity = entityKinds.get(stored.entity);
  const change = entity?.expand ? expandImages(stored, entity.expand) : stored;
  const latest = change.after ?? change.before;
  if (!entity || !latest) return undefined;
  const source = { entity, change, latest, relations };
  if (!change.after) return recordEvent(source, { Kind: entity.kinds.deleted, Changed: [], Data: null });
  const after = entity.resource(change.after, relations);
  const Data = entity.data ? entity.data(after, latest) : after;
  if (!change.before) {
    const Kind = entity.created?.(latest) ?? entity.kinds.created;
    return recordEvent(source, { Kind, Changed: [], Data });
  }
  const before = entity.resource(change.before, relations, { image: change.after, resource: after });
  const Changed = changedFields(before, after);
  if (Changed.length === 0) return undefined;
  const part = entity.changedPart?.(Changed, before, after);
  if (part) return { ...recordEvent(source, part), Id: part.Id };
  return recordEvent(source, {
    Kind: entity.updated?.(change.before, change.after) ?? entity.kinds.updated,
    Changed,
    Data,
  });
}

/** What an event is made from; `latest` is the image after the change, of a deletion the one before. */
interface EventSource {
  readonly entity: EntityKind;
  readonly change: Change;
  readonly latest: Image;
  readonly relations: EventRelations;
}

type EventContent = Pick<EventPayload, 'Kind' | 'Changed'> & { readonly Data: Fields | null };

/** One literal, without spreads: they took longer than the resource. A deletion is a transaction of its own moment. */
function recordEvent(
  { entity, change, latest, relations }: EventSource,
  { Kind, Changed, Data }: EventContent,
): EventPayload {
  const { actor, after, at } = change;
  const ContactId = entity.contactId(latest);
  const transaction = after ? entity.transaction?.(after) : { date: at.getTime(), subtotal: null };
  const contact = transaction && ContactId !== null ? relations.contacts.get(ContactId) : undefined;
  return {
    Kind,
    Id: change.id,
    OrganizationId: (latest['OrganizationId'] as number | null | undefined) || null,
    ContactId,
    At: toUtc(at.getTime()),
    Actor: actor ? { Key: actor.Key, Name: actor.Name } : null,
    RequestId: actor?.RequestId ?? '',
    Truncated: after !== undefined && Data === null,
    TransactionKind: after ? (entity.transactionKind ?? null) : DELETE,
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

const expandImages = (change: Change, expand: NonNullable<EntityKind['expand']>): Change => ({
  ...change,
  before: change.before && expand(change.before),
  after: change.after && expand(change.after),
});

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

/** The complete event of a stored text. */
export const eventPayload = (text: string): EventPayload => ({
  ...noTransaction,
  ...noActor,
  ...(JSON.parse(text) as Omit<EventPayload, keyof typeof noTransaction | keyof typeof noActor>),
});
