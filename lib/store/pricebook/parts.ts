import { LRUCache } from 'lru-cache';
import { idOf, listRange, versionedChange } from '../dynamodb/records.ts';
import { type PartRecord, partEntity } from '../../entities/parts.ts';
import { MAX_DEPTH } from '../../domain/pricebook/assemblies.ts';
import type { Change } from '../dynamodb/changes.ts';
import { layout } from '../keys.ts';
import { findBookRevision } from './price-book.ts';
import type { StoreAccount, StoreReader } from '../store.ts';

const SHARDS = 8;

export const partKey = ({ account }: StoreAccount, id: number) => layout.part.key({ account, shard: id % SHARDS, id });

/** Parts in the order of `ids`, without those that do not exist. One request for up to 100. */
export async function findParts(store: StoreReader, ids: readonly number[]): Promise<PartRecord[]> {
  const { table } = store;
  const unique = [...new Set(ids)];
  const items = unique.length ? await table.getMany(unique.map((id) => partKey(store, id))) : [];
  const byId = new Map(items.map((item) => [idOf(item), partEntity.read(item)]));
  return unique.flatMap((id) => byId.get(id) ?? []);
}

/** Parts by id, with the items of assemblies and theirs: one round per level. */
export async function findPartsWithItems(store: StoreReader, ids: readonly number[]): Promise<Map<number, PartRecord>> {
  const parts = new Map<number, PartRecord>();
  let missing = [...new Set(ids)];
  for (let level = 0; missing.length && level <= MAX_DEPTH; level++) {
    const found = await findParts(store, missing);
    for (const part of found) parts.set(part.Id, part);
    const items = found.flatMap(({ AssemblyItems }) => AssemblyItems.map(({ PartId }) => PartId));
    missing = [...new Set(items)].filter((id) => !parts.has(id));
  }
  return parts;
}

/** Parts belong to the account: every organization sees them. */
export async function findPart(store: StoreReader, id: number): Promise<PartRecord | undefined> {
  const { table } = store;
  const item = await table.get(partKey(store, id));
  return item && partEntity.read(item);
}

/** All parts, by id: one round per MB of the fullest shard, some 6,000 parts. */
export async function listParts({ account, table }: StoreReader): Promise<PartRecord[]> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => layout.part.of({ account, shard }));
  const pages = await Promise.all(shards.map((partition) => listRange(table, { partition, consistent: true })));
  return pages
    .flat()
    .map((item) => partEntity.read(item))
    .sort((a, b) => a.Id - b.Id);
}

/** By account and revision; the limit on parts fits the largest price book, and those of several others. */
const remembered = new LRUCache<string, readonly PartRecord[]>({
  maxSize: 20_000,
  sizeCalculation: (parts) => Math.max(1, parts.length),
});

/**
 * All current parts, by id: the revision of the parts is read consistently, and the container remembers the parts of a
 * revision (decision 24). They are shared, so nobody may change them.
 */
export async function listRememberedParts(store: StoreReader): Promise<readonly PartRecord[]> {
  const { account } = store;
  const revision = await findBookRevision(store);
  if (!revision) return listParts(store);
  const name = `${account}#${revision.parts}`;
  const known = remembered.get(name);
  if (known) return known;
  const parts = await listParts(store);
  remembered.set(name, parts);
  return parts;
}

export const partChange = (store: StoreAccount, before: PartRecord | undefined, after: PartRecord): Change =>
  versionedChange(partEntity, partKey(store, after.Id), { before, after }).change;
