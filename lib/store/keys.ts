import { BOOK_ID_KINDS } from '../domain/pricebook/id-kinds.ts';
import { InternalError } from '../shared/failure.ts';

/** Keys and attributes of the table: where each entity is, and what its items have in addition to their fields. */

type Names<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** A primary key of the table. */
export type Key = { readonly PK: string; readonly SK: string };

/** Only the key of an item. */
export const toKey = ({ PK, SK }: Key): Key => ({ PK, SK });

/** A key as one text, for comparing keys. Hashes of it are stored (erased-keys.ts), so its form must not change. */
export const keyText = ({ PK, SK }: Key): string => `${PK}\n${SK}`;

/** The place of an entity in the table. */
export interface KeyPattern<Partition extends string = string, Sort extends string = string> {
  readonly entity: string;
  readonly partition: Partition;
  readonly sort: Sort;
  /** The partition key alone, for a query. */
  of(values: Record<Names<Partition>, string | number>): string;
  key(values: Record<Names<Partition> | Names<Sort>, string | number>): Key;
}

/** Sort keys are ordered as text: with 10 digits, which hold every int32, 9 comes before 10. */
export const padded = (number: number): string => String(number).padStart(10, '0');

/** Added to a moment, which makes 1900 positive too: 14 digits order every moment from 1653 to 4822. */
export const MOMENT_OFFSET = 10_000_000_000_000;
/** Records without a date come after all others. */
export const UNDATED = '99999999999999';

/** A moment (milliseconds since 1970) as part of a sort key. */
export const momentKey = (at: number): string => String(at + MOMENT_OFFSET).padStart(14, '0');

/** A moment since 1970 as part of a sort key: 14 digits order every millisecond until the year 5138. */
export const sortable = (milliseconds: number): string => String(Math.max(0, milliseconds)).padStart(14, '0');

/** The date of a record as part of a sort key. */
export const dateKey = (at: number | null): string => (at === null ? UNDATED : momentKey(at));

/** The account of an item's partition; `undefined` if the item belongs to no account. */
export function accountOfKey({ PK }: Pick<Key, 'PK'>): string | undefined {
  if (!PK.startsWith('A#')) return undefined;
  const end = PK.indexOf('#', 2);
  return (end < 0 ? PK.slice(2) : PK.slice(2, end)) || undefined;
}

/** `#` separates the parts of a key. It is escaped in values, so that no outside text reaches another partition. */
const escaped = (value: string | number): string =>
  typeof value === 'number' ? padded(value) : value.replaceAll('%', '%25').replaceAll('#', '%23');

/** The value that a part of a key was made from. */
export const unescaped = (part: string): string => part.replaceAll('%23', '#').replaceAll('%25', '%');

type Values = Record<string, string | number>;

/** Fills the parts of a pattern, alternating texts and names. */
function fill(parts: readonly string[], values: Values): string {
  let text = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 2) {
    const name = parts[index] ?? '';
    const value = values[name];
    if (value === undefined || value === '') throw new InternalError(`key pattern ${parts.join('|')} needs ${name}`);
    text += escaped(value) + (parts[index + 1] ?? '');
  }
  return text;
}

const partsOf = (pattern: string): readonly string[] => pattern.split(/\{(\w+)\}/);

function keyPattern<const Partition extends string, const Sort extends string>(
  entity: string,
  partition: Partition,
  sort: Sort,
): KeyPattern<Partition, Sort> {
  const [partitionParts, sortParts] = [partsOf(partition), partsOf(sort)];
  const toPartition = (values: Values) => fill(partitionParts, values);
  const toKey = (values: Values) => ({ PK: toPartition(values), SK: fill(sortParts, values) });
  return { entity, partition, sort, of: toPartition, key: toKey };
}

/**
 * Every kind of item in the table; a test compares docs/data-model.md with it. API keys are read before the account is
 * known; expiries of proposals, visits to release and delayed messages are processed for all accounts together.
 */
