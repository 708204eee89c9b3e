import type { ContactFacts, OrganizationFacts } from '../domain/downloads/columns.ts';
import type { DownloadSource } from '../domain/downloads/kind.ts';
import { InvoiceStatus } from '../domain/invoices/record.ts';
import type { Channel } from '../resources/channels.ts';
import { listChannels } from './organizations/channels.ts';
import type { TableReader } from './dynamodb/client.ts';
import { momentKey } from './indexes.ts';
import { type IdKind, type Key, factNames, indexLayout, layout, unescaped } from './keys.ts';
import { partKey } from './pricebook/parts.ts';

/** Records that a download reads by their ids. */
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

const keyOf: Readonly<Record<IdSource, (account: string, id: number) => Key>> = {
  Appointment: (account, id) => layout.appointment.key({ account, id }),
  Contact: (account, id) => layout.contact.key({ account, id }),
  Invoice: (account, id) => layout.invoice.key({ account, id }),
  Proposal: (account, id) => layout.proposal.key({ account, id }),
  Payment: (account, id) => layout.payment.key({ account, id }),
  Service: (account, id) => layout.service.key({ account, id }),
  Part: partKey,
  Organization: (account, id) => layout.organization.key({ account, id }),
  Forecast: (account, organization) => layout.forecast.key({ account, organization }),
};

/** The last id that the account has given to a record of the source: every record of before has it or a lower one. */
export const findLastId = async (table: TableReader, account: string, source: IdSource): Promise<number> =>
  ((await table.get(layout.lease.key({ account, kind: idKindOf[source] })))?.['Last'] as number | undefined) ?? 0;

const idOf = (item: Readonly<Record<string, unknown>>, source: IdSource): number =>
  item[source === 'Forecast' ? 'OrganizationId' : 'Id'] as number;

/** The records of the ids that exist now, in the order of the ids; only `attributes` of each. */
export async function readRecords(
  table: TableReader,
  { account, source, attributes }: { account: string; source: IdSource; attributes: readonly string[] },
  ids: readonly number[],
): Promise<object[]> {
  if (!ids.length) return [];
  const keys = ids.map((id) => keyOf[source](account, id));
  const items = await table.getMany(keys, { consistent: true, bulk: true, attributes });
  return items.sort((one, other) => idOf(one, source) - idOf(other, source));
}

/** Kinds of records that have an index by organization. */
const isIndexed = (source: IdSource): boolean => ['Appointment', 'Invoice', 'Proposal', 'Payment'].includes(source);

export const hasOrganizationIndex = (source: DownloadSource): source is IdSource =>
  source === 'Contact' || (source !== 'Channel' && isIndexed(source));

/** The ids of an organization's records, ascending: at 8 bytes each, ten million are 80 MB. */
export async function listOrganizationIds(
  table: TableReader,
  { account, source, organization }: { account: string; source: IdSource; organization: number },
): Promise<Float64Array> {
  const range =
    source === 'Contact'
      ? { partition: layout.contactCreated.of({ account, scope: organization, shard: 0 }), consistent: true }
      : { index: 'GSI2' as const, partition: indexLayout.GSI2.of({ account, organization, kind: source }) };
  const sortKey = source === 'Contact' ? 'SK' : 'GSI2SK';
  const ids: number[] = [];
  let after: string | undefined;
  do {
    const page = await table.query({ ...range, after, attributes: [sortKey] });
    for (const item of page.items) ids.push(Number(unescaped((item[sortKey] as string).slice(-10))));
    after = page.next;
  } while (after !== undefined);
  return Float64Array.from(ids).sort();
}

/** What rows have of contacts, by id. */
export async function findContactFacts(
  table: TableReader,
  account: string,
  ids: readonly number[],
  attributes: readonly string[],
): Promise<ReadonlyMap<number, ContactFacts>> {
  const keys = [...new Set(ids)].map((id) => layout.contact.key({ account, id }));
  if (!keys.length) return new Map();
  const items = await table.getMany(keys, { bulk: true, attributes: ['Id', ...attributes] });
  return new Map(items.map((item) => [item['Id'] as number, item as unknown as ContactFacts]));
}

/** What rows have of organizations, by id. */
export async function findOrganizationFacts(
  table: TableReader,
  account: string,
  ids: readonly number[],
  attributes: readonly string[],
): Promise<ReadonlyMap<number, OrganizationFacts>> {
  const keys = ids.map((id) => layout.organization.key({ account, id }));
  if (!keys.length) return new Map();
  const items = await table.getMany(keys, {
    bulk: true,
    attributes: ['Id', 'PublicName', 'LocationID', 'Suspended', ...attributes],
  });
  return new Map(items.map((item) => [item['Id'] as number, item as unknown as OrganizationFacts]));
}

/** The channels of the account with their campaigns, by id: one small list. */
export const listAllChannels = async (table: TableReader, account: string): Promise<Channel[]> =>
  (await listChannels(table, account)).map(({ Value }) => Value).sort((one, other) => one.Id - other.Id);

const INVOICE_STATUS = factNames['Invoice']?.['status'] ?? '';

/** Whether the contact has an invoice that is not voided, dated within the span. Half a unit for most. */
export async function hasInvoiceSince(
  table: TableReader,
  { account, contact, from }: { account: string; contact: number; from: number },
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
