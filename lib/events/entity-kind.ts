import type { ContactLists, FeedContact } from '../domain/contacts/record.ts';
import { type ClientLink, NO_LINKS, NO_PAYMENTS, type TakesPayments } from '../domain/client-pages.ts';
import type { EventKind } from '../resources/event-kinds.ts';
import type { ServiceAgentRecord } from '../entities/service-agents.ts';
import type { BrandingRevenueCategory } from '../resources/pricing.ts';

/** Other records of the account that are needed to build the resource. */
export interface EventRelations {
  readonly lists: ContactLists;
  /** The current contacts of the transactions, by id; deleted ones are missing. */
  readonly contacts: ReadonlyMap<number, FeedContact>;
  /** The current agents of organizations whose appointments have additional agents, by id. */
  readonly agents: ReadonlyMap<number, ServiceAgentRecord>;
  /** By id; loaded if a service changed. */
  readonly revenueCategories: ReadonlyMap<number, BrandingRevenueCategory>;
  readonly link: ClientLink;
  readonly takesPayments: TakesPayments;
}

export const noRelations: EventRelations = {
  lists: { customFields: [], taxRates: [] },
  contacts: new Map(),
  agents: new Map(),
  revenueCategories: new Map(),
  link: NO_LINKS,
  takesPayments: NO_PAYMENTS,
};

export type Fields = Readonly<Record<string, unknown>>;

/** The event's fields about an invoice, appointment or proposal, beside its Data. */
interface Transaction {
  /** Milliseconds since 1970, or `null` yet. */
  readonly date: number | null;
  /** Before tax; `null` if it is not stored. */
  readonly subtotal: number | null;
}

/** What every record with events has; some belong to no organization. */
export interface EventRecord {
  readonly OrganizationId?: number | null;
  readonly V: number;
}

/** A change of one part of a record that has an event of its own, like a new note of a contact. */
export interface ChangedPart {
  readonly Kind: EventKind;
  readonly Id: number;
  readonly Changed: string[];
  readonly Data: Fields;
}

/** Defines how changes of one kind of record become events. */
export interface EntityKind<RecordType extends EventRecord = EventRecord> {
  /** A change without a kind is no event. */
  readonly kinds: { readonly created?: EventKind; readonly updated?: EventKind; readonly deleted?: EventKind };
  /** 0 Invoice, 1 Appointment, 2 Proposal; the deletion of any record is 3. */
  readonly transactionKind?: 0 | 1 | 2;
  transaction?(record: RecordType): Transaction;
  /** The complete resource; Changed names its fields. */
  resource(record: RecordType, relations: EventRelations): Fields;
  /** The part of the resource that becomes Data: all of it by default, `null` if it would be incomplete. */
  data?(resource: Fields, record: RecordType): Fields | null;
  contactId(record: RecordType): number | null;
  /** The part that an update changed, if it changed only one. */
  changedPart?(changed: readonly string[], before: Fields, after: Fields): ChangedPart | undefined;
  /** A more specific Kind of a new record, like appointment.queued. */
  created?(record: RecordType): EventKind | undefined;
  /** A more specific Kind of an update, like appointment.completed. */
  updated?(before: RecordType, after: RecordType): EventKind | undefined;
  /**
   * For a record that can stand in for another one: the events when it starts and stops doing so. Changes in between
   * are not events.
   */
  readonly standIn?: { is(record: RecordType): boolean; readonly began: EventKind; readonly ended: EventKind };
}

/** `task` → task.created, task.updated and task.deleted. */
export const kindsOf = <const Noun extends string>(noun: Noun) =>
  ({ created: `${noun}.created`, updated: `${noun}.updated`, deleted: `${noun}.deleted` }) as const;
