import { BOOK_ID_KINDS } from '../domain/pricebook/record.ts';
import { InternalError } from '../shared/internal-error.ts';

type Names<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** A primary key of the table. */
export type Key = { readonly PK: string; readonly SK: string };

/** Where an entity is in the table. */
export interface Place<Partition extends string = string, Sort extends string = string> {
  readonly entity: string;
  readonly partition: Partition;
  readonly sort: Sort;
  /** The partition key alone, for a query. */
  of(values: Record<Names<Partition>, string | number>): string;
  key(values: Record<Names<Partition> | Names<Sort>, string | number>): Key;
}

/** Sort keys order as text: with 10 digits, which hold every int32, 9 comes before 10. */
export const padded = (number: number): string => String(number).padStart(10, '0');

/** The account of an item's partition; `undefined` for an item of no account. */
export function accountOfKey({ PK }: Pick<Key, 'PK'>): string | undefined {
  if (!PK.startsWith('A#')) return undefined;
  const end = PK.indexOf('#', 2);
  return (end < 0 ? PK.slice(2) : PK.slice(2, end)) || undefined;
}

/** `#` separates the parts of a key. It is escaped in values: no text from outside reaches into another partition. */
const escaped = (value: string | number): string =>
  typeof value === 'number' ? padded(value) : value.replaceAll('%', '%25').replaceAll('#', '%23');

/** The value that a part of a key was made from. */
export const unescaped = (part: string): string => part.replaceAll('%23', '#').replaceAll('%25', '%');

/** Fills a pattern; taken apart once, because long runs of reads make a key for each record. */
function filler(pattern: string): (values: Record<string, string | number>) => string {
  // Texts and names in turn.
  const parts = pattern.split(/\{(\w+)\}/);
  return (values) => {
    let text = parts[0] ?? '';
    for (let index = 1; index < parts.length; index += 2) {
      const name = parts[index] ?? '';
      const value = values[name];
      if (value === undefined || value === '') throw new InternalError(`key pattern ${pattern} needs ${name}`);
      text += escaped(value) + (parts[index + 1] ?? '');
    }
    return text;
  };
}

function place<const Partition extends string, const Sort extends string>(
  entity: string,
  partition: Partition,
  sort: Sort,
): Place<Partition, Sort> {
  const [toPartition, toSort] = [filler(partition), filler(sort)];
  return {
    entity,
    partition,
    sort,
    of: toPartition,
    key: (values) => ({ PK: toPartition(values), SK: toSort(values) }),
  };
}

/**
 * Every kind of item in the table; a test compares docs/data-model.md with it. API keys are read before the account is
 * known, and the expiries of proposals and delayed messages are worked off for all accounts together.
 */
