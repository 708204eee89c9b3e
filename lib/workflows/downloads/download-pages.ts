import type { Stored } from '../../entities/declaration/read.ts';
import type { OrganizationFacts, Row } from '../../domain/downloads/columns.ts';
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
import { type Postal, loadPostalData } from '../../domain/postal/localities.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { secretNames } from '../../entities/declaration/marks.ts';
import { MAX_BATCH_READS } from '../../shared/limits.ts';
import { startOfDate, toDate } from '../../shared/time/time.ts';
import {
  type IdSource,
  findContactFacts,
  findLastIdOf,
  findOrganizationFacts,
  hasInvoiceSince,
  hasOrganizationIndex,
  listAllChannels,
  listOrganizationIds,
  readRecords,
} from '../../store/download-records.ts';
import type { DownloadRecord } from '../../store/downloads.ts';
import { findTakesPayments } from '../../store/payment-providers.ts';
import { LARGE_ACCOUNT_IDS } from '../../store/dynamodb/records.ts';
import type { StoreReader } from '../../store/store.ts';

/** Rows with consecutive ids; it covers all ids of the download up to `through`. */
export interface DownloadPage {
  readonly through: number;
  readonly rows: readonly Row<unknown>[];
}

/** Pages to read ahead: the table answers in parallel, and each page holds at most 100 records. */
const PAGES_AHEAD = 4;

/**
 * Up to this many ids, an organization's records are picked from all records of the account. Beyond that, the index
 * finds them: reading every record of a large account for one of its many organizations would cost as much as the whole
 * account.
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
  /** Ids up to this one are done. */
  readonly after: number;
  readonly last: number;
  readonly index?: IndexOptions;
}

/** The last id that belongs to a download, determined at its start. */
export async function findLastRow(store: StoreReader, { Filter }: DownloadRecord, source: KindDefinition['source']) {
  if (source === 'Channel') return Number.MAX_SAFE_INTEGER;
  const last = await findLastIdOf(store, source);
  const isOrganization = source === 'Organization' || source === 'Forecast';
  return isOrganization && Filter.organizationId !== null ? Math.min(last, Filter.organizationId) : last;
}

/** The rows of a download in id order, page by page. */
export async function* listDownloadPages(store: StoreReader, input: PagesInput): AsyncGenerator<DownloadPage> {
  const loader = await RowLoader.open(store, input);
  if (input.definition.source === 'Channel') {
    if (input.after < input.last) yield loader.load(await listChannelRecords(store, input), input.last);
    return;
  }
  const ahead: Promise<DownloadPage>[] = [];
  for await (const ids of idChunks(store, input)) {
    const page = loader.loadIds(ids);
    // A page that fails throws where it is awaited.
    page.catch(() => undefined);
    ahead.push(page);
    if (ahead.length >= PAGES_AHEAD) yield (await ahead.shift()) as DownloadPage;
  }
  for (const page of ahead) yield await page;
  if (input.after < input.last) yield { through: input.last, rows: [] };
}

/** The ids of the download, ascending, in chunks of 100. */
async function* idChunks(store: StoreReader, input: PagesInput): AsyncGenerator<number[]> {
  const { download, definition, after, last, index: { maxReadIds = MAX_READ_IDS, settleMilliseconds } = {} } = input;
  const { source } = definition;
  const { organizationId } = download.Filter;
  if (organizationId !== null && (source === 'Organization' || source === 'Forecast')) {
    if (organizationId > after && organizationId <= last) yield [organizationId];
    return;
  }
  if (organizationId !== null && last > maxReadIds && hasOrganizationIndex(source)) {
    const records = { source, organizationId, last, startedAt: download.CreatedAt };
    const found = await listOrganizationIds(store, records, settleMilliseconds);
    const ids = found.filter((id) => id > after && id <= last);
    for (let first = 0; first < ids.length; first += MAX_BATCH_READS)
      yield [...ids.subarray(first, first + MAX_BATCH_READS)];
    return;
  }
  for (let first = after + 1; first <= last; first += MAX_BATCH_READS)
    yield Array.from({ length: Math.min(MAX_BATCH_READS, last - first + 1) }, (_, index) => first + index);
}

async function listChannelRecords(store: StoreReader, { definition, after }: PagesInput): Promise<unknown[]> {
  const channels = await listAllChannels(store);
  const records = definition.fromChannels?.(channels) ?? channels;
  return records.filter(({ Id }) => Id > after);
}

/** Organizations that a run caches. */
const MAX_ORGANIZATIONS = 2_000;
/** Contacts whose invoices are looked up at once. */
const LOOKUPS_AT_ONCE = 20;

/** Turns records into rows: selects them, and loads what their columns need from other records. */
class RowLoader {
  readonly #store: StoreReader;
  readonly #download: DownloadRecord;
  readonly #definition: KindDefinition;
  readonly #attributes: readonly string[];
  readonly #read: (stored: Stored) => unknown;
  readonly #postal: Postal | undefined;
  readonly #known = new Map<number, OrganizationFacts>();

