import { isGone } from '../entities/erased-contacts.ts';
import type { Stored } from '../entities/declaration/read.ts';
import { nouns } from '../entities/nouns.ts';
import { ownedRecordEntity } from '../entities/entries.ts';
import { InvoiceStatus } from '../entities/invoices.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { ContactFacts, OrganizationFacts } from '../domain/downloads/columns.ts';
import type { DownloadSource } from '../domain/downloads/kind.ts';
import type { Channel } from '../resources/channels.ts';
import { MAX_BATCH_READS } from '../shared/limits.ts';
import { HOUR, MINUTE, SECOND } from '../shared/time/time.ts';
import type { Range, TableReader } from './dynamodb/table.ts';
import { findLastId } from './dynamodb/records.ts';
import { changeRanges, idInOrderKey } from './indexes.ts';
import { type IdKind, type Key, indexLayout, layout, momentKey } from './keys.ts';
import { partKey } from './pricebook/parts.ts';
import { listChannels } from './organizations/channels.ts';
import type { StoreAccount, StoreReader } from './store.ts';

/** Records that a download reads by id. */
export type IdSource = Exclude<DownloadSource, 'Channel'>;

const idKindOf: Readonly<Record<IdSource, IdKind>> = {
  Appointment: 'Appointment',
  Contact: 'Contact',
  Invoice: 'Invoice',
  Proposal: 'Proposal',
  Payment: 'Payment',
  Service: 'Service',
  Part: 'Part',
  Organization: 'Organization',
  Forecast: 'Organization',
};

const keyOf: Readonly<Record<IdSource, (of: StoreAccount, id: number) => Key>> = {
  Appointment: ({ account }, id) => layout.appointment.key({ account, id }),
  Contact: ({ account }, id) => layout.contact.key({ account, id }),
  Invoice: ({ account }, id) => layout.invoice.key({ account, id }),
  Proposal: ({ account }, id) => layout.proposal.key({ account, id }),
  Payment: ({ account }, id) => layout.payment.key({ account, id }),
  Service: ({ account }, id) => layout.service.key({ account, id }),
  Part: partKey,
  Organization: ({ account }, id) => layout.organization.key({ account, id }),
  Forecast: ({ account }, organization) => layout.forecast.key({ account, organization }),
};

/** The last id that the account has assigned to a record of the source: no earlier record has a higher one. */
export const findLastIdOf = (store: StoreReader, source: IdSource): Promise<number> =>
  findLastId(store, idKindOf[source]);

const idOf = (item: Stored, source: IdSource): number => Number(item[source === 'Forecast' ? 'OrganizationId' : 'Id']);

/** The records of the ids that exist now, in the order of the ids; only `attributes` of each. */
export async function readRecords(
  store: StoreReader,
  { source, attributes }: { source: IdSource; attributes: readonly string[] },
  ids: readonly number[],
): Promise<Stored[]> {
  if (!ids.length) return [];
  const keys = ids.map((id) => keyOf[source](store, id));
  const isContact = source === 'Contact';
  const names = isContact ? [...attributes, 'ErasedAt', 'MergedInto'] : attributes;
  const items = await store.table.getMany(keys, { consistent: true, attributes: names });
  return items
    .filter((item) => !isContact || !isGone(item))
    .sort((one, other) => idOf(one, source) - idOf(other, source));
}

/** Kinds of records that have an index by organization. */
const isIndexed = (source: IdSource): boolean => ['Appointment', 'Invoice', 'Proposal', 'Payment'].includes(source);

export const hasOrganizationIndex = (source: DownloadSource): source is IdSource =>
  source === 'Contact' || (source !== 'Channel' && isIndexed(source));

/** The records of one organization that a download contains. */
export interface OrganizationRecords {
  readonly source: IdSource;
  readonly organizationId: number;
  /** The last id of the download, and when it was started (milliseconds since 1970). */
  readonly last: number;
  readonly startedAt: number;
}

/** Maximum lag of an index, and maximum difference between clocks. */
const INDEX_LAG = 5 * MINUTE;
/** An index usually shows a change within a second. */
const INDEX_SETTLES = 2 * SECOND;
/**
 * When a record is older than this, the index has all records with lower ids: an id of a large account is used within
 * 10 minutes or not at all (dynamodb/records.ts), by a call or worker that takes at most 15, and the record's own call
 * another 15.
 */
const SETTLED_AGE = HOUR;
/** Ids read at once if records may not be in the index yet. */
const RECENT_IDS = 4 * MAX_BATCH_READS;

/**
 * The ids of all records that an organization had when the download was started, ascending: at 8 bytes each, ten
 * million are 80 MB. Contacts have a list of their own, which is read consistently. The index of the other records
 * misses new ones for a while, which are read by id. Records that change their date during the read may move behind the
 * reader; the index by time of change has them, because every change moves an entry ahead.
 */
