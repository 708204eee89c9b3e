import { kindOfChange, kindsOf } from '../domain/event-kinds.ts';
import type { Stored } from '../entities/declaration/read.ts';
import type { EventPayload } from '../resources/events.ts';
import { toUtc } from '../shared/time/time.ts';
import { type Change, changedFields } from './change.ts';
import { type EntityKind, type EventRecord, type EventRelations, type Fields, noRelations } from './entity-kind.ts';
import { entityKinds } from './kinds.ts';

const DELETE = 3;

/** The contact that the event of a transaction or a deletion needs; it must be among the relations. */
export function eventContactId({ entity: name, before, after }: Change): number | null {
  const entity = entityKinds.get(name);
  const latest = after ?? before;
  return entity && latest && (!after || entity.transaction) ? entity.contactId(latest as never) : null;
}

/**
 * The event of a change; `undefined` if the entity has no events, or no field of the resource changed. `Changed` is
 * empty for a new or deleted record. `Data` is what the record's own operation would return after the change, `null`
 * for a deleted one.
 */
export function toEvent(change: Change, relations: EventRelations): EventPayload | undefined {
  const kind = entityKinds.get(change.entity);
  if (!kind) return undefined;
  const before = change.before as EventRecord | undefined;
  const after = change.after as EventRecord | undefined;
  const record = after ?? before;
  if (!record) return undefined;
  const source = { kind, change, record, relations };
  const Kind = kindOfChange(kind.noun, before, after);
  if (Kind === undefined) return undefined;
  if (!after) return recordEvent(source, { Kind, Changed: [], Data: null });
  const wasStandIn = before !== undefined && kind.isStandIn?.(before);
  if (kind.isStandIn?.(after)) return wasStandIn ? undefined : recordEvent(source, { Kind, Changed: [], Data: null });
  const resource = kind.resource(after, relations);
  const Data = kind.data ? kind.data(resource, after) : resource;
  if (!before || wasStandIn) return recordEvent(source, { Kind, Changed: [], Data });
  const previous = kind.resource(before, relations);
  const Changed = changedFields(previous, resource);
  if (Changed.length === 0) return undefined;
  const part = kind.changedPart?.(Changed, previous, resource);
  if (part) return { ...recordEvent(source, part), Id: part.Id };
  return recordEvent(source, { Kind, Changed, Data });
}

/** Whether a change of a record is certain to become an event. */
export const hasEvent = (entity: string, before: object, after: object): boolean =>
  toEvent(
    {
      account: '',
      entity,
      id: 1,
      version: 2,
      at: new Date(0),
      actor: undefined,
      before: before as Stored,
      after: { ...after } as Stored,
    },
    noRelations,
  ) !== undefined;

/** The source of an event; `record` is the one after the change, or before it for a deletion. */
interface EventSource {
  readonly kind: EntityKind;
  readonly change: Change;
  readonly record: EventRecord;
  readonly relations: EventRelations;
}

type EventContent = Pick<EventPayload, 'Kind' | 'Changed'> & { readonly Data: Fields | null };

/** The transaction time of a deletion is the time of the deletion. */
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
    Name: contact?.Name ?? null,
    PriPhone: contact?.Phone ?? null,
    AltPhone: contact?.AltPhone ?? null,
    Email: contact?.Email ?? null,
    Address1: contact?.Address1 ?? null,
    Address2: contact?.Address2 ?? null,
    City: contact?.City ?? null,
    State: contact?.State ?? null,
    PostalCode: contact?.Zip ?? null,
    DigitalTrackingId: contact?.DigitalTrackingId ?? null,
    CreatedAt: toUtcOrNull(contact?.Created),
    AppointmentId: change.entity === 'Appointment' ? change.id : null,
    InvoiceId: change.entity === 'Invoice' ? change.id : null,
    ProposalId: change.entity === 'Proposal' ? change.id : null,
    Changed,
    Data,
  };
}

const toUtcOrNull = (at: number | null | undefined): string | null => (at == null ? null : toUtc(at));

/**
 * The event of a record whose last change is no longer known. Data is the current data, and Changed lists the fields
 * that differ from `previous`, the last data that subscribers got, or all fields. `undefined` if they already have this
 * data.
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
  const Kind = kindsOf(entity.noun).find((kind) => kind === `${entity.noun}.updated`) ?? created.Kind;
  return previous && data && !Changed.length ? undefined : { ...created, Kind, Changed };
}