export const layout = {
  apiKey: keyPattern('ApiKey', 'KEY#{public}', 'KEY'),
  rate: keyPattern('Rate', 'RATE#{public}', 'RATE'),
  auditCounts: keyPattern('AuditCounts', 'RATE#{public}', 'AUDIT#{day}'),
  audit: keyPattern('Audit', 'A#{account}#AUDIT', '{at}#{mark}'),
  account: keyPattern('Account', 'A#{account}', 'ACCOUNT'),
  configuration: keyPattern('Configuration', 'A#{account}#CONFIGURATION', 'REVISION'),
  accountKey: keyPattern('AccountKey', 'A#{account}#KEYS', 'KEY#{public}'),
  lease: keyPattern('IdLease', 'A#{account}#IDS', '{kind}'),
  idempotency: keyPattern('Idempotency', 'A#{account}#IDEMPOTENCY#{shard}', '{hash}'),
  cursor: keyPattern('Cursor', 'A#{account}#CURSOR#{fingerprint}', '{item}'),
  organization: keyPattern('Organization', 'A#{account}#ORGANIZATIONS', '{id}'),
  organizationName: keyPattern('OrganizationName', 'A#{account}#ORGANIZATIONS#{field}', '{name}#{id}'),
  organizationLogo: keyPattern('OrganizationLogo', 'A#{account}#LOGO#{organization}', 'LOGO'),
  organizationLocation: keyPattern('OrganizationLocation', 'A#{account}#LOCATION#{location}', 'ORGANIZATION'),
  postalShare: keyPattern('PostalShare', 'A#{account}#POSTAL#{share}', 'SHARE'),
  accountingClass: keyPattern('AccountingClass', 'A#{account}#CLASSES', '{organization}#{id}'),
  accountingClassName: keyPattern('AccountingClassName', 'A#{account}#CLASSNAMES', '{organization}#{name}'),
  serviceAgent: keyPattern('ServiceAgent', 'A#{account}#AGENTS', '{organization}#{id}'),
  startPlace: keyPattern('StartPlace', 'A#{account}#STARTS', '{organization}'),
  roadFactors: keyPattern('RoadFactors', 'A#{account}#ROADS', '{area}'),
  invoiceNumbers: keyPattern('InvoiceNumbers', 'A#{account}#INVOICENUMBERS', '{organization}'),
  forecast: keyPattern('Forecast', 'A#{account}#FORECASTS', '{organization}'),
  monthFigures: keyPattern('MonthFigures', 'A#{account}#FIGURES#{organization}', '{month}'),
  user: keyPattern('User', 'A#{account}#USERS', '{id}'),
  userEmail: keyPattern('UserEmail', 'A#{account}#USEREMAIL#{email}', '{organization}'),
  setting: keyPattern('Setting', 'A#{account}#SETTINGS', '{kind}#{id}'),
  blog: keyPattern('Blog', 'A#{account}#BLOG#{id}', 'BLOG'),
  blogEntry: keyPattern('BlogEntry', 'A#{account}#BLOGS', '{created}#{id}'),
  blogSlug: keyPattern('BlogSlug', 'A#{account}#BLOGSLUG#{slug}', 'BLOG'),
  bookRevision: keyPattern('BookRevision', 'A#{account}#BOOK', 'REVISION'),
  bookEntry: keyPattern('BookEntry', 'A#{account}#BOOK', '{kind}#{id}'),
  service: keyPattern('Service', 'A#{account}#SERVICE#{id}', 'SERVICE'),
  serviceEntry: keyPattern('ServiceEntry', 'A#{account}#SERVICES#{shard}', '{organization}#{id}'),
  serviceName: keyPattern('ServiceName', 'A#{account}#SERVICENAME#{name}', '{organization}'),
  part: keyPattern('Part', 'A#{account}#PARTS#{shard}', '{id}'),
  tagName: keyPattern('TagName', 'A#{account}#TAGS', '{name}'),
  contact: keyPattern('Contact', 'A#{account}#CONTACT#{id}', 'CONTACT'),
  contactNotes: keyPattern('ContactNotes', 'A#{account}#CONTACT#{id}', 'NOTES#{page}'),
  contactFormer: keyPattern('ContactFormer', 'A#{account}#CONTACT#{id}', 'FORMER#{version}'),
  erasure: keyPattern('ContactErasure', 'A#{account}#CONTACT#{id}', 'ERASURE'),
  contactMerge: keyPattern('ContactMerge', 'A#{account}#CONTACT#{id}', 'MERGE#{merged}'),
  contactMoved: keyPattern('ContactMoved', 'A#{account}#CONTACT#{id}', 'MOVED#{kind}#{record}'),
  contactMovedNotes: keyPattern('ContactMovedNotes', 'A#{account}#CONTACT#{id}', 'MOVEDNOTES#{page}'),
  contactPlace: keyPattern('ContactPlace', 'A#{account}#CONTACT#{id}', 'PLACE'),
  contactHash: keyPattern('ContactHash', 'A#{account}#HASH#{hash}', 'CONTACT'),
  contactEmail: keyPattern('ContactEmail', 'A#{account}#EMAIL#{email}', '{organization}#{ordinal}'),
  contactPhone: keyPattern('ContactPhone', 'A#{account}#PHONE#{phone}', '{organization}#{name}#{ordinal}'),
  contactTracking: keyPattern('ContactTracking', 'A#{account}#TRACKING#{scope}#{tracking}', '{created}#{id}'),
  contactName: keyPattern('ContactName', 'A#{account}#NAME#{scope}#{start}', '{word}#{created}#{id}#{facts}'),
  contactAddress: keyPattern('ContactAddress', 'A#{account}#ADDRESS#{scope}#{start}', '{word}#{created}#{id}#{facts}'),
  contactTag: keyPattern('ContactTag', 'A#{account}#TAG#{scope}#{tag}#{shard}', '{created}#{id}#{facts}'),
  contactCategory: keyPattern('ContactCategory', 'A#{account}#CATEGORY#{scope}#{category}#{shard}', '{created}#{id}'),
  contactEmailProblem: keyPattern('ContactEmailProblem', 'A#{account}#EMAILPROBLEM#{scope}', '{created}#{id}'),
  contactCredit: keyPattern('ContactCredit', 'A#{account}#CREDIT#{scope}', '{created}#{id}'),
  contactCreated: keyPattern('ContactCreated', 'A#{account}#CREATED#{scope}#{shard}', '{created}#{id}'),
  contactNoteAge: keyPattern('ContactNoteAge', 'A#{account}#NOTEAGE#{shard}', '{created}#{id}'),
  pendingEntries: keyPattern('PendingEntries', 'A#{account}#PENDINGENTRIES#{shard}', '{created}#{call}'),
  contactLink: keyPattern('ContactLink', 'A#{account}#LINK#{target}', '{id}'),
  call: keyPattern('Call', 'A#{account}#CALL#{id}', 'CALL'),
  task: keyPattern('Task', 'A#{account}#TASK#{id}', 'TASK'),
  appointment: keyPattern('Appointment', 'A#{account}#APPOINTMENT#{id}', 'APPOINTMENT'),
  appointmentHash: keyPattern('AppointmentHash', 'A#{account}#APPOINTMENTHASH#{hash}', 'APPOINTMENT'),
  agentVisit: keyPattern('AgentVisit', 'A#{account}#AGENTVISITS#{agent}', '{date}#{id}'),
  canceledVisit: keyPattern('CanceledVisit', 'A#{account}#CANCELEDVISITS#{agent}', '{at}#{id}'),
  series: keyPattern('Series', 'A#{account}#SERIES#{source}#{id}', 'SERIES'),
  callCenter: keyPattern('CallCenter', 'A#{account}#CALLCENTER#{transaction}', '{organization}'),
  calendar: keyPattern('Calendar', 'A#{account}#CALENDAR#{organization}#{week}', '{day}#{agent}'),
  agentCalendars: keyPattern('AgentCalendars', 'A#{account}#AGENTCALENDARS', '{organization}#{agent}'),
  hold: keyPattern('Hold', 'A#{account}#HOLDS#{key}', '{place}'),
  proposal: keyPattern('Proposal', 'A#{account}#PROPOSAL#{id}', 'PROPOSAL'),
  evidence: keyPattern('Evidence', 'A#{account}#PROPOSAL#{id}', 'EVIDENCE'),
  signature: keyPattern('Signature', 'A#{account}#PROPOSAL#{id}', 'SIGNATURE'),
  proposalExpiry: keyPattern('ProposalExpiry', 'DUE#{hour}#{shard}', '{at}#{account}#{id}'),
  expiryProgress: keyPattern('ExpiryProgress', 'DUE#PROGRESS', 'PROGRESS'),
  visitRelease: keyPattern('VisitRelease', 'DUE#VISITS-{shard}', '{at}#{account}#{id}'),
  calendarEntry: keyPattern('CalendarEntry', 'DUE#CALENDARS-{shard}', '{account}#{organization}#{agent}'),
  figuresProgress: keyPattern('FiguresProgress', 'DUE#FIGURES', 'PROGRESS'),
  keyNotice: keyPattern('KeyNotice', 'DUE#KEYS', '{at}#{account}#{public}'),
  upload: keyPattern('Upload', 'A#{account}#UPLOAD#{id}', 'UPLOAD'),
  pendingUpload: keyPattern('PendingUpload', 'A#{account}#UPLOAD#{id}', 'PENDING'),
  announcedBytes: keyPattern('AnnouncedBytes', 'A#{account}#ANNOUNCED', '{day}'),
  proposalFile: keyPattern('ProposalFile', 'A#{account}#PROPOSAL#{id}', 'FILE#{upload}'),
  proposalFileList: keyPattern('ProposalFileList', 'A#{account}#PROPOSAL#{id}', 'FILES'),
  invoice: keyPattern('Invoice', 'A#{account}#INVOICE#{id}', 'INVOICE'),
  invoicePayment: keyPattern('InvoicePayment', 'A#{account}#INVOICE#{id}', 'PAYMENT#{payment}'),
  invoiceNumber: keyPattern('InvoiceNumber', 'A#{account}#INVOICENUMBER#{organization}#{number}', 'INVOICE'),
  payment: keyPattern('Payment', 'A#{account}#PAYMENT#{id}', 'PAYMENT'),
  transaction: keyPattern('Transaction', 'A#{account}#TRANSACTION#{transaction}', '{organization}'),
  erasedKey: keyPattern('ErasedKey', 'A#{account}#ERASEDKEY#{hash}', 'KEY'),
  importedLines: keyPattern('ImportedLines', 'A#{account}#IMPORT#{hash}', '{line}'),
  importRun: keyPattern('ImportRun', 'A#{account}#IMPORTRUNS', '{id}'),
  importedRecord: keyPattern('ImportedRecord', 'A#{account}#IMPORTRUN#{run}', '{kind}#{record}#{version}'),
  importedEntry: keyPattern('ImportedEntry', 'A#{account}#IMPORTENTRIES#{run}', '{entry}#{part}'),
  sequence: keyPattern('Sequence', 'A#{account}#EVENTS', 'SEQUENCE'),
  event: keyPattern('Event', 'A#{account}#EVENTS#{block}', '{id}'),
  eventBacklog: keyPattern('EventBacklog', 'A#{account}#BACKLOG', '{order}#{part}'),
  download: keyPattern('Download', 'A#{account}#DOWNLOAD#{id}', 'DOWNLOAD'),
  downloadSlot: keyPattern('DownloadSlot', 'A#{account}#DOWNLOADS#{key}', '{slot}'),
  retention: keyPattern('Retention', 'RETENTION#ACCOUNTS', '{account}'),
  retentionProgress: keyPattern('RetentionProgress', 'RETENTION#PROGRESS', 'PROGRESS'),
  backlogAccount: keyPattern('BacklogAccount', 'BACKLOG#ACCOUNTS', '{account}'),
  callback: keyPattern('Callback', 'A#{account}#CALLBACKS#{block}', '{event}#{target}'),
  deadCallback: keyPattern('DeadCallback', 'A#{account}#DEADCALLBACKS', '{event}#{target}'),
  callbackHost: keyPattern('CallbackHost', 'A#{account}#CALLBACKHOST#{host}', 'HOST'),
  paymentProvider: keyPattern('PaymentProvider', 'A#{account}#PAYMENTPROVIDERS', '{organization}'),
  checkout: keyPattern('Checkout', 'A#{account}#CHECKOUTS#{page}#{id}', '{checkout}'),
  clientPayment: keyPattern('ClientPayment', 'A#{account}#CLIENTPAYMENT#{payment}', 'PAYMENT'),
  linkSecret: keyPattern('LinkSecret', 'A#{account}#LINKSECRET', 'SECRET'),
  clientCalls: keyPattern('ClientCalls', 'A#{account}#CLIENTCALLS#{of}', '{kind}#{window}'),
  clientBooking: keyPattern('ClientBooking', 'A#{account}#CLIENTBOOKING#{form}', 'BOOKING'),
  clientPlace: keyPattern('ClientPlace', 'A#{account}#CLIENTPLACES#{of}', '{place}'),
  clientDay: keyPattern('ClientDay', 'A#{account}#CLIENTDAY#{organization}', '{day}'),
  pageVisit: keyPattern('PageVisit', 'A#{account}#PAGEVISITS#{day}', '{at}#{id}'),
  leadForm: keyPattern('LeadForm', 'A#{account}#LEADFORMS', '{id}'),
  leadReceipt: keyPattern('LeadReceipt', 'A#{account}#LEADRECEIPTS#{mark}', 'RECEIPT'),
  callbackSecret: keyPattern('CallbackSecret', 'A#{account}#CALLBACKSECRET', 'SECRET'),
  webhook: keyPattern('Webhook', 'A#{account}#WEBHOOKS', '{id}'),
  message: keyPattern('Message', 'A#{account}#MESSAGES#{contact}', '{due}#{kind}#{noun}#{id}#{channel}'),
  notice: keyPattern('Notice', 'A#{account}#NOTICE#{noun}#{id}', '{topic}#{part}'),
  messageSettings: keyPattern('MessageSettings', 'A#{account}#MESSAGESETTINGS', '{organization}'),
  delayedMessage: keyPattern('DelayedMessage', 'DELAYED#{shard}', '{at}#{message}'),
} as const satisfies Record<string, KeyPattern>;

