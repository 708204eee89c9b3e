import type { BookThing } from '../domain/pricebook/records.ts';
import type { Change } from './changes.ts';
import type { TableReader } from './client.ts';
import { layout } from './layout.ts';
import { readRange } from './ranges.ts';

/** The small lists of a price book; services and parts are kept apart. */
export type BookEntryKind = 'partTemplates' | 'dimensions' | 'revenueCategories' | 'proposalTemplates';

const prefixes: Record<BookEntryKind, string> = {
  partTemplates: 'PartTemplate',
  dimensions: 'Dimension',
  revenueCategories: 'RevenueCategory',
  proposalTemplates: 'ProposalTemplate',
};

/** The entries of one kind, by id, as they are at this moment. */
export async function listBookEntries<Kind extends BookEntryKind>(
  table: TableReader,
  account: string,
  kind: Kind,
): Promise<Map<number, BookThing<Kind>>> {
  const prefix = prefixes[kind];
  const range = {
    partition: layout.bookEntry.of({ account }),
    from: `${prefix}#`,
    to: `${prefix}#~`,
    consistent: true,
  };
  const things = (await readRange(table, range)).map((item) => item['Of'] as BookThing<Kind>);
  return new Map(things.map((thing) => [thing.Id, thing]));
}

/** One entry, where it exists. */
export async function findBookEntry<Kind extends BookEntryKind>(
  table: TableReader,
  account: string,
  kind: Kind,
  id: number,
): Promise<BookThing<Kind> | undefined> {
  return (await table.get(layout.bookEntry.key({ account, kind: prefixes[kind], id })))?.['Of'] as
    BookThing<Kind> | undefined;
}

/** The change that stores an entry. */
export const bookEntryChange = <Kind extends BookEntryKind>(
  account: string,
  kind: Kind,
  after: BookThing<Kind>,
): Change => ({
  put: { ...layout.bookEntry.key({ account, kind: prefixes[kind], id: after.Id }), Of: after },
});
