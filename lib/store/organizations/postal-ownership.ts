import { type PostalClass, postalShareEntity } from '../../entities/postal-codes.ts';
import {
  type PostalShard,
  type ShardAssignment,
  type TakenCode,
  assignCodes,
  classifyCodes,
  emptyShard,
  shardOfCode,
} from '../../domain/postal-ownership.ts';
import type { Change } from '../dynamodb/changes.ts';
import { layout } from '../keys.ts';
import type { StoreReader } from '../store.ts';

/** Changes for the caller's transaction, or the codes that are taken. */
export type PostalChanges =
  | { readonly kind: 'taken'; readonly taken: readonly TakenCode[] }
  | { readonly kind: 'ready'; readonly changes: readonly Change[] };

/** A list of postal codes before and after. */
export interface ListChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The shards in which a list changes (all its shards with `every`), each with the new codes of the list. */
function affectedShards({ before, after }: ListChange, every = false): [number, string[]][] {
  const [previous, next] = [Map.groupBy(before, shardOfCode), Map.groupBy(after, shardOfCode)];
  const isUnchanged = (shard: number) => {
    const [old, codes] = [previous.get(shard) ?? [], next.get(shard) ?? []];
    return old.length === codes.length && old.every((code) => codes.includes(code));
  };
  return [...new Set([...previous.keys(), ...next.keys()])]
    .filter((shard) => every || !isUnchanged(shard))
    .map((shard) => [shard, next.get(shard) ?? []]);
}

async function shardChanges(
  { account, table }: StoreReader,
  shards: readonly [number, string[]][],
  assign: (shard: PostalShard, codes: readonly string[]) => ShardAssignment,
): Promise<PostalChanges> {
  const keyed = shards.map(([share, codes]) => ({ key: layout.postalShare.key({ account, share }), codes }));
  const items = await table.getMany(keyed.map(({ key }) => key));
  const stored = new Map(items.map((item) => [item.PK, postalShareEntity.read(item)]));
  const taken: TakenCode[] = [];
  const changes = keyed.flatMap(({ key, codes }): Change[] => {
    const before = stored.get(key.PK);
    const assignment = assign(before ?? emptyShard, codes);
    if (assignment.kind === 'taken') {
      taken.push(...assignment.taken);
      return [];
    }
    const { Owners, Classes } = assignment.shard;
    const put = { ...key, Owners, Classes, V: (before?.V ?? 0) + 1 };
    return [{ put, if: before ? { equals: { V: before.V } } : 'absent' }];
  });
  if (!taken.length) return { kind: 'ready', changes };
  return { kind: 'taken', taken: taken.sort((a, b) => (a.code < b.code ? -1 : 1)) };
}

/** Makes an organization the owner of exactly the codes of its list: at most 32 changes, however long the list is. */
export const postalOwnershipChanges = (
  store: StoreReader,
  organizationId: number,
  list: ListChange,
): Promise<PostalChanges> =>
  shardChanges(store, affectedShards(list), (shard, codes) => assignCodes(shard, organizationId, codes));

/** Books exactly the codes of a class's list under it. `renamed` if its name or territory changes, in every shard. */
export const postalClassChanges = (
  store: StoreReader,
  postalClass: PostalClass & { readonly OrganizationId: number },
  { renamed, ...list }: ListChange & { readonly renamed: boolean },
): Promise<PostalChanges> =>
  shardChanges(store, affectedShards(list, renamed), (shard, codes) => classifyCodes(shard, postalClass, codes));
