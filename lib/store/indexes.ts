import type { ListEntry } from '../entities/declaration/entity.ts';
import { InternalError } from '../shared/failure.ts';
import { isVisible, listedContacts, ownKey } from './visibility.ts';
import type { StoreAccount, StorePager } from './store.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import type { Range } from './dynamodb/table.ts';
import { type RecordKind, type Versioned, findByIds, versionedChange } from './dynamodb/records.ts';
import { type Facts, type Span, type Where, listConditions, matchesFacts } from './dynamodb/filters.ts';
import type { Page } from './dynamodb/lists/lists.ts';
import { readFixedPage } from './dynamodb/lists/pagination.ts';
import { RangesReader, readShortest } from './dynamodb/lists/range-entries.ts';
import {
  type Key,
  MOMENT_OFFSET,
  UNDATED,
  attributes,
  dateKey,
  factNames,
  indexLayout,
  momentKey,
  openLayout,
  padded,
} from './keys.ts';
import type { DateSpan, TimeSpan } from '../shared/time/read-moments.ts';
import { dayNumber, toLocalDay } from '../shared/time/time.ts';
import { DateFilter } from './date-filter.ts';

/** Number of partitions of an account's list; each takes 1,000 writes per second, like those of the table. */
export const INDEX_SHARDS = 8;

const FIRST = '00000000000000';
export const LAST_DATED = '99999999999998';

/** Facts, or conditions on them, under the table's short names for the kind. */
export const shorten = <Value>(
  { name: kind, listed }: Pick<RecordKind<never>, 'name' | 'listed'>,
  values: Readonly<Record<string, Value | undefined>>,
): Record<string, Value> => {
  const names = { ...factNames['all'], ...(listed?.facts ?? factNames[kind]) };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[names[name] ?? name, value]])),
  );
};

/** What determines where a record is in the indexes. */
export interface IndexedRecord extends ListEntry {
  readonly account: string;
  readonly organization: number;
  readonly contact: number | null;
  /** A list holds records of one kind. */
  readonly kind: Pick<RecordKind<never>, 'name' | 'listed'>;
  readonly updated: number;
  readonly id: number;
}

/** What an index knows about the day of a record, in days since 1970. */
interface DayFacts {
  /** Its calendar date, unaffected by changes of the organization's zone. */
  readonly day?: number;
  /** The date of its moment, in the organization's zone at the time. */
  readonly localDay?: number;
}

/** The facts of a record with a calendar date, or with a moment in a zone (`''`: unknown). */
function dayFacts({ day, at, zone }: { day: string; at: number | null; zone: string }): DayFacts {
  if (day) return { day: dayNumber(day) };
  return at === null || !zone ? {} : { localDay: toLocalDay(at, zone) };
}

/** The partition of open records in the index by time of change; each organization's are in one of 8. */
const openPartition = ({ account }: StoreAccount, kind: string, organization: number): string =>
  openLayout.of({ account, kind, shard: organization % INDEX_SHARDS });

/** The attributes of an item in the four indexes, for versionedChange. */
export function indexKeys(record: IndexedRecord): Record<string, unknown> {
  const { account, organization, contact, kind, date, day = '', zone = '', updated, id, open, facts } = record;
  const values = {
    account,
    kind: kind.name,
    shard: id % INDEX_SHARDS,
    organization,
    id,
    date: dateKey(date),
    updated: momentKey(updated),
  };
  const keys = {
    GSI1: indexLayout.GSI1.key(values),
    GSI2: indexLayout.GSI2.key(values),
    GSI3: open ? openLayout.key({ ...values, shard: organization % INDEX_SHARDS }) : indexLayout.GSI3.key(values),
    ...(contact === null ? {} : { GSI4: indexLayout.GSI4.key({ ...values, contact }) }),
  };
  const keyAttributes = Object.entries(keys).flatMap(([index, { PK, SK }]) => [
    [`${index}PK`, PK],
    [`${index}SK`, SK],
  ]);
  return {
    ...Object.fromEntries(keyAttributes),
    [attributes.facts]: shorten(kind, { ...facts, ...dayFacts({ day, at: date, zone }), organization, updated }),
  };
}

