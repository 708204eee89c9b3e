import { type ImportedRecord, importedRecordEntity } from '../entities/imports.ts';
import type { UndoneKind } from '../domain/imports/import-runs.ts';
import { mapWithConcurrency } from '../shared/promises.ts';
import type { Item } from './dynamodb/changes.ts';
import { listRange } from './dynamodb/records.ts';
import { listImportRuns } from './import-runs.ts';
import { type Key, layout, padded, toKey } from './keys.ts';
import type { StoreReader } from './store.ts';

/**
 * What runs have noted of the records that they were about to change.
 */

/** For an erasure, which reads what each run noted of a record. */
const RANGES_AT_ONCE = 16;

/** What an import was about to change in a record, and where that is noted. */
export interface NotedChange extends ImportedRecord {
  readonly key: Key;
}

const toNoted = (item: Item): NotedChange => ({ ...importedRecordEntity.readDeclared(item), key: toKey(item) });

/** Records of one kind that a run was about to change, each with its changes in order, one table page at a time. */
export async function* listImported(
  { table, account }: StoreReader,
  run: number,
  kind: string,
): AsyncGenerator<[NotedChange, ...NotedChange[]]> {
  const partition = layout.importedRecord.of({ account, run });
  let record: [NotedChange, ...NotedChange[]] | undefined;
  let after: string | undefined;
  do {
    const page = await table.query({ partition, from: `${kind}#`, to: `${kind}#~`, after, consistent: true });
    for (const change of page.items.map(toNoted)) {
      if (record && recordOf(record[0]) === recordOf(change)) record.push(change);
      else {
        if (record) yield record;
        record = [change];
      }
    }
    after = page.next;
  } while (after !== undefined);
  if (record) yield record;
}

const recordOf = ({ key }: NotedChange): string => key.SK.slice(0, key.SK.lastIndexOf('#'));

/** Where runs have noted the previous state of records, for the erasure of a person. */
export async function listImportedOf(store: StoreReader, kind: UndoneKind, ids: readonly number[]): Promise<Key[]> {
  const { table, account } = store;
  const runs = ids.length ? await listImportRuns(store) : [];
  const places = runs.flatMap(({ Id: run }) =>
    ids.map((id) => ({ partition: layout.importedRecord.of({ account, run }), from: `${kind}#${padded(id)}#` })),
  );
  const found = await mapWithConcurrency(places, RANGES_AT_ONCE, ({ partition, from }) =>
    listRange(table, { partition, from, to: `${from}~`, consistent: true, attributes: ['PK', 'SK'] }),
  );
  return found.flat().map(toKey);
}