export const layout = {
  apiKey: place('ApiKey', 'KEY#{public}', 'KEY'),
  rate: place('Rate', 'RATE#{public}', 'RATE'),
  account: place('Account', 'A#{account}', 'ACCOUNT'),
  accountKey: place('AccountKey', 'A#{account}#KEYS', 'KEY#{public}'),
  lease: place('IdLease', 'A#{account}#IDS', '{kind}'),
  idempotency: place('Idempotency', 'A#{account}#IDEMPOTENCY#{shard}', '{hash}'),
  cursor: place('Cursor', 'A#{account}#CURSOR#{fingerprint}', '{item}'),
  organization: place('Organization', 'A#{account}#ORGANIZATIONS', '{id}'),
  organizationName: place('OrganizationName', 'A#{account}#ORGANIZATIONS#{field}', '{name}#{id}'),
  organizationLocation: place('OrganizationLocation', 'A#{account}#LOCATION#{location}', 'ORGANIZATION'),
  postalShare: place('PostalShare', 'A#{account}#POSTAL#{share}', 'SHARE'),
  accountingClass: place('AccountingClass', 'A#{account}#CLASSES', '{organization}#{id}'),
  accountingClassName: place('AccountingClassName', 'A#{account}#CLASSNAMES', '{organization}#{name}'),
  serviceAgent: place('ServiceAgent', 'A#{account}#AGENTS', '{organization}#{id}'),
  forecast: place('Forecast', 'A#{account}#FORECASTS', '{organization}'),
  user: place('User', 'A#{account}#USERS', '{id}'),
  userEmail: place('UserEmail', 'A#{account}#USEREMAIL#{email}', 'USER'),
  setting: place('Setting', 'A#{account}#SETTINGS', '{kind}#{id}'),
  blog: place('Blog', 'A#{account}#BLOG#{id}', 'BLOG'),
  blogEntry: place('BlogEntry', 'A#{account}#BLOGS', '{created}#{id}'),
  blogSlug: place('BlogSlug', 'A#{account}#BLOGSLUG#{slug}', 'BLOG'),
  bookRevision: place('BookRevision', 'A#{account}#BOOK', 'REVISION'),
  bookEntry: place('BookEntry', 'A#{account}#BOOK', '{kind}#{id}'),
  service: place('Service', 'A#{account}#SERVICE#{id}', 'SERVICE'),
  serviceEntry: place('ServiceEntry', 'A#{account}#SERVICES#{shard}', '{organization}#{id}'),
  serviceName: place('ServiceName', 'A#{account}#SERVICENAME#{name}', '{organization}'),
  part: place('Part', 'A#{account}#PARTS#{shard}', '{id}'),
  tagName: place('TagName', 'A#{account}#TAGS', '{name}'),
  contact: place('Contact', 'A#{account}#CONTACT#{id}', 'CONTACT'),
  contactNotes: place('ContactNotes', 'A#{account}#CONTACT#{id}', 'NOTES#{page}'),
  contactFormer: place('ContactFormer', 'A#{account}#CONTACT#{id}', 'FORMER#{version}'),
  erasure: place('ContactErasure', 'A#{account}#CONTACT#{id}', 'ERASURE'),
  contactHash: place('ContactHash', 'A#{account}#HASH#{hash}', 'CONTACT'),
  contactEmail: place('ContactEmail', 'A#{account}#EMAIL#{email}', '{organization}#{ordinal}'),
  contactPhone: place('ContactPhone', 'A#{account}#PHONE#{phone}', '{organization}#{name}#{ordinal}'),
  contactTracking: place('ContactTracking', 'A#{account}#TRACKING#{scope}#{tracking}', '{created}#{id}'),
  contactName: place('ContactName', 'A#{account}#NAME#{scope}#{start}', '{word}#{created}#{id}#{facts}'),
  contactAddress: place('ContactAddress', 'A#{account}#ADDRESS#{scope}#{start}', '{word}#{created}#{id}#{facts}'),
  contactTag: place('ContactTag', 'A#{account}#TAG#{scope}#{tag}#{shard}', '{created}#{id}#{facts}'),
  contactCategory: place('ContactCategory', 'A#{account}#CATEGORY#{scope}#{category}#{shard}', '{created}#{id}'),
  contactCreated: place('ContactCreated', 'A#{account}#CREATED#{scope}#{shard}', '{created}#{id}'),
  contactNoteAge: place('ContactNoteAge', 'A#{account}#NOTEAGE#{shard}', '{created}#{id}'),
  pendingEntries: place('PendingEntries', 'A#{account}#PENDINGENTRIES#{shard}', '{created}#{call}'),
  contactLink: place('ContactLink', 'A#{account}#LINK#{target}', '{id}'),
  call: place('Call', 'A#{account}#CALL#{id}', 'CALL'),
  task: place('Task', 'A#{account}#TASK#{id}', 'TASK'),
  appointment: place('Appointment', 'A#{account}#APPOINTMENT#{id}', 'APPOINTMENT'),
  appointmentHash: place('AppointmentHash', 'A#{account}#APPOINTMENTHASH#{hash}', 'APPOINTMENT'),
  callCenter: place('CallCenter', 'A#{account}#CALLCENTER#{transaction}', 'APPOINTMENT'),
  calendar: place('Calendar', 'A#{account}#CALENDAR#{organization}#{week}', '{day}#{agent}'),
  proposal: place('Proposal', 'A#{account}#PROPOSAL#{id}', 'PROPOSAL'),
  evidence: place('Evidence', 'A#{account}#PROPOSAL#{id}', 'EVIDENCE'),
  signature: place('Signature', 'A#{account}#PROPOSAL#{id}', 'SIGNATURE'),
  proposalExpiry: place('ProposalExpiry', 'DUE#{hour}#{shard}', '{at}#{account}#{id}'),
  expiryProgress: place('ExpiryProgress', 'DUE#PROGRESS', 'PROGRESS'),
  upload: place('Upload', 'A#{account}#UPLOAD#{id}', 'UPLOAD'),
  pendingUpload: place('PendingUpload', 'A#{account}#UPLOAD#{id}', 'PENDING'),
  announcedBytes: place('AnnouncedBytes', 'A#{account}#ANNOUNCED', '{day}'),
  proposalFile: place('ProposalFile', 'A#{account}#PROPOSAL#{id}', 'FILE#{upload}'),
  proposalFileList: place('ProposalFileList', 'A#{account}#PROPOSAL#{id}', 'FILES'),
  invoice: place('Invoice', 'A#{account}#INVOICE#{id}', 'INVOICE'),
  invoicePayment: place('InvoicePayment', 'A#{account}#INVOICE#{id}', 'PAYMENT#{payment}'),
  invoiceNumber: place('InvoiceNumber', 'A#{account}#INVOICENUMBER#{organization}#{number}', 'INVOICE'),
  payment: place('Payment', 'A#{account}#PAYMENT#{id}', 'PAYMENT'),
  transaction: place('Transaction', 'A#{account}#TRANSACTION#{transaction}', 'PAYMENT'),
  erasedKey: place('ErasedKey', 'A#{account}#ERASEDKEY#{hash}', 'KEY'),
  importedLines: place('ImportedLines', 'A#{account}#IMPORT#{hash}', '{line}'),
  sequence: place('Sequence', 'A#{account}#EVENTS', 'SEQUENCE'),
  event: place('Event', 'A#{account}#EVENTS#{block}', '{id}'),
  eventBacklog: place('EventBacklog', 'A#{account}#BACKLOG', '{order}#{part}'),
  download: place('Download', 'A#{account}#DOWNLOAD#{id}', 'DOWNLOAD'),
  downloadSlot: place('DownloadSlot', 'A#{account}#DOWNLOADS#{key}', '{slot}'),
  retention: place('Retention', 'RETENTION#ACCOUNTS', '{account}'),
  retentionProgress: place('RetentionProgress', 'RETENTION#PROGRESS', 'PROGRESS'),
  backlogAccount: place('BacklogAccount', 'BACKLOG#ACCOUNTS', '{account}'),
  callback: place('Callback', 'A#{account}#CALLBACKS#{block}', '{event}#{target}'),
  deadCallback: place('DeadCallback', 'A#{account}#DEADCALLBACKS', '{event}#{target}'),
  callbackHost: place('CallbackHost', 'A#{account}#CALLBACKHOST#{host}', 'HOST'),
  callbackSecret: place('CallbackSecret', 'A#{account}#CALLBACKSECRET', 'SECRET'),
  webhook: place('Webhook', 'A#{account}#WEBHOOKS', '{id}'),
  delayedMessage: place('DelayedMessage', 'DELAYED#{shard}', '{at}#{message}'),
} as const satisfies Record<string, Place>;

