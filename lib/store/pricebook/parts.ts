import { LRUCache } from 'lru-cache';
import { idOf, listRange, versionedChange } from '../dynamodb/records.ts';
import { type PartRecord, partEntity } from '../../entities/parts.ts';
import { MAX_DEPTH } from '../../domain/pricebook/assemblies.ts';
import type { Change } from '../dynamodb/changes.ts';
import type { TableReader } from '../dynamodb/table.ts';
import { layout } from '../keys.ts';
import { findBookRevision } from './price-book.ts';

const SHARDS = 8;

export const partKey = (account: string, id: number) => layout.part.key({ account, shard: id % SHARDS, id });

/** Parts in the order of `ids`, without those that do not exist. One request for up to 100. */
export async function findParts(table: TableReader, account: string, ids: readonly number[]): Promise<PartRecord[]> {
  const unique = [...new Set(ids)];
  const items = unique.length ? await table.getMany(unique.map((id) => partKey(account, id))) : [];
  const byId = new Map(items.map((item) => [idOf(item), partEntity.read(item)]));
  return unique.flatMap((id) => byId.get(id) ?? []);
}

/** Parts by id, with the items of assemblies and theirs: one round for each level. */
export async function findPartsWithItems(
  table: TableReader,
  account: string,
  ids: readonly number[],
): Promise<Map<number, PartRecord>> {
  const parts = new Map<number, PartRecord>();
  let missing = [...new Set(ids)];
  for (let level = 0; missing.length && level <= MAX_DEPTH; level++) {
    const found = await findParts(table, account, missing);
    for (const part of found) parts.set(part.Id, part);
    const items = found.flatMap(({ AssemblyItems }) => AssemblyItems.map(({ PartId }) => PartId));
    missing = [...new Set(items)].filter((id) => !parts.has(id));
  }
  return parts;
}

/** Parts belong to the account: every organization sees them. */
export async function findPart(table: TableReader, account: string, id: number): Promise<PartRecord | undefined> {
  const item = await table.get(partKey(account, id));
  return item && partEntity.read(item);
}

/** All parts, by id: one round for each MB of the fullest shard, some 6,000 parts. */
export async function listParts(table: TableReader, account: string): Promise<PartRecord[]> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => layout.part.of({ account, shard }));
  const pages = await Promise.all(shards.map((partition) => listRange(table, { partition, consistent: true })));
  return pages
    .flat()
    .map((item) => partEntity.read(item))
    .sort((a, b) => a.Id - b.Id);
}

/** By account and revision; at most so many parts: the largest price book, and those of several others. */
const remembered = new LRUCache<string, readonly PartRecord[]>({
  maxSize: 20_000,
  sizeCalculation: (parts) => Math.max(1, parts.length),
});

/**
 * All parts, by id, as they are now: the revision of the parts is read strongly, and the container remembers those of a
 * revision (decision 24). They are shared: nobody may change them.
 */
export async function listRememberedParts(table: TableReader, account: string): Promise<readonly PartRecord[]> {
  const revision = await findBookRevision(table, account);
  if (!revision) return listParts(table, account);
  const name = `${account}#${revision.parts}`;
  const known = remembered.get(name);
  if (known) return known;
  const parts = await listParts(table, account);
  remembered.set(name, parts);
  return parts;
}

export const partChange = (account: string, before: PartRecord | undefined, after: PartRecord): Change =>
  versionedChange(partEntity, partKey(account, after.Id), { before, after }).change;