  private constructor(store: StoreReader, { download, definition }: PagesInput, postal: Postal | undefined) {
    const attributes = attributesOf(definition, download.Filter);
    this.#store = store;
    this.#download = download;
    this.#definition = definition;
    // Secrets of organizations are for Owner and Admin; for other roles their columns stay empty.
    const secrets: readonly string[] = download.WithTaxpayer ? [] : secretNames(definition.entity?.fields ?? {});
    this.#attributes = attributes.filter((name) => !secrets.includes(name));
    const part = definition.entity?.part(...this.#attributes);
    this.#read = (stored) => (part ? part.read(stored) : stored);
    this.#postal = postal;
  }

  static async open(store: StoreReader, input: PagesInput): Promise<RowLoader> {
    const hasPositions = input.definition.zipOf && isOptionOn(input.download.Filter, 'IncludeGeoShapes');
    const postal = hasPositions ? await loadPostalData() : undefined;
    return new RowLoader(store, input, postal);
  }

  async loadIds(ids: readonly number[]): Promise<DownloadPage> {
    const source = this.#definition.source as IdSource;
    const stored = await readRecords(this.#store, { source, attributes: this.#attributes }, ids);
    return this.load(stored.map(this.#read), ids.at(-1) ?? 0);
  }

  async load(records: readonly unknown[], through: number): Promise<DownloadPage> {
    const { Filter: filter, CreatedAt: now } = this.#download;
    const { organizationOf, contactIdOf, zipOf, items } = this.#definition;
    const matching = await this.#selectByRecord(records);
    if (!matching.length) return { through, rows: [] };
    const contactIds = contactIdOf ? matching.map(contactIdOf) : [];
    const [organizations, contacts, takesPayments] = await Promise.all([
      this.#findOrganizations(matching),
      findContactFacts(this.#store, contactIds, contactAttributes(filter)),
      findTakesPayments(this.#store),
    ]);
    const factsOf = (record: unknown) => organizations.get(organizationOf(record) ?? 0);
    const isLeftOut = leavesOutSuspended(this.#definition, filter)
      ? (record: unknown) => factsOf(record)?.Suspended === true
      : () => false;
    const kept = matching.filter((record) => !isLeftOut(record));
    const selected = await this.#selectInvoiced(kept, (record) => factsOf(record)?.Timezone);
    const rows: Row<unknown>[] = [];
    for (const record of selected) {
      const contact = contactIdOf && contacts.get(contactIdOf(record));
      const position = this.#postal?.find(zipOf?.(record, contact) ?? '')?.position;
      const organization = factsOf(record);
      for (const item of items(record, filter))
        rows.push({ item, organization, contact, takesPayments, position, now });
    }
    return { through, rows };
  }

  async #selectByRecord(records: readonly unknown[]): Promise<readonly unknown[]> {
    const { Filter: filter, CreatedAt: now } = this.#download;
    const zones = hasDays(filter) ? await this.#findOrganizations(records) : undefined;
    return records.filter((record) => {
      const zone = zones?.get(this.#definition.organizationOf(record) ?? 0)?.Timezone;
      return isSelected(this.#definition, record, filter, { now, zone });
    });
  }

  async #findOrganizations(records: readonly unknown[]): Promise<ReadonlyMap<number, OrganizationFacts>> {
    const { Filter: filter } = this.#download;
    const known = this.#known;
    const ids = new Set(records.flatMap((record) => this.#definition.organizationOf(record) ?? []));
    if (known.size > MAX_ORGANIZATIONS) known.clear();
    const missing = [...ids].filter((id) => !known.has(id));
    const found = await findOrganizationFacts(this.#store, missing, organizationAttributes(filter));
    for (const [id, facts] of found) known.set(id, facts);
    // Another page may have emptied the cache meanwhile.
    return new Map(
      [...ids].flatMap((id) => {
        const facts = found.get(id) ?? known.get(id);
        return facts ? [[id, facts] as const] : [];
      }),
    );
  }

  /** The contacts that have an invoice since a date, which is a date of their organization. */
  async #selectInvoiced(
    records: readonly unknown[],
    zoneOf: (record: unknown) => string | undefined,
  ): Promise<readonly unknown[]> {
    const { Filter } = this.#download;
    const { from, firstDay } = Filter.spans.Invoiced ?? {};
    if (from === undefined || this.#definition.kind !== 'contacts') return records;
    const isInvoiced = await mapWithConcurrency(records, LOOKUPS_AT_ONCE, (record) => {
      const zone = zoneOf(record);
      const since = zone !== undefined && firstDay !== undefined ? startOfDate(toDate(firstDay), zone) : from;
      return hasInvoiceSince(this.#store, { contact: (record as { Id: number }).Id, from: since });
    });
    return records.filter((_, index) => isInvoiced[index]);
  }
}