/** The fields that every listed record has. */
interface ListedRecord extends Versioned {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly ContactId: number | null;
  /** When it was last changed, in milliseconds since 1970. */
  readonly Updated: number;
}

/** The change that stores a record in its next version, in the table and its indexes; and that version. */
export function indexedRecordChange<RecordType extends ListedRecord>(
  store: StoreAccount,
  entity: RecordKind<RecordType>,
  { key, ...entry }: ListEntry & { readonly key: Key },
  { before, after }: { before: RecordType | undefined; after: RecordType },
): { record: RecordType; change: Change } {
  const { Id: id, OrganizationId: organization, ContactId: contact, Updated: updated } = after;
  const indexes = indexKeys({ account: store.account, kind: entity, id, organization, contact, updated, ...entry });
  return versionedChange(entity, ownKey(store, key), { before, after, indexes });
}

/** A record before and after a change. */
export interface Transition<RecordType> {
  readonly before: RecordType | undefined;
  readonly after: RecordType;
  readonly now: Date;
}

/** The change that stores a record and its places in lists, as its entity declares them; and the record as stored. */
export function listedChange<RecordType extends ListedRecord>(
  store: StoreAccount,
  entity: RecordKind<RecordType>,
  { key }: { readonly key: (of: { readonly account: string; readonly id: number }) => Key },
  { before, after, now }: Transition<RecordType>,
): { record: RecordType; change: Change } {
  if (!entity.listed) throw new InternalError(`${entity.name} is in no list`);
  const current = { ...after, Updated: now.getTime() };
  const entry = { ...entity.listed.entry(current), key: key({ account: store.account, id: current.Id }) };
  return indexedRecordChange(store, entity, entry, { before, after: current });
}

/** What determines which index a query reads. */
export interface Criteria {
  readonly account: string;
  /** The organization that the caller asks for or is bound to; `null` for all. */
  readonly organization: number | null;
  readonly kind: string;
  /** The contacts that matches belong to; absent for any. */
  readonly contacts?: readonly number[] | undefined;
  readonly date?: IndexSpan | undefined;
  readonly updated?: Span | undefined;
  /** Whether only open records match. */
  readonly open?: boolean | undefined;
}

/** A span of moments. With `orUndated`, records without a date match too. */
interface IndexSpan extends Span {
  readonly orUndated?: boolean | undefined;
}

const isRestricted = ({ from, through }: Span): boolean => from !== undefined || through !== undefined;

/** The first and the last sort key of a span of dates. A span that is open at both ends includes undated records. */
function dateKeys(span: IndexSpan): { from: string; to: string } {
  const open = isRestricted(span) && !span.orUndated ? LAST_DATED : UNDATED;
  const last = span.through === undefined ? open : momentKey(span.through);
  return { from: span.from === undefined ? FIRST : momentKey(span.from), to: `${last}~` };
}

type Shards = (range: (shard: number) => Range) => Range[];
const allShards: Shards = (range) => Array.from({ length: INDEX_SHARDS }, (_, shard) => range(shard));
const oneShard =
  (shard: number): Shards =>
  (range) => [range(shard)];

/**
 * The ranges that contain all matches: those of the contact, otherwise those by date, in the organization or across the
 * account; and alternatively those by the time of the last change, or of open work.
 */
