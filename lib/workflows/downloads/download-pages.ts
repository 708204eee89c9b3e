import { type OrganizationFacts, type Row } from '../../domain/downloads/columns.ts';
import {
  type KindDefinition,
  attributesOf,
  contactAttributes,
  isOptionOn,
  hasDays,
  isSelected,
  leavesOutSuspended,
  organizationAttributes,
} from '../../domain/downloads/kind.ts';
import { TAXPAYER, campaignsOf } from '../../domain/downloads/lists.ts';
import type { Postal } from '../../domain/postal/localities.ts';
import { mapWithConcurrency } from '../../shared/concurrency.ts';
import { MAX_BATCH_READS } from '../../shared/limits.ts';
import {
  type IdSource,
  findContactFacts,
  findLastId,
  findOrganizationFacts,
  hasInvoiceSince,
  hasOrganizationIndex,
  listAllChannels,
  listOrganizationIds,
  readRecords,
} from '../../store/download-records.ts';
import type { DownloadRecord } from '../../store/downloads.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { LARGE_ACCOUNT_IDS } from '../../store/dynamodb/ids.ts';

/** Rows of consecutive ids; the download has all through the id `through`. */
export interface DownloadPage {
  readonly through: number;
  readonly rows: readonly Row<unknown>[];
}

/** Pages that are read ahead: the table answers in parallel, and each holds at most 100 records. */
const PAGES_AHEAD = 4;

/**
 * Up to so many ids, an organization's records are found among all of the account. Beyond, they are found by the index:
 * reading every record of a large account for one of its many organizations would cost as much as the account is large.
 */
const MAX_READ_IDS = LARGE_ACCOUNT_IDS;

/** For tests: how the index by organization is used. */
export interface IndexOptions {
  readonly maxReadIds?: number;
  readonly settleMilliseconds?: number;
}

export interface PagesInput {
  readonly download: DownloadRecord;
  readonly definition: KindDefinition;
  /** Ids through this one are done. */
  readonly after: number;
  readonly last: number;
  readonly index?: IndexOptions;
}

/** The last id that belongs to a download, at its start. */
export async function findLastRow(
  table: TableReader,
  { Account, Filter }: DownloadRecord,
  source: KindDefinition['source'],
) {
  if (source === 'Channel') return Number.MAX_SAFE_INTEGER;
  const last = await findLastId(table, Account, source);
  const isOrganization = source === 'Organization' || source === 'Forecast';
  return isOrganization && Filter.organizationId !== null ? Math.min(last, Filter.organizationId) : last;
}

/** The rows of a download in the order of their ids, page by page. */
export async function* listDownloadPages(table: TableReader, input: PagesInput): AsyncGenerator<DownloadPage> {
  const loader = await openLoader(table, input);
  if (input.definition.source === 'Channel') {
    if (input.after < input.last) yield loader.load(await listChannelRecords(table, input), input.last);
    return;
  }
  const ahead: Promise<DownloadPage>[] = [];
  for await (const ids of idChunks(table, input)) {
    const page = loader.loadIds(ids);
    // A page that fails is thrown where it is awaited.
    page.catch(() => undefined);
    ahead.push(page);
    if (ahead.length >= PAGES_AHEAD) yield (await ahead.shift()) as DownloadPage;
  }
  for (const page of ahead) yield await page;
  if (input.after < input.last) yield { through: input.last, rows: [] };
}

/** The ids of the download, ascending, 100 a chunk. */
async function* idChunks(table: TableReader, input: PagesInput): AsyncGenerator<number[]> {
  const { download, definition, after, last, index: { maxReadIds = MAX_READ_IDS, settleMilliseconds } = {} } = input;
  const { source } = definition;
  const { organizationId } = download.Filter;
  if (organizationId !== null && (source === 'Organization' || source === 'Forecast')) {
    if (organizationId > after && organizationId <= last) yield [organizationId];
    return;
  }
  if (organizationId !== null && last > maxReadIds && hasOrganizationIndex(source)) {
    const { Account: account, CreatedAt: startedAt } = download;
    const records = { account, source, organization: organizationId, last, startedAt };
    const found = await listOrganizationIds(table, records, settleMilliseconds);
    const ids = found.filter((id) => id > after && id <= last);
    for (let first = 0; first < ids.length; first += MAX_BATCH_READS)
      yield [...ids.subarray(first, first + MAX_BATCH_READS)];
    return;
  }
  for (let first = after + 1; first <= last; first += MAX_BATCH_READS)
    yield Array.from({ length: Math.min(MAX_BATCH_READS, last - first + 1) }, (_, index) => first + index);
}

