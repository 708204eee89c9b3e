import type { CallRecord } from '../domain/calls.ts';
import type { ContactRecord, FeedContact } from '../domain/contacts/record.ts';
import { type ContactLists, contactToResource } from '../domain/contacts/to-resource.ts';
import { type OrganizationRecord, organizationToDetails } from '../domain/organizations.ts';
import { partToDetailedResource } from '../domain/pricebook/part-to-resource.ts';
import type { PartRecord, ServiceRecord } from '../domain/pricebook/record.ts';
import { serviceToDetailedResource } from '../domain/pricebook/service-to-resource.ts';
import { type ServiceAgentRecord, serviceAgentToResource } from '../domain/service-agents.ts';
import { type TaskRecord, taskToResource } from '../domain/tasks.ts';
import { type UserRecord, userToResource } from '../domain/users.ts';
import type { Note } from '../resources/contacts.ts';
import { toUtc } from '../shared/format-moments.ts';
import { appointment } from './appointments.ts';
import { type Change, type Image, changedFields } from './change.ts';
import type { Transaction } from './event.ts';
import { invoice, payment, proposal } from './money.ts';

type StoredCall = CallRecord & {
  readonly Id: number;
  readonly V: number;
  readonly OrganizationId: number;
  readonly Created: number;
};

/** Call records, with or without a contact. No operation answers one, so that this is where its form is decided. */
export const call: EntityKind = {
  kinds: { created: 'call.logged', updated: 'call.updated', deleted: 'call.deleted' },
  resource: (image) => {
    const { V: _, Created, ...fields } = image as unknown as StoredCall;
    return { ...fields, CreatedAt: new Date(Created).toISOString() };
  },
  contactId: ({ ContactId }) => (ContactId as number | null | undefined) || null,
};

