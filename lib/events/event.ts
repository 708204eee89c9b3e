import type { FeedContact } from '../domain/contacts/record.ts';
import type { EventPayload } from '../resources/events.ts';
import { toUtc } from '../shared/time/format-moments.ts';
import { type Change, changedFields } from './change.ts';
import type { EntityKind, EventRelations, Transaction } from './entity-kind.ts';
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
  const before = change.before && entity.resource(change.before, relations);
  const after = change.after && entity.resource(change.after, relations);
  const ContactId = entity.contactId(latest);
  const common = {
    OrganizationId: (latest['OrganizationId'] as number | null | undefined) || null,
    ContactId,
    At: toUtc(change.at.getTime()),
    ...toActorFields(change),
    Truncated: false,
  };
  const ofRecord = () => ({
    Id: change.id,
    ...common,
    TransactionKind: after ? (entity.transactionKind ?? null) : DELETE,
    ...toTransactionFields(entity, change, ContactId === null ? undefined : relations.contacts.get(ContactId)),
  });
  if (!change.after || !after) return { Kind: entity.kinds.deleted, ...ofRecord(), Changed: [], Data: null };
  const Data = entity.data ? entity.data(after, latest) : after;
  const content = { Data, Truncated: Data === null };
  if (!change.before || !before)
    return { Kind: entity.created?.(latest) ?? entity.kinds.created, ...ofRecord(), Changed: [], ...content };
  const Changed = changedFields(before, after);
  if (Changed.length === 0) return undefined;
  const part = entity.changedPart?.(Changed, before, after);
  if (part) return { TransactionKind: null, ...noTransaction, ...common, ...part };
  const Kind = entity.updated?.(change.before, change.after) ?? entity.kinds.updated;
  return { Kind, ...ofRecord(), Changed, ...content };
}

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

const toActorFields = ({ actor }: Change): Pick<EventPayload, 'Actor' | 'RequestId'> =>
  actor ? { Actor: { Key: actor.Key, Name: actor.Name }, RequestId: actor.RequestId } : noActor;

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

/** A deletion is a transaction of its own moment. */
function toTransactionFields(
  entity: EntityKind,
  { after, at }: Change,
  contact: FeedContact | undefined,
): TransactionFields {
  const transaction: Transaction | undefined = after
    ? entity.transaction?.(after)
    : { date: at.getTime(), subtotal: null };
  if (!transaction) return noTransaction;
  return {
    ...noTransaction,
    TransactionDate: transaction.date === null ? null : toUtc(transaction.date),
    Subtotal: transaction.subtotal,
    ...(contact && {
      LifetimeValue: contact.LifetimeValue ?? 0,
      CustomerSince: contact.CustomerSince === undefined ? null : toUtc(contact.CustomerSince),
      ContactName: contact.Name,
      ContactNickname: contact.Nickname,
      ContactCompany: contact.Company,
      ContactPhone: contact.Phone,
      ContactAltPhone: contact.AltPhone,
    }),
  };
}

const withoutTransaction = ({
  TransactionDate: _date,
  Subtotal: _subtotal,
  LifetimeValue: _value,
  CustomerSince: _since,
  ContactName: _name,
  ContactNickname: _nickname,
  ContactCompany: _company,
  ContactPhone: _phone,
  ContactAltPhone: _altPhone,
  ...event
}: EventPayload): Omit<EventPayload, keyof TransactionFields> => event;

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