export async function listOrganizationIds(
  store: StoreReader,
  records: OrganizationRecords,
  settleMilliseconds: number = INDEX_SETTLES,
): Promise<Float64Array> {
  const { table, account } = store;
  const { source, organizationId: organization } = records;
  if (source === 'Contact') {
    const partition = layout.contactCreated.of({ account, scope: organization, shard: 0 });
    return distinct(await listEntryIds(table, [{ partition, consistent: true }], 'SK'));
  }
  const from = Date.now() - INDEX_LAG;
  const byDate = { index: 'GSI2', partition: indexLayout.GSI2.of({ account, organization, kind: source }) } as const;
  const listed = await listEntryIds(table, [byDate], 'GSI2SK');
  await pause(settleMilliseconds);
  const changes = changeRanges({ account, organization, kind: source, from });
  const changed = await listEntryIds(table, changes, 'GSI3SK');
  return distinct(listed, changed, await listRecentIds(store, records));
}

/** The ids at the end of the sort keys of all entries of some ranges. */
async function listEntryIds(
  table: TableReader,
  ranges: readonly Range[],
  sortKey: 'SK' | 'GSI2SK' | 'GSI3SK',
): Promise<number[]> {
  const ids: number[] = [];
  for (const range of ranges) {
    let after: string | undefined;
    do {
      const page = await table.query({ ...range, after, attributes: [sortKey] });
      for (const item of page.items) ids.push(idInOrderKey(String(item[sortKey])));
      after = page.next;
    } while (after !== undefined);
  }
  return ids;
}

/** The ids of the organization's newest records, read consistently. */
async function listRecentIds(
  store: StoreReader,
  { source, organizationId, last, startedAt }: OrganizationRecords,
): Promise<number[]> {
  const attributes = ['Id', 'OrganizationId', 'Created'];
  const found: number[] = [];
  for (let through = last; through > 0; through -= RECENT_IDS) {
    const ids = Array.from({ length: Math.min(RECENT_IDS, through) }, (_, index) => through - index);
    const records = (await readRecords(store, { source, attributes }, ids)).map(ownedRecordEntity.read);
    for (const { Id, OrganizationId } of records) if (OrganizationId === organizationId) found.push(Id);
    if (records.length && records.every(({ Created }) => Created < startedAt - SETTLED_AGE)) break;
  }
  return found;
}

/** All distinct ids, ascending. */
function distinct(...lists: readonly (readonly number[])[]): Float64Array {
  const ids = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  for (const list of lists) {
    ids.set(list, length);
    length += list.length;
  }
  ids.sort();
  let count = 0;
  for (const id of ids) if (count === 0 || id !== ids[count - 1]) ids[count++] = id;
  return ids.subarray(0, count);
}

/** The contact data of rows, by id. */
export async function findContactFacts(
  { account, table }: StoreReader,
  ids: readonly number[],
  attributes: readonly (keyof ContactFacts)[],
): Promise<ReadonlyMap<number, ContactFacts>> {
  const keys = [...new Set(ids)].map((id) => layout.contact.key({ account, id }));
  if (!keys.length) return new Map();
  const facts = nouns.Contact.part('Id', ...attributes);
  const items = await table.getMany(keys, { attributes: facts.names });
  return new Map(items.map(facts.read).map((contact) => [contact.Id, contact]));
}

/** The organization data of rows, by id. */
export async function findOrganizationFacts(
  { account, table }: StoreReader,
  ids: readonly number[],
  attributes: readonly (keyof OrganizationFacts)[],
): Promise<ReadonlyMap<number, OrganizationFacts>> {
  const keys = ids.map((id) => layout.organization.key({ account, id }));
  if (!keys.length) return new Map();
  const facts = nouns.Organization.part('Id', 'PublicName', 'LocationID', 'Suspended', ...attributes);
  const items = await table.getMany(keys, { attributes: facts.names });
  return new Map(items.map(facts.read).map((organization) => [organization.Id, organization]));
}

/** The channels of the account with their campaigns, by id: one small list. */
export async function listAllChannels(store: StoreReader): Promise<Channel[]> {
  const channels = await listChannels(store);
  return channels.map(({ Value }) => Value).sort((one, other) => one.Id - other.Id);
}

const INVOICE_STATUS = nouns.Invoice.listed?.facts['status'] ?? '';

/** Whether the contact has an invoice that is not voided, dated within the span. Usually half a read unit. */
export async function hasInvoiceSince(
  { table, account }: StoreReader,
  { contact, from }: { contact: number; from: number },
): Promise<boolean> {
  const partition = indexLayout.GSI4.of({ account, contact, kind: 'Invoice' });
  let after: string | undefined;
  do {
    const range = { index: 'GSI4' as const, partition, from: momentKey(from), to: '99999999999998~' };
    const page = await table.query({
      ...range,
      after,
      limit: 20,
      where: { [INVOICE_STATUS]: { through: InvoiceStatus.Paid } },
    });
    if (page.items.length) return true;
    after = page.next;
  } while (after !== undefined);
  return false;
}
