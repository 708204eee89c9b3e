import { MAX_DEPTH } from '../domain/pricebook/assemblies.ts';
import type { PartRecord } from '../domain/pricebook/record.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { listRange, toRecord, versionedChange } from './dynamodb/records.ts';
import { layout } from './keys.ts';

const SHARDS = 8;
const shards = Array.from({ length: SHARDS }, (_, shard) => shard);

const keyOf = (account: string, id: number) => layout.part.key({ account, shard: id % SHARDS, id });

/** The parts of ids, in their order, as far as they exist. One request for up to 100. */
export async function findParts(table: TableReader, account: string, ids: readonly number[]): Promise<PartRecord[]> {
  const unique = [...new Set(ids)];
  const items = unique.length ? await table.getMany(unique.map((id) => keyOf(account, id))) : [];
  const found = new Map(items.map((item) => [item['Id'] as number, toRecord<PartRecord>(item)]));
  return unique.flatMap((id) => found.get(id) ?? []);
}

/** The parts of ids, by id, and the items of those that are assemblies, and theirs: a round a level. */
export async function findPartsWithItems(
  table: TableReader,
  account: string,
  ids: readonly number[],
): Promise<Map<number, PartRecord>> {
  const parts = new Map<number, PartRecord>();
  let wanted = [...new Set(ids)];
  for (let level = 0; wanted.length && level <= MAX_DEPTH; level++) {
    const found = await findParts(table, account, wanted);
    for (const part of found) parts.set(part.Id, part);
    wanted = [...new Set(found.flatMap(({ AssemblyItems }) => AssemblyItems.map(({ PartId }) => PartId)))].filter(
      (id) => !parts.has(id),
    );
  }
  return parts;
}

/** The part, where it exists: all parts belong to the account, and every organization sees them. */
export async function findPart(table: TableReader, account: string, id: number): Promise<PartRecord | undefined> {
  const item = await table.get(keyOf(account, id));
  return item && toRecord<PartRecord>(item);
}

/** All parts, by id: one round a MB of the fullest of eight shards, some 6,000 parts. */
export async function listParts(table: TableReader, account: string): Promise<PartRecord[]> {
  const partitions = shards.map((shard) => layout.part.of({ account, shard }));
  const items = (
    await Promise.all(partitions.map((partition) => listRange(table, { partition, consistent: true })))
  ).flat();
  return items.map((item) => toRecord<PartRecord>(item)).sort((a, b) => a.Id - b.Id);
}

/** The change that stores a part. */
export const partChange = (account: string, before: PartRecord | undefined, after: PartRecord): Change =>
  versionedChange('Part', keyOf(account, after.Id), { before, after }).change;
