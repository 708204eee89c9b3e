import { gunzipSync, gzipSync } from 'node:zlib';
import { importedEntryEntity } from '../entities/imports.ts';
import type { Item } from './dynamodb/changes.ts';
import { listRange } from './dynamodb/records.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { KEPT_SECONDS } from './import-runs.ts';
import { type Key, layout, toKey } from './keys.ts';
import type { StoreReader, StoreWriter } from './store.ts';

/**
 * Entries of a company file that an import changes. An entry may have a logo and thousands of postal codes, so it is
 * compressed, in as many items as it needs.
 */

/** An entry by its position in the run: JSON. */
export interface ImportedEntry {
  readonly entry: number;
  readonly text: string;
}

export interface StoredImportedEntry extends ImportedEntry {
  readonly keys: readonly Key[];
}

/** Maximum compressed bytes per item, whose limit is 400 KB. */
const PART_BYTES = 350_000;

/** Notes entries at once, before any of them is imported. Safe to repeat. */
export async function writeImportedEntries(
  { table, account }: StoreWriter,
  run: number,
  entries: readonly ImportedEntry[],
): Promise<void> {
  const TTL = ttlAfter(new Date(), KEPT_SECONDS);
  const items = entries.flatMap(({ entry, text }): Item[] => {
    const bytes = gzipSync(text);
    const Parts = Math.ceil(bytes.length / PART_BYTES);
    return Array.from({ length: Parts }, (_, part) => {
      const Bytes = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
      const key = layout.importedEntry.key({ account, run, entry, part });
      return { ...key, ...importedEntryEntity.write({ Parts, Bytes }), TTL };
    });
  });
  if (items.length) await table.putMany(items);
}

/**
 * The entries that a run noted, in order. An entry that lacks a part was not imported, because the import was killed
 * before.
 */
export async function listImportedEntries(
  { table, account }: StoreReader,
  run: number,
): Promise<StoredImportedEntry[]> {
  const items = await listRange(table, { partition: layout.importedEntry.of({ account, run }), consistent: true });
  const entries = Map.groupBy(items, ({ SK }) => Number(SK.split('#')[0]));
  return [...entries].flatMap(([entry, own]) => {
    const parts = own.map((part) => importedEntryEntity.read(part));
    if (parts.length !== parts[0]?.Parts) return [];
    const text = gunzipSync(Buffer.concat(parts.map(({ Bytes }) => Bytes))).toString();
    return [{ entry, text, keys: own.map(toKey) }];
  });
}
