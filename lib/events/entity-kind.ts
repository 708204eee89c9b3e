import type { BrandingRevenueCategory } from '../entities/price-book.ts';
import type { ContactLists, FeedContact } from '../domain/contacts/record.ts';
import { type ClientLink, NO_LINKS, NO_PAYMENTS, type TakesPayments } from '../domain/client-pages.ts';
import type { EventKind, EventNoun } from '../domain/event-kinds.ts';
import type { ServiceAgentRecord } from '../entities/service-agents.ts';

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
  /** Its kinds, and when each happens, are in lib/domain/event-kinds.ts. */
  readonly noun: EventNoun;
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
  /** Whether the record stands in for another one: starting and stopping to do so are events, changes between not. */
  isStandIn?(record: RecordType): boolean;
}