export function indexRanges({
  account,
  organization,
  kind,
  contacts,
  date = {},
  updated = {},
  open = false,
}: Criteria): Range[][] {
  const dates = dateKeys(date);
  if (contacts !== undefined)
    return [
      contacts.map((contact) => ({
        index: 'GSI4',
        partition: indexLayout.GSI4.of({ account, contact, kind }),
        ...dates,
      })),
    ];
  const changes = isRestricted(updated) ? dateKeys(updated) : {};
  const openShards = organization === null ? allShards : oneShard(organization % INDEX_SHARDS);
  const byUpdate: Range[] = [
    ...openShards((shard) => ({ index: 'GSI3', partition: openLayout.of({ account, kind, shard }), ...changes })),
    ...(open
      ? []
      : allShards((shard) => ({
          index: 'GSI3',
          partition: indexLayout.GSI3.of({ account, kind, shard }),
          ...changes,
        }))),
  ];
  const byDate: Range[] =
    organization === null
      ? allShards((shard) => ({ index: 'GSI1', partition: indexLayout.GSI1.of({ account, kind, shard }), ...dates }))
      : [{ index: 'GSI2', partition: indexLayout.GSI2.of({ account, organization, kind }), ...dates }];
  if (!open && !isRestricted(updated)) return [byDate];
  // An account never has fewer records than open or changed ones.
  return organization === null && !isRestricted(date) ? [byUpdate] : [byUpdate, byDate];
}

/**
 * Ranges with every record of an organization that changed since a moment, and others of the account. Open records are
 * read twice, before and after the others, so that one that is closed or opened meanwhile is in one of them.
 */
export function changeRanges({
  account,
  organization,
  kind,
  from,
}: Pick<Criteria, 'account' | 'kind'> & { readonly organization: number; readonly from: number }): Range[] {
  const range = { index: 'GSI3', from: momentKey(from), where: { [ORGANIZATION]: organization } } as const;
  const open = { ...range, partition: openPartition({ account }, kind, organization) };
  const others = allShards((shard) => ({ ...range, partition: indexLayout.GSI3.of({ account, kind, shard }) }));
  return [open, ...others, open];
}

const ORDER_KEY_LENGTH = `${UNDATED}#${padded(0)}`.length;

/** The last part of an entry's sort key, the same in every index: date and id. Lists are ordered by it. */
export const orderKeyIn = (sortKey: string): string => sortKey.slice(-ORDER_KEY_LENGTH);
export const idInOrderKey = (orderKey: string): number => Number(orderKey.slice(-10));

/** Whether an entry is within a span of moments, which the index by time of change does not ensure. */
export function isDated(orderKey: string, span: IndexSpan = {}): boolean {
  const { from, to } = dateKeys(span);
  return orderKey >= from && orderKey <= to;
}

/** The date at the beginning of an order key. */
export const momentIn = (orderKey: string): number => Number(orderKey.slice(0, FIRST.length)) - MOMENT_OFFSET;

interface IndexEntry {
  readonly orderKey: string;
  /** Empty if moments alone decide. */
  readonly facts: Facts;
}

/** The order keys of the entries that are in the spans. */
async function select(filter: DateFilter, entries: readonly IndexEntry[]): Promise<readonly string[]> {
  if (filter.isExact) return entries.map(({ orderKey }) => orderKey);
  const dated = entries.map((entry) => ({ ...entry, at: momentIn(entry.orderKey) }));
  return (await filter.select(dated)).map(({ orderKey }) => orderKey);
}

/** A span restricted to a moment and later; an open one includes records without a date. */
export const sinceMoment = ({ from, through }: Span, since: number): IndexSpan => ({
  from: Math.max(from ?? -Infinity, since),
  through,
  orUndated: from === undefined && through === undefined,
});

/** The criteria that every list of indexed records takes; a repository adds its facts as `where`. */
export type Query = Page &
  Pick<Criteria, 'open'> & {
    readonly date?: DateSpan | undefined;
    readonly updated?: DateSpan | undefined;
    readonly contact?: number | undefined;
    readonly id?: number | undefined;
    /** Records dated before this moment do not match. */
    readonly since?: number | undefined;
  };

/** The table's names for the facts of the organization and of the last change. */
const ORGANIZATION = factNames['all']?.['organization'] ?? '';
const UPDATED = factNames['all']?.['updated'] ?? '';

/** The range of the last change: no record's last change is earlier than any of its moments. */
function changedWithin(ranges: Readonly<Record<string, TimeSpan>>): TimeSpan {
  const from = Object.values(ranges).flatMap((range) => range.from ?? []);
  return { from: from.length ? Math.max(...from) : undefined, through: ranges[UPDATED]?.through };
}

