import { isErased } from '../entities/erased-contacts.ts';
import type { OpenDocument } from '../entities/contact-parts.ts';
import { invoicePaymentEntity } from '../entities/payments.ts';
import { serviceEntryEntity } from '../entities/services.ts';
import { idOf } from './dynamodb/records.ts';
import { blogEntity } from '../entities/blogs.ts';
import { nouns } from '../entities/nouns.ts';
import { accountingClassEntity } from '../entities/postal-codes.ts';
import { isEqual } from '../shared/objects.ts';
import { toKeyText } from '../shared/text/text.ts';
import { appointmentChanges } from './appointments.ts';
import { blogChange } from './organizations/blogs.ts';
import { callChange } from './contacts/calls.ts';
import { type GuardRange, guardRanges, indexEntryChanges } from './contacts/contact-index.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import type { EntityName } from './entities.ts';
import { idInOrderKey } from './indexes.ts';
import { invoiceChanges } from './sales/invoices.ts';
import { type Key, attributes, isTableAttribute, layout } from './keys.ts';
import { organizationChanges } from './organizations/organizations.ts';
import { paymentChanges } from './sales/payments.ts';
import { proposalChanges } from './sales/proposals.ts';
import { serviceChanges } from './pricebook/services.ts';
import { taskChanges } from './tasks.ts';
import { uploadChanges } from './uploads.ts';
import { BOARD_FACTS } from './visit-facts.ts';
import { userChanges } from './organizations/users.ts';

/** What the table must contain in addition to a record, computed by the same functions that write it. */
export interface Derived {
  /** The index keys and facts of the record's own item. */
  readonly indexes: Readonly<Record<string, unknown>>;
  /** Guards, entries of lists and copies. */
  readonly items: readonly Item[];
  /** Ranges in which the record must have one entry: e-mail and phone of a contact. */
  readonly guards: readonly GuardRange[];
  /** Its entry in the summary of its contact; `undefined` if it has none. */
  readonly summary?: {
    readonly contact: number;
    readonly list: 'OpenInvoices' | 'OpenProposals';
    readonly entry: OpenDocument | undefined;
  };
}

type Derive = (account: string, item: Item) => Partial<Derived> & { readonly changes?: readonly Change[] };

/** The record as a new one of the same version: what storing it would write. */
const asNew = <Name extends keyof typeof nouns>(name: Name, item: Item) => {
  const after = nouns[name].read(item) as ReturnType<(typeof nouns)[Name]['read']>;
  return { before: undefined, after, now: new Date(Number(item['Updated'] ?? 0)) };
};

const deriving: Partial<Record<EntityName, Derive>> = {
  Contact: (account, item) => {
    if (isErased(item)) return {};
    const { after } = asNew('Contact', item);
    const changes = indexEntryChanges({ account }, undefined, after).puts.map((put) => ({ put }));
    return { changes, guards: guardRanges({ account }, after) };
  },
  Organization: (account, item) => organizationChanges({ account }, undefined, asNew('Organization', item).after),
  AccountingClass(account, item) {
    const { Id, OrganizationId: organization, AccountingClass } = accountingClassEntity.read(item);
    const key = layout.accountingClassName.key({ account, organization, name: toKeyText(AccountingClass) });
    return { items: [{ ...key, Id }] };
  },
  User: (account, item) => userChanges({ account }, undefined, asNew('User', item).after),
  Blog: (account, item) => ({ changes: blogChange({ account }, { before: undefined, after: blogEntity.read(item) }) }),
  Service: (account, item) => ({ changes: serviceChanges({ account }, undefined, asNew('Service', item).after) }),
  Upload: (account, item) => uploadChanges({ account }, asNew('Upload', item)),
  Call: (account, item) => ({ changes: [callChange({ account }, undefined, asNew('Call', item).after)] }),
  Task: (account, item) => ({ changes: [taskChanges({ account }, asNew('Task', item)).change] }),
  Appointment(account, item) {
    const transition = asNew('Appointment', item);
    const { CallCenterTransactionId: transaction, OrganizationId: organization, Id } = transition.after;
    const { changes } = appointmentChanges({ account }, transition);
    const key = transaction ? layout.callCenter.key({ account, transaction, organization }) : undefined;
    return { changes: [...changes, ...(key ? [{ put: { ...key, Id } }] : [])] };
  },
  Proposal(account, item) {
    const transition = asNew('Proposal', item);
    const { change, contactSummary } = proposalChanges({ account }, transition);
    const { ContactId, Id } = transition.after;
    const entry = contactSummary.proposals?.[Id];
    return { changes: [change], summary: { contact: ContactId, list: 'OpenProposals', entry } };
  },
  Invoice(account, item) {
    const transition = asNew('Invoice', item);
    const { changes, contactSummary } = invoiceChanges({ account }, transition);
    const { ContactId, Id } = transition.after;
    return { changes, summary: { contact: ContactId, list: 'OpenInvoices', entry: contactSummary.invoices?.[Id] } };
  },
  Payment: (account, item) => paymentChanges({ account }, asNew('Payment', item)),
};

const sameKey = (one: Key, other: Key): boolean => one.PK === other.PK && one.SK === other.SK;

const isIndexAttribute = (name: string): boolean => name.startsWith('GSI') || name === attributes.facts;

export const indexAttributes = (item: Item): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([name]) => isIndexAttribute(name)));

