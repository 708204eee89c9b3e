import { importedLinesEntity } from '../entities/imports.ts';
import { DAY, SECOND } from '../shared/time/time.ts';
import type { Change } from './dynamodb/changes.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { listRange } from './dynamodb/records.ts';
import { layout } from './keys.ts';
import type { StoreAccount, StoreReader } from './store.ts';

/** A file imported again after this time counts as new. */
const REMEMBERED_SECONDS = (30 * DAY) / SECOND;

/**
 * The change that remembers lines of a file as imported, by a hash of its content, in the same transaction as their
 * records: each line is imported once, wherever a run ends. It fails if another run of the same file was first.
 */
export const importedLinesChange = (
  { account }: StoreAccount,
  hash: string,
  lines: readonly number[],
  now: Date,
): Change => ({
  put: {
    ...layout.importedLines.key({ account, hash, line: lines[0] ?? 0 }),
    Lines: lines,
    TTL: ttlAfter(now, REMEMBERED_SECONDS),
  },
  if: 'absent',
});

/** The lines of a file that have been imported. */
export async function findImportedLines({ table, account }: StoreReader, hash: string): Promise<Set<number>> {
  const items = await listRange(table, { partition: layout.importedLines.of({ account, hash }), consistent: true });
  return new Set(items.flatMap((item) => importedLinesEntity.read(item).Lines));
}
