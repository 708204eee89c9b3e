import type { FeedContact } from '../domain/contacts/record.ts';
import type { EventPayload } from '../resources/events.ts';
import { toUtc } from '../shared/format-moments.ts';
import { type Change, changedFields } from './change.ts';
import { type EntityKind, type EventRelations, entityKinds } from './kinds.ts';

const DELETE = 3;

/**
 * The contact of whom the change's event tells, when it is a transaction's: it must be in the View that the event is
 * made with.
 */
export function eventContactId({ entity: name, before, after }: Change): number | null {
  const entity = entityKinds.get(name);
  const latest = after ?? before;
  return entity && latest && (!after || entity.transaction) ? entity.contactId(latest) : null;
}

/** The fields of the transaction that a change is; a deletion is one of its own moment. */
function transactionOf(
  entity: EntityKind,
  { after, at }: Change,
  contactId: number | null,
  view: EventRelations,
): TransactionFields {
  const contact = contactId === null ? undefined : view.contacts.get(contactId);
  if (!after) return transactionFields({ date: at.getTime(), subtotal: null }, contact);
  return entity.transaction ? transactionFields(entity.transaction(after), contact) : noTransaction;
}

/**
 * The event of a change, or none: where the entity has no events, or no field of the resource changed. `Changed` is
 * empty for what is new or gone; `Data` is what the thing's own operation would answer after the change: `null` when it
 * is gone.
 */
export function toEvent(change: Change, view: EventRelations): EventPayload | undefined {
  const entity = entityKinds.get(change.entity);
  const latest = change.after ?? change.before;
  if (!entity || !latest) return undefined;
  const before = change.before && entity.resource(change.before, view);
  const after = change.after && entity.resource(change.after, view);
  const ContactId = entity.contactId(latest);
  const common = {
    OrganizationId: (latest['OrganizationId'] as number | null | undefined) || null,
    ContactId,
    At: change.at.toISOString(),
    Truncated: false,
  };
  const whole = () => ({
    Id: change.id,
    ...common,
    TransactionKind: after ? (entity.transactionKind ?? null) : DELETE,
    ...transactionOf(entity, change, ContactId, view),
  });
  if (!after) return { Kind: entity.kinds.deleted, ...whole(), Changed: [], Data: null };
  const shown = entity.shown ? entity.shown(after, latest) : after;
  const content = { Data: shown, Truncated: shown === null };
  if (!before) return { Kind: entity.created?.(latest) ?? entity.kinds.created, ...whole(), Changed: [], ...content };
  const Changed = changedFields(before, after);
  if (Changed.length === 0) return undefined;
  const part = entity.part?.(Changed, before, after);
  if (part) return { TransactionKind: null, ...noTransaction, ...common, ...part };
  return { Kind: entity.updated?.(change) ?? entity.kinds.updated, ...whole(), Changed, ...content };
}

/** Most bytes of `Data`; 1 KB is 1,000 bytes. */
const MAX_DATA_BYTES = 100_000;
const bytesOf = (text: string): number => Buffer.byteLength(text);

/** The same without the fields of transactions, where they would only say that it is none. */
function shortened(event: EventPayload): Partial<EventPayload> {
  if (event.TransactionKind !== null) return event;
  const short: Partial<Record<keyof EventPayload, unknown>> = { ...event };
  for (const name of Object.keys(noTransaction) as (keyof typeof noTransaction)[]) delete short[name];
  return short as Partial<EventPayload>;
}

/**
 * The event as JSON, which is how the queue keeps it: with `Data` of more than 100 KB left out and `Truncated` set, and
 * without the 200 bytes that say of other events than transactions that they are none, which would often cost a write
 * unit.
 */
export function eventText(event: EventPayload): string {
  const kept = shortened(event);
  const text = JSON.stringify(kept);
  // Three bytes are the most that a UTF-16 unit takes: an ordinary event is not measured at all.
  const small =
    text.length * 3 <= MAX_DATA_BYTES ||
    bytesOf(text) <= MAX_DATA_BYTES ||
    bytesOf(JSON.stringify(event.Data)) <= MAX_DATA_BYTES;
  return small ? text : JSON.stringify({ ...kept, Data: null, Truncated: true });
}

/** The event of a text, complete again. */
export const eventPayload = (text: string): EventPayload => ({
  ...noTransaction,
  ...(JSON.parse(text) as Omit<EventPayload, keyof typeof noTransaction>),
});

/** What an invoice, appointment or proposal tells beside its Data. */
export interface Transaction {
  /** Milliseconds since 1970; `null` where it has none yet. */
  readonly date: number | null;
  /** Before tax; `null` where that is not kept. */
  readonly subtotal: number | null;
}

/** The fields of an event that belong to a transaction and its contact. */
export type TransactionFields = Pick<
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

/** Those of an event of anything else. */
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

/** Those of a transaction; of a contact that is gone nothing is known. */
export const transactionFields = (
  { date, subtotal }: Transaction,
  contact: FeedContact | undefined,
): TransactionFields => ({
  ...noTransaction,
  TransactionDate: date === null ? null : toUtc(date),
  Subtotal: subtotal,
  ...(contact && {
    LifetimeValue: contact.LifetimeValue ?? 0,
    CustomerSince: contact.CustomerSince === undefined ? null : toUtc(contact.CustomerSince),
    ContactName: contact.Name,
    ContactNickname: contact.Nickname,
    ContactCompany: contact.Company,
    ContactPhone: contact.Phone,
    ContactAltPhone: contact.AltPhone,
  }),
});