/** Whether an item has these index attributes. Earlier versions wrote no facts for boards; their visits are read. */
export function isIndexedAs(expected: Readonly<Record<string, unknown>>, item: Item): boolean {
  const stored = indexAttributes(item);
  if (isEqual(stored, expected)) return true;
  const { [attributes.facts]: facts, ...keys } = expected;
  if (item[attributes.entity] !== 'Appointment' || !facts) return false;
  const former = Object.entries(facts).filter(([name]) => !BOARD_FACTS.has(name));
  return isEqual(stored, { ...keys, [attributes.facts]: Object.fromEntries(former) });
}

/** Copies of a record carry its version; storing the record as new would start at 1. */
function withVersion(item: Item, version: unknown): Item {
  const copies = Object.entries(item).map(([name, value]) =>
    name === 'Service' || name === 'Payment' ? [name, { ...(value as object), V: version }] : [name, value],
  );
  return Object.fromEntries(copies) as Item;
}

/** What the table must contain in addition to a record; `undefined` for items from which nothing is derived. */
export function derivedOf(entity: EntityName | undefined, account: string, item: Item): Derived | undefined {
  const derive = entity && deriving[entity];
  if (!derive) return undefined;
  const { changes = [], items = [], guards = [], summary } = derive(account, item);
  const puts = [...changes.flatMap((change) => ('put' in change ? [change.put] : [])), ...items];
  const own = puts.find((put) => sameKey(put, item));
  return {
    indexes: own ? indexAttributes(own) : {},
    items: puts.filter((put) => !sameKey(put, item)).map((put) => withVersion(put, item['V'])),
    guards,
    ...(summary ? { summary } : {}),
  };
}

/** Attributes of a derived item that may differ from what storing the record now would write. */
const historical: Partial<Record<EntityName, readonly string[]>> = {
  // The amount first requested; the payment may have changed since.
  Transaction: ['Amount'],
  BlogEntry: ['Bytes'],
  CallCenter: ['Fingerprint', 'Zone'],
};

/** Copies of whole records. Earlier versions wrote them without the fields added since. */
const copies: Partial<Record<EntityName, (item: Item) => unknown>> = {
  ServiceEntry: serviceEntryEntity.read,
  InvoicePayment: invoicePaymentEntity.read,
};

/** Whether a stored item matches what is derived from its record. */
export function isDerivedAs(entity: EntityName | undefined, expected: Item, stored: Item): boolean {
  const read = entity && copies[entity];
  if (read) return isEqual(read(stored), read(expected));
  const ignored = (entity && historical[entity]) ?? [];
  return Object.entries(expected).every(
    ([name, value]) => value === undefined || ignored.includes(name) || isEqual(stored[name], value),
  );
}

/** The key of the record from which an item is derived. Stale contact entries are normal: searches ignore them. */
const owners: Partial<Record<EntityName, (account: string, item: Item) => Key | undefined>> = {
  OrganizationName: (account, item) => layout.organization.key({ account, id: idOf(item) }),
  OrganizationLocation: (account, item) => layout.organization.key({ account, id: idOf(item) }),
  AccountingClassName: (account, item) =>
    layout.accountingClass.key({ account, organization: Number(item.SK.split('#')[0]), id: idOf(item) }),
  UserEmail: (account, item) => layout.user.key({ account, id: idOf(item) }),
  BlogEntry: (account, item) => layout.blog.key({ account, id: idOf(item) }),
  BlogSlug: (account, item) => layout.blog.key({ account, id: idOf(item) }),
  ServiceEntry: (account, item) => layout.service.key({ account, id: serviceEntryEntity.read(item).Service.Id }),
  ServiceName: (account, item) => layout.service.key({ account, id: idOf(item) }),
  AppointmentHash: (account, item) => layout.appointment.key({ account, id: idOf(item) }),
  AgentVisit: (account, { SK }) => layout.appointment.key({ account, id: idInOrderKey(SK) }),
  CallCenter: (account, item) => layout.appointment.key({ account, id: idOf(item) }),
  InvoiceNumber: (account, item) => layout.invoice.key({ account, id: idOf(item) }),
  InvoicePayment: (account, item) => layout.payment.key({ account, id: invoicePaymentEntity.read(item).Payment.Id }),
  ProposalFile: (account, item) => layout.upload.key({ account, id: idOf(item) }),
  Transaction: (account, item) => layout.payment.key({ account, id: idOf(item) }),
};

export const ownerOf = (entity: EntityName | undefined, account: string, item: Item): Key | undefined =>
  entity ? owners[entity]?.(account, item) : undefined;

/** Whether items of a kind have derived items, or are derived themselves. */
export const hasDerivedItems = (entity: EntityName | undefined): boolean => entity !== undefined && entity in deriving;
export const hasOwner = (entity: EntityName | undefined): boolean => entity !== undefined && entity in owners;

/** Guards that stay when the text of their record changes: their existence is enough. */
export const isLastingGuard = (entity: EntityName | undefined): boolean =>
  entity === 'Transaction' || entity === 'CallCenter';

/** An item without the attributes of the table, as a condition for its removal. */
export const unchangedItem = (item: Item): { equals: Record<string, unknown> } => ({
  equals: Object.fromEntries(
    Object.entries(item).filter(([name, value]) => !isTableAttribute(name) && typeof value !== 'object'),
  ),
});