/** The keys of records in the table's indexes; each sort key ends in the record's date and id. */
export const indexLayout = {
  GSI1: place('ByDate', 'A#{account}#DATE#{kind}#{shard}', '{date}#{id}'),
  GSI2: place('ByOrganization', 'A#{account}#ORGANIZATION#{organization}#{kind}', '{date}#{id}'),
  GSI3: place('ByUpdate', 'A#{account}#UPDATED#{kind}#{shard}', '{updated}#{date}#{id}'),
  GSI4: place('ByContact', 'A#{account}#CONTACT#{contact}#{kind}', '{date}#{id}'),
} as const satisfies Record<string, Place>;

/**
 * Open records are in the index by time of change too, in partitions of their own: moving there costs nothing, because
 * every change moves the entry anyway.
 */
export const openLayout = place('ByUpdate', 'A#{account}#OPEN#{kind}#{shard}', '{updated}#{date}#{id}');

/** A call without contact is in the index by contact too, by its number. */
export const callerLayout = place('ByContact', 'A#{account}#CALLER#{phone}', '{date}#{id}');

/** Attributes of every record, short because each byte is paid for in every item. */
export const attributes = {
  entity: 'E',
  facts: 'F',
  version: 'V',
  /** Who wrote this version, and by which request (dynamodb/actor.ts). */
  actor: 'A',
  /** Random mark of the write that made this version. */
  writeMark: 'W',
  /** Marks of the last writes with an Idempotency-Key (dynamodb/marks.ts). */
  marks: 'M',
  /** The version of a record that is no event: what a demo company did before it was made. */
  silentVersion: 'Q',
  /** Stands in an item that takes the place of a record whose creation was given up: it is no record. */
  abandoned: 'Z',
  timeToLive: 'TTL',
} as const;

/** First letters of the attributes of a Rate item, each followed by a window's number in base 36 or a call's mark. */
export const rateAttributes = { spent: 'S', level: 'L', call: 'C' } as const;

const { version: _, ...ofTheTable } = attributes;
const tableAttributes: ReadonlySet<string> = new Set(['PK', 'SK', ...Object.values(ofTheTable)]);

/** No attribute of the table has a longer name: most names of fields need no look-up. */
const LONGEST = Math.max(...[...tableAttributes].map(({ length }) => length));

/** Whether an attribute belongs to the table and its indexes and not to the record. */
export const isTableAttribute = (name: string): boolean =>
  name.length > LONGEST ? name.startsWith('GSI') : tableAttributes.has(name);

/** Facts by which queries filter, as the table has them; `all` are those of every kind. */
export const factNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  all: { organization: 'O', updated: 'U', day: 'Y', localDay: 'L' },
  Appointment: { status: 'S', over: 'D', shadow: 'H', invoice: 'I' },
  Invoice: { status: 'S', type: 'T' },
  Payment: { created: 'C' },
  Proposal: { status: 'S', expiresAt: 'X', acceptedAt: 'A', owner: 'W' },
  Task: { type: 'T', category: 'C', done: 'D' },
};

/** Kinds of ids; each account counts each kind from 1. */
export const idKinds = [
  'Organization',
  'Contact',
  'Note',
  'Tag',
  'Call',
  'Setting',
  'Campaign',
  'Blog',
  'ServiceAgent',
  'User',
  'AccountingClass',
  'Task',
  'Appointment',
  'Proposal',
  'ProposalLine',
  'ProposalOption',
  'ProposalNote',
  'Upload',
  'Invoice',
  'InvoiceLine',
  'Payment',
  'Key',
  'Webhook',
  ...BOOK_ID_KINDS,
] as const;
export type IdKind = (typeof idKinds)[number];