/** The keys of records in the table's indexes; each sort key ends in the record's date and id. */
export const indexLayout = {
  GSI1: keyPattern('ByDate', 'A#{account}#DATE#{kind}#{shard}', '{date}#{id}'),
  GSI2: keyPattern('ByOrganization', 'A#{account}#ORGANIZATION#{organization}#{kind}', '{date}#{id}'),
  GSI3: keyPattern('ByUpdate', 'A#{account}#UPDATED#{kind}#{shard}', '{updated}#{date}#{id}'),
  GSI4: keyPattern('ByContact', 'A#{account}#CONTACT#{contact}#{kind}', '{date}#{id}'),
} as const satisfies Record<string, KeyPattern>;

/**
 * Open records are also in the index by time of change, in partitions of their own: moving there costs nothing, because
 * every change moves the entry anyway.
 */
export const openLayout = keyPattern('ByUpdate', 'A#{account}#OPEN#{kind}#{shard}', '{updated}#{date}#{id}');

/** A call without contact is also in the index by contact, under its number. */
export const callerLayout = keyPattern('ByContact', 'A#{account}#CALLER#{phone}', '{date}#{id}');

/** Attributes of every record, with short names because each byte is paid for in every item. */
export const attributes = {
  entity: 'E',
  facts: 'F',
  version: 'V',
  /** Who wrote this version, and by which request (asActor of dynamodb/table.ts). */
  actor: 'A',
  /** Random mark of the write that made this version. */
  writeMark: 'W',
  /** The version of a record that causes no event: the history of a demo company. */
  silentVersion: 'Q',
  timeToLive: 'TTL',
} as const;

