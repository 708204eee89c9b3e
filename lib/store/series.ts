import { visitsLeft } from '../domain/subscriptions/series.ts';
import type { AppointmentRecord } from '../entities/appointments.ts';
import { type SeriesRecord, seriesEntity } from '../entities/series.ts';
import type { Change } from './dynamodb/changes.ts';
import { versionedChange } from './dynamodb/records.ts';
import type { TableReader } from './dynamodb/table.ts';
import { type Key, layout } from './keys.ts';

/** The visits that follow each other: a subscription's by its proposal, others by the first visit. */

const bookedKey = (account: string, id: number): Key => layout.series.key({ account, source: 'BOOKING', id });
const soldKey = (account: string, id: number): Key => layout.series.key({ account, source: 'PROPOSAL', id });

const findAt = async (table: TableReader, key: Key): Promise<SeriesRecord | undefined> => {
  const item = await table.get(key);
  return item && seriesEntity.read(item);
};

export const findSoldSeries = (table: TableReader, account: string, proposal: number) =>
  findAt(table, soldKey(account, proposal));

export const findBookedSeries = (table: TableReader, account: string, firstVisit: number) =>
  findAt(table, bookedKey(account, firstVisit));

/** The series of a visit, and its place in it, counted from 0. */
export async function findSeriesOf(
  table: TableReader,
  account: string,
  { Id, SeriesId, Sold }: Pick<AppointmentRecord, 'Id' | 'SeriesId' | 'Sold'>,
): Promise<{ readonly series: SeriesRecord; readonly place: number } | undefined> {
  if (!SeriesId && !Sold) return undefined;
  const series = SeriesId
    ? await findBookedSeries(table, account, SeriesId)
    : await findSoldSeries(table, account, Sold?.ProposalId ?? 0);
  const place = series?.VisitIds.indexOf(Id) ?? -1;
  return series && place >= 0 ? { series, place } : undefined;
}

/** The change that stores a series, with what is left to do. */
export function seriesChange(
  account: string,
  { before, after, now }: { before: SeriesRecord | undefined; after: SeriesRecord; now: Date },
): Change {
  const key = after.ProposalId ? soldKey(account, after.ProposalId) : bookedKey(account, after.Id);
  const series = { ...after, Left: visitsLeft(after), Updated: now.getTime() };
  return versionedChange(seriesEntity, key, { before, after: series }).change;
}