const factsOf = (item: Item): Facts => (item[attributes.facts] ?? {}) as Facts;

interface RecordQuery extends Query {
  /** The facts required of the kind. */
  readonly where: Where;
  /** Spans of moments among the facts that cannot be later than the record's last change. */
  readonly changedAfter?: Readonly<Record<string, DateSpan>>;
  /** What `where` means, if it depends on the time: all pages of one query must have the same query. */
  readonly meaning?: unknown;
  readonly key: (values: { account: string; id: number }) => Key;
}

/**
 * The records of a kind that meet all criteria, by date, then id, with undated ones last; and their exact number.
 * Throws RangeTooLarge if more entries would have to be read than one call may.
 */
export async function listRecords<RecordType extends { readonly Id: number }>(
  store: StorePager,
  entity: RecordKind<RecordType>,
  query: RecordQuery,
  now: Date,
): Promise<{ count: number; records: RecordType[] }> {
  const { table } = store;
  const { account, organizationId: organization, reader } = store;
  const { name: kind } = entity;
  const { contact, date = {}, changedAfter = {}, open, id, skip, take } = query;
  const keyOf = (recordId: number) => query.key({ account, id: recordId });
  const moments = { ...changedAfter, updated: query.updated ?? {} };
  const [filter, contacts] = await Promise.all([
    DateFilter.open(store, { date, moments: shorten(entity, moments) }),
    listedContacts(store, contact),
  ]);
  const ranges = filter.momentRanges;
  const where = { ...shorten(entity, { ...query.where, organization: organization ?? undefined }), ...ranges };
  const range = query.since === undefined ? filter.range : sinceMoment(filter.range, query.since);
  const isListed = (of: unknown) => contacts === undefined || contacts.some((each) => each === of);
  if (contacts?.length === 0 || (range.from ?? -Infinity) > (range.through ?? Infinity))
    return { count: 0, records: [] };
  if (id !== undefined) {
    const item = await table.get(keyOf(id));
    const orderKey = orderKeyIn(String(item?.['GSI1SK']));
    const isMatch =
      item && matchesFacts(factsOf(item), where) && isListed(item['ContactId']) && isDated(orderKey, range);
    const found = isMatch ? await select(filter, [{ orderKey, facts: factsOf(item) }]) : [];
    const records = item ? found.map(() => entity.read(item)) : [];
    return { count: records.length, records: records.slice(skip, skip + take) };
  }
  const criteria = { account, organization, kind, contacts, date: range, updated: changedWithin(ranges), open };
  const attributeNames = filter.isExact ? [] : [attributes.facts];
  const toEntry = (item: Item, { index }: Range): IndexEntry | undefined => {
    const orderKey = orderKeyIn(String(item[`${index}SK`]));
    return isDated(orderKey, range) ? { orderKey, facts: factsOf(item) } : undefined;
  };
  /** The ids in the order of the list. A record that moves in an index while it is read may occur twice. */
  async function findAll() {
    const readers = indexRanges(criteria).map((ranges) => {
      const filtered = ranges.map((each) => ({ ...each, where, attributes: [`${each.index}SK`, ...attributeNames] }));
      return new RangesReader(table, filtered, toEntry);
    });
    const orderKeys = await select(filter, await readShortest(readers, kind.toLowerCase()));
    return { ids: [...new Set([...orderKeys].sort().map(idInOrderKey))] };
  }
  return readFixedPage<RecordType>(
    table,
    {
      account,
      reader,
      query: JSON.stringify([
        kind,
        organization,
        contact ?? null,
        date,
        moments,
        query.meaning ?? listConditions(where),
      ]),
      findAll,
      async read(ids) {
        const records = await findByIds(table, entity, ids, keyOf, { consistent: false });
        const isOwn = (record: Readonly<Record<string, unknown>>) =>
          isVisible({ organizationId: organization }, record) && isListed(record['ContactId']);
        return records.filter((record) => isOwn({ ...record }));
      },
      skip,
      take,
    },
    now,
  );
}
