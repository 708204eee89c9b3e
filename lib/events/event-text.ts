import type { DataSubscriberEvent, EventPayload } from '../resources/events.ts';
import { toUtc } from '../shared/time/time.ts';

/** The actor fields of an event without an actor: a removal, or an event queued before actors were stored. */
const noActor = { Actor: null, RequestId: '' };

/** The transaction fields of events that are not about a transaction. */
export const noTransaction = {
  TransactionDate: null,
  Subtotal: null,
  LifetimeValue: null,
  CustomerSince: null,
  ContactName: null,
  ContactNickname: null,
  ContactCompany: null,
  ContactPhone: null,
  ContactAltPhone: null,
  Name: null,
  PriPhone: null,
  AltPhone: null,
  Email: null,
  Address1: null,
  Address2: null,
  City: null,
  State: null,
  PostalCode: null,
  DigitalTrackingId: null,
  CreatedAt: null,
  AppointmentId: null,
  InvoiceId: null,
  ProposalId: null,
} satisfies Partial<EventPayload>;

/** JSON omits undefined fields. */
const leftOut = Object.fromEntries(Object.keys(noTransaction).map((name) => [name, undefined]));

/** 1 KB is 1,000 bytes. */
const MAX_DATA_BYTES = 100_000;

/**
 * The event as JSON, as the queue stores it. `Data` of more than 100 KB is left out and `Truncated` set. Empty
 * transaction fields are left out too: their 400 bytes would often cost a write unit.
 */
export function eventText(event: EventPayload): string {
  const stored = event.TransactionKind === null ? { ...event, ...leftOut } : event;
  const text = JSON.stringify(stored);
  // A UTF-16 unit takes at most three bytes, so an ordinary event need not be measured.
  const isSmall =
    text.length * 3 <= MAX_DATA_BYTES ||
    Buffer.byteLength(text) <= MAX_DATA_BYTES ||
    Buffer.byteLength(JSON.stringify(event.Data)) <= MAX_DATA_BYTES;
  return isSmall ? text : JSON.stringify({ ...stored, Data: null, Truncated: true });
}

/** Removes the personal data from an event: who it is about, and what the record was. Amounts and times stay. */
export const withoutPerson = ({
  Data,
  Truncated,
  TransactionDate,
  Subtotal,
  AppointmentId,
  InvoiceId,
  ProposalId,
  ...event
}: EventPayload): EventPayload => ({
  ...event,
  ...noTransaction,
  TransactionDate,
  Subtotal,
  AppointmentId,
  InvoiceId,
  ProposalId,
  Data: null,
  Truncated: Truncated || Data !== null,
});

/** An event in the queue, with its stored text. */
interface StoredEvent {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly queuedAt: number;
  readonly payload: string;
}

/**
 * An event as subscribers and callback receivers get it. Of two events of a record, the one with the higher Id is
 * newer.
 */
export const subscriberEvent = ({ id, queuedAt, payload }: StoredEvent): DataSubscriberEvent => ({
  Id: id,
  QueuedAt: toUtc(queuedAt),
  Payload: eventPayload(payload),
});

/** Quotes within a value are escaped in JSON, so no person's text can look like such a field. */
const LINKS =
  /"(ClientUrl|ClientPayUrl|ClientPdfUrl|TipUrl|TrackingUrl|UpdatePaymentOnFileUrl|BookingUrl|Link)":"[^"]+"/g;

/** A stored event for readers who must not get client links. */
export const withoutLinks = (event: StoredEvent): StoredEvent => ({
  ...event,
  payload: event.payload.replaceAll(LINKS, '"$1":""'),
});

/** Restores the complete payload from a stored text. */
export const eventPayload = (text: string): EventPayload => ({
  ...noTransaction,
  ...noActor,
  ...(JSON.parse(text) as Omit<EventPayload, keyof typeof noTransaction | keyof typeof noActor>),
});