const concealed = { PmtOnFileKind: '', PmtOnFileLast4: '', PmtOnFileExpDate: '' };
const hasPaymentOnFile = (resource: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(concealed).some((name) => resource[name] !== '');

/**
 * The one note that is new or different. Notes that are gone have moved to a page of older notes, which changes
 * nothing.
 */
function changedNote(before: readonly Note[], after: readonly Note[]): ChangedPart | undefined {
  const known = new Map(before.map((note) => [note.Id, note]));
  const touched = after.flatMap((note) => {
    const was = known.get(note.Id);
    const Changed = was ? changedFields(was, note) : [];
    return was && !Changed.length
      ? []
      : [{ Kind: was ? 'note.updated' : 'note.created', Id: note.Id, Changed, Data: note }];
  });
  return touched.length === 1 ? touched[0] : undefined;
}

/** Changes of contacts. Where nothing but one note is new or different, the event is the note's. */
export const contact: EntityKind = {
  kinds: { created: 'contact.created', updated: 'contact.updated', deleted: 'contact.deleted' },
  resource: (image, view) => contactToResource(image as unknown as ContactRecord, { ...view, paymentOnFile: true }),
  // Older notes on pages of their own are not in the record: the contact would look complete and would not be.
  shown: (resource, { NotePages }) =>
    NotePages ? null : hasPaymentOnFile(resource) ? { ...resource, ...concealed } : resource,
  contactId: ({ Id }) => Id as number,
  part: (changed, before, after) =>
    changed.length === 1 && changed[0] === 'Notes'
      ? changedNote(before['Notes'] as Note[], after['Notes'] as Note[])
      : undefined,
};

/** Changes of organizations. Their people have events of their own and are left out of Data. */
export const organization: EntityKind = {
  kinds: { created: 'organization.created', updated: 'organization.updated', deleted: 'organization.deleted' },
  resource: (image, { lists }) => {
    const record = image as unknown as OrganizationRecord;
    const {
      Users: _,
      AccountManager: __,
      ...details
    } = organizationToDetails(record, { users: new Map(), customFields: lists.customFields });
    return {
      ...details,
      OpenSince: record.OpenSince === null ? null : toUtc(record.OpenSince),
      SlotSearchWindowDays: record.SlotSearchWindowDays,
    };
  },
  contactId: () => null,
  updated: ({ before, after }) =>
    before?.['CancelDate'] === null && after?.['CancelDate'] !== null ? 'organization.canceled' : undefined,
};

/** The thing alone: W is the table's mark of who wrote it. */
const recordOf = <Thing>({ W: _, ...record }: Image): Thing => record as Thing;

/**
 * Changes of services. Data is the detailed variant and what only the base variant has. Parts have events of their own
 * and are left out; of the revenue category its id stands there.
 */
export const service: EntityKind = {
  kinds: { created: 'service.created', updated: 'service.updated', deleted: 'service.deleted' },
  resource: (image) => {
    const record = recordOf<ServiceRecord>(image);
    const {
      AllAvailableParts: _,
      BrandingRevenueCategory: __,
      ...detailed
    } = serviceToDetailedResource(record, [], { revenueCategories: new Map() });
    const {
      PricingBands,
      Category,
      SelfSelect,
      RecurringDescription,
      RecordWeatherData,
      CustomProperties,
      BrandingRevenueCategoryId,
    } = record;
    return {
      ...detailed,
      PricingBands,
      Category,
      SelfSelect,
      RecurringDescription,
      RecordWeatherData,
      CustomProperties,
      BrandingRevenueCategoryId,
    };
  },
  contactId: () => null,
};

/** Changes of parts. Data is the detailed variant and what only the base variant has. */
export const part: EntityKind = {
  kinds: { created: 'part.created', updated: 'part.updated', deleted: 'part.deleted' },
  resource: (image) => {
    const record = recordOf<PartRecord>(image);
    const { RangePricing, SelfSelect, StoreItemId, DistributionStart, DistributionEnd } = record;
    return {
      ...partToDetailedResource(record),
      RangePricing,
      SelfSelect,
      StoreItemId,
      DistributionStart,
      DistributionEnd,
    };
  },
  contactId: () => null,
};

/** Changes of service agents and their weekly hours. */
export const serviceAgent: EntityKind = {
  kinds: { created: 'serviceagent.created', updated: 'serviceagent.updated', deleted: 'serviceagent.deleted' },
  resource: (image) => ({ ...serviceAgentToResource(image as unknown as ServiceAgentRecord) }),
  contactId: () => null,
};

const isDone = (image: Readonly<Record<string, unknown>> | undefined): boolean =>
  typeof image?.['CompletedAt'] === 'number';

/** Changes of tasks. */
export const task: EntityKind = {
  kinds: { created: 'task.created', updated: 'task.updated', deleted: 'task.deleted' },
  resource: (image) => taskToResource(image as unknown as TaskRecord),
  contactId: ({ ContactId }) => (ContactId as number | null | undefined) || null,
  updated: ({ before, after }) => (isDone(after) && !isDone(before) ? 'task.completed' : undefined),
};

/** Changes of users. That of a second factor is one too: Changed names it, Data holds what operations answer. */
export const user: EntityKind = {
  kinds: { created: 'user.created', updated: 'user.updated', deleted: 'user.deleted' },
  resource: (image) => {
    const record = image as unknown as UserRecord;
    const { MobilePhone, MfaEnabled, MfaResetAt } = record;
    return {
      ...userToResource(record),
      MobilePhone,
      MfaEnabled,
      MfaResetAt: MfaResetAt === null ? null : toUtc(MfaResetAt),
    };
  },
  shown: ({ MobilePhone: _, MfaEnabled: __, MfaResetAt: ___, ...shown }) => shown,
  contactId: () => null,
};

/** What of the account is needed to show a thing as its own operation would. */
export interface EventRelations {
  readonly lists: ContactLists;
  /** Where client links begin. */
  readonly baseUrl: string;
  /** The contacts of the transactions, by id, as they are now; one that is gone is missing. */
  readonly contacts: ReadonlyMap<number, FeedContact>;
}

type Fields = Readonly<Record<string, unknown>>;

/** A change that is better told as one of a part, like the note that was added to a contact. */
export interface ChangedPart {
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
  resource(image: Image, view: EventRelations): Fields;
  /**
   * What of the resource the event may show: all of it, unless said otherwise. `null` where it would not be complete.
   */
  shown?(resource: Fields, image: Image): Fields | null;
  contactId(image: Image): number | null;
  /** The part that an update was about, when it was about one part alone. */
  part?(changed: readonly string[], before: Fields, after: Fields): ChangedPart | undefined;
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
