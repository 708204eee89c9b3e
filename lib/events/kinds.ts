import type { FeedContact } from '../domain/contacts/record.ts';
import type { ContactLists } from '../domain/contacts/resource.ts';
import { appointment } from './appointments.ts';
import { call } from './calls.ts';
import type { Change } from './change.ts';
import { contact } from './contacts.ts';
import type { Image } from './image.ts';
import { invoice } from './invoices.ts';
import { organization } from './organizations.ts';
import { payment } from './payments.ts';
import { proposal } from './proposals.ts';
import { serviceAgent } from './service-agents.ts';
import { part, service } from './price-book.ts';
import { task } from './tasks.ts';
import type { Transaction } from './transaction.ts';
import { user } from './users.ts';

/** What of the account is needed to show a thing as its own operation would. */
export interface View {
  readonly lists: ContactLists;
  /** Where client links begin. */
  readonly baseUrl: string;
  /** The contacts of the transactions, by id, as they are now; one that is gone is missing. */
  readonly contacts: ReadonlyMap<number, FeedContact>;
}

type Fields = Readonly<Record<string, unknown>>;

/** A change that is better told as one of a part, like the note that was added to a contact. */
export interface Part {
  readonly Kind: string;
  readonly Id: number;
  readonly Changed: string[];
  readonly Data: Fields;
}

/** How changes of one kind of thing become events. */
export interface EntityKind {
  /** What has happened, as the event's Kind says it. */
  readonly kinds: { readonly created: string; readonly updated: string; readonly deleted: string };
  /** 0 Invoice, 1 Appointment, 2 Proposal, for these alone; a deletion is 3 whatever was deleted. */
  readonly transactionKind?: 0 | 1 | 2;
  /** What the event of a transaction tells beside its Data. */
  transaction?(image: Image): Transaction;
  /** The complete resource; what it holds is what Changed tells of. */
  resource(image: Image, view: View): Fields;
  /**
   * What of the resource the event may show: all of it, unless said otherwise. `null` where it would not be complete.
   */
  shown?(resource: Fields, image: Image): Fields | null;
  contactId(image: Image): number | null;
  /** The part that an update was about, when it was about one part alone. */
  part?(changed: readonly string[], before: Fields, after: Fields): Part | undefined;
  /** A more telling Kind of what is new, like appointment.queued. */
  created?(image: Image): string;
  /** A more telling Kind of an update, like appointment.completed. */
  updated?(change: Change): string | undefined;
}

/** Every kind of thing whose changes are events, by the `E` of its items. A new one is one line here. */
export const entityKinds: ReadonlyMap<string, EntityKind> = new Map([
  ['Contact', contact],
  ['Call', call],
  ['Task', task],
  ['Appointment', appointment],
  ['Proposal', proposal],
  ['Invoice', invoice],
  ['Payment', payment],
  ['Organization', organization],
  ['ServiceAgent', serviceAgent],
  ['User', user],
  ['Service', service],
  ['Part', part],
]);
