import type { StoreReader } from './store.ts';
import type { Where } from './dynamodb/filters.ts';
import { type RecordKind, findByIds } from './dynamodb/records.ts';
import { LAST_DATED, idInOrderKey, orderKeyIn, shorten } from './indexes.ts';
import { type Key, indexLayout, momentKey } from './keys.ts';

/** Maximum number of entries that are read from one list: some 60 KB, 8 read units. */
const MAX_READ = 200;

interface ContactList {
  readonly contact: number;
  readonly kind: Pick<RecordKind<never>, 'name' | 'listed'>;
  /** Earliest date, milliseconds since 1970. */
  readonly from: number;
  /** The required facts. */
  readonly where: Where;
  readonly order: 'newest' | 'oldest';
  readonly most: number;
}

/**
 * The ids of a contact's first records, by date, for display: a change shows within a second. One request, regardless
 * of how much the contact has. Excludes records without a date.
 */
export async function listContactRecordIds(
  { table, account }: StoreReader,
  { contact, kind, from, where, order, most }: ContactList,
): Promise<number[]> {
  const { items } = await table.query({
    index: 'GSI4',
    partition: indexLayout.GSI4.of({ account, contact, kind: kind.name }),
    from: momentKey(from),
    to: `${LAST_DATED}~`,
    descending: order === 'newest',
    limit: MAX_READ,
    attributes: ['GSI4SK'],
    where: shorten(kind, where),
  });
  return items.slice(0, most).map((item) => idInOrderKey(orderKeyIn(String(item['GSI4SK']))));
}

/** The records that belong to the contact, in the order of their ids, for display. One request for some 100. */
export async function findContactRecords<RecordType extends { readonly Id: number; readonly ContactId: number | null }>(
  { table, account }: StoreReader,
  entity: RecordKind<RecordType>,
  {
    contact,
    ids,
    key,
  }: {
    readonly contact: number;
    readonly ids: readonly number[];
    readonly key: (values: { account: string; id: number }) => Key;
  },
): Promise<RecordType[]> {
  const found = await findByIds(table, entity, ids, (id) => key({ account, id }), { consistent: false });
  return found.filter(({ ContactId }) => ContactId === contact);
}
