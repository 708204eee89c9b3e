import { visitsLeft } from '../domain/subscriptions/series.ts';
import type { AppointmentRecord } from '../entities/appointments.ts';
import { type SeriesRecord, seriesEntity } from '../entities/series.ts';
import type { Change } from './dynamodb/changes.ts';
import { versionedChange } from './dynamodb/records.ts';
import type { TableReader } from './dynamodb/table.ts';
import { type Key, layout } from './keys.ts';
import type { StoreAccount, StoreReader } from './store.ts';

/** The key of a series: a subscription's by its proposal, others by the first visit. */

const bookedKey = ({ account }: StoreAccount, id: number): Key => layout.series.key({ account, source: 'BOOKING', id });
const soldKey = ({ account }: StoreAccount, id: number): Key => layout.series.key({ account, source: 'PROPOSAL', id });

const findAt = async (table: TableReader, key: Key): Promise<SeriesRecord | undefined> => {
  const item = await table.get(key);
  return item && seriesEntity.read(item);
};

export const findSoldSeries = (store: StoreReader, proposal: number) => findAt(store.table, soldKey(store, proposal));

export const findBookedSeries = (store: StoreReader, firstVisit: number) =>
  findAt(store.table, bookedKey(store, firstVisit));

/** The series of a visit, and the visit's position in it, counted from 0. */
export async function findSeriesOf(
  store: StoreReader,
  { Id, SeriesId, Sold }: Pick<AppointmentRecord, 'Id' | 'SeriesId' | 'Sold'>,
): Promise<{ readonly series: SeriesRecord; readonly place: number } | undefined> {
  if (!SeriesId && !Sold) return undefined;
  const series = SeriesId
    ? await findBookedSeries(store, SeriesId)
    : await findSoldSeries(store, Sold?.ProposalId ?? 0);
  const place = series?.VisitIds.indexOf(Id) ?? -1;
  return series && place >= 0 ? { series, place } : undefined;
}

/** The change that stores a series, with what is left to do. */
export function seriesChange(
  store: StoreAccount,
  { before, after, now }: { before: SeriesRecord | undefined; after: SeriesRecord; now: Date },
): Change {
  const key = after.ProposalId ? soldKey(store, after.ProposalId) : bookedKey(store, after.Id);
  const series = { ...after, Left: visitsLeft(after), Updated: now.getTime() };
  return versionedChange(seriesEntity, key, { before, after: series }).change;
}