const { version: _, ...ofTheTable } = attributes;
const tableAttributes: ReadonlySet<string> = new Set(['PK', 'SK', ...Object.values(ofTheTable)]);

/** No attribute of the table has a longer name, so most field names need no look-up. */
const LONGEST = Math.max(...[...tableAttributes].map(({ length }) => length));

/** Whether an attribute belongs to the table and its indexes, not to the record. */
export const isTableAttribute = (name: string): boolean =>
  name.length > LONGEST ? name.startsWith('GSI') : tableAttributes.has(name);

/** Facts by which queries filter or which a board shows, with the table's names; `all` are those of every kind. */
export const factNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  all: { organization: 'O', updated: 'U', day: 'Y', localDay: 'L' },
  Appointment: {
    status: 'S',
    over: 'D',
    shadow: 'H',
    invoice: 'I',
    contact: 'C',
    service: 'N',
    minutes: 'M',
    drive: 'T',
    arrivalFrom: 'A',
    arrivalThrough: 'B',
  },
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
  'ImportRun',
  'Message',
  ...BOOK_ID_KINDS,
] as const;
export type IdKind = (typeof idKinds)[number];

/** Who changes records, and by which request. */
export interface Actor {
  /** The public part of the API key; empty for a command or a worker, which Name then names. */
  readonly Key: string;
  readonly Name: string;
  readonly RequestId: string;
}

/** An actor as stored in an item: a list, because field names would be paid for in every record. */
export type StoredActor = readonly [key: string, name: string, requestId: string];

export const storeActor = ({ Key, Name, RequestId }: Actor): StoredActor => [Key, Name, RequestId];

/** The actor in an attribute; `undefined` for records stored before actors were. */
export function parseActor(stored: unknown): Actor | undefined {
  if (!Array.isArray(stored)) return undefined;
  const [Key = '', Name = '', RequestId = ''] = stored as readonly string[];
  return { Key, Name, RequestId };
}