async function listChannelRecords(table: TableReader, { download, definition, after }: PagesInput): Promise<unknown[]> {
  const channels = await listAllChannels(table, download.Account);
  const records = definition.kind === 'campaignbudgets' ? campaignsOf(channels) : channels;
  return records.filter(({ Id }) => Id > after);
}

/** Organizations that a run remembers. */
const MAX_ORGANIZATIONS = 2_000;
/** Contacts whose invoices are looked up at once. */
const LOOKUPS_AT_ONCE = 20;

interface Loader {
  loadIds(ids: readonly number[]): Promise<DownloadPage>;
  load(records: readonly unknown[], through: number): Promise<DownloadPage>;
}

/** Turns records into rows: selects them, and finds what their columns have of other records. */
async function openLoader(table: TableReader, { download, definition }: PagesInput): Promise<Loader> {
  const { Account: account, Filter: filter, CreatedAt: now, WithTaxpayer } = download;
  const { organizationOf, contactIdOf, zipOf } = definition;
  const attributes = attributesOf(definition, filter).filter((name) => WithTaxpayer || name !== TAXPAYER);
  const reader = definition.entity?.part(...attributes);
  const isWithoutSuspended = leavesOutSuspended(definition, filter);
  const postal: Postal | undefined =
    zipOf && isOptionOn(filter, 'IncludeGeoShapes')
      ? await (await import('../../domain/postal/load.ts')).loadPostalData()
      : undefined;
  const known = new Map<number, OrganizationFacts>();

  async function findOrganizations(records: readonly unknown[]): Promise<ReadonlyMap<number, OrganizationFacts>> {
    const ids = new Set(records.flatMap((record) => organizationOf(record) ?? []));
    if (known.size > MAX_ORGANIZATIONS) known.clear();
    const missing = [...ids].filter((id) => !known.has(id));
    const found = await findOrganizationFacts(table, account, missing, organizationAttributes(filter));
    for (const [id, facts] of found) known.set(id, facts);
    // Another page may have emptied what is known meanwhile.
    return new Map(
      [...ids].flatMap((id) => {
        const facts = found.get(id) ?? known.get(id);
        return facts ? [[id, facts] as const] : [];
      }),
    );
  }

  async function selectInvoiced(records: readonly unknown[]): Promise<readonly unknown[]> {
    const from = filter.spans.Invoiced?.from;
    if (from === undefined || definition.kind !== 'contacts') return records;
    const isInvoiced = await mapWithConcurrency(records, LOOKUPS_AT_ONCE, (record) =>
      hasInvoiceSince(table, { account, contact: (record as { Id: number }).Id, from }),
    );
    return records.filter((_, index) => isInvoiced[index]);
  }

  async function load(records: readonly unknown[], through: number): Promise<DownloadPage> {
    const zones = hasDays(filter) ? await findOrganizations(records) : undefined;
    const matching = records.filter((record) => {
      const zone = zones?.get(organizationOf(record) ?? 0)?.Timezone;
      return isSelected(definition, record, filter, { now, zone });
    });
    if (!matching.length) return { through, rows: [] };
    const contactIds = contactIdOf ? matching.map(contactIdOf) : [];
    const [organizations, contacts] = await Promise.all([
      findOrganizations(matching),
      findContactFacts(table, account, contactIds, contactAttributes(filter)),
    ]);
    const isLeftOut = (record: unknown) =>
      isWithoutSuspended && organizations.get(organizationOf(record) ?? 0)?.Suspended === true;
    const selected = await selectInvoiced(matching.filter((record) => !isLeftOut(record)));
    const rows: Row<unknown>[] = [];
    for (const record of selected) {
      const organization = organizations.get(organizationOf(record) ?? 0);
      const contact = contactIdOf && contacts.get(contactIdOf(record));
      const position = postal?.find(zipOf?.(record, contact) ?? '')?.position;
      for (const item of definition.items(record, filter)) rows.push({ item, organization, contact, position, now });
    }
    return { through, rows };
  }

  return {
    load,
    async loadIds(ids) {
      const source = definition.source as IdSource;
      const stored = await readRecords(table, { account, source, attributes }, ids);
      return load(reader ? stored.map((record) => reader.read(record)) : stored, ids.at(-1) ?? 0);
    },
  };
}
