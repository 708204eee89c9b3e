import { type PostalShard, emptyShard, shardOfCode } from '../../domain/postal-ownership.ts';
import type { OrganizationRecord } from '../../domain/organizations.ts';
import type { Item } from '../../store/dynamodb/changes.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { findOrganization, listOrganizations } from '../../store/organizations/organizations.ts';
import { type Key, accountOfKey, layout } from '../../store/keys.ts';
import type { Problem } from './problem.ts';

const codesOf = (text: string): string[] => (text ? text.split(',') : []);

/** The postal codes of an organization must be its own where new contacts look for their owner. */
export async function examineTerritory(table: TableReader, key: Key): Promise<Problem[]> {
  const account = accountOfKey(key);
  const organization = account && (await findOrganization(table, account, Number(key.SK)));
  if (!organization) return [];
  const shares = [...Map.groupBy(codesOf(organization.PostalCodes), shardOfCode)];
  const found = await Promise.all(shares.map(([share]) => table.get(layout.postalShare.key({ account, share }))));
  return shares.flatMap(([share, codes], index) => {
    const owned = new Set(codesOf(shardOf(found[index]).Owners[String(organization.Id)] ?? ''));
    const missing = codes.filter((code) => !owned.has(code));
    if (!missing.length) return [];
    return [compareShare(account, share, found[index], [organization])].flat();
  });
}

/** The postal codes that a share has must be in the lists of their organizations. */
export async function examinePostalShare(table: TableReader, key: Key): Promise<Problem[]> {
  const account = accountOfKey(key);
  const item = await table.get(key);
  if (!account || !item) return [];
  return compareShare(account, Number(key.PK.split('#')[3]), item, await listOrganizations(table, account));
}

const shardOf = (item: Item | undefined): PostalShard => (item as unknown as PostalShard | undefined) ?? emptyShard;

/** Owners as they follow from these organizations; those of others stay. */
function compareShare(
  account: string,
  share: number,
  item: Item | undefined,
  organizations: readonly OrganizationRecord[],
): Problem[] {
  const { Owners, Classes } = shardOf(item);
  const key = layout.postalShare.key({ account, share });
  const next: Record<string, string> = { ...Owners };
  for (const { Id, PostalCodes } of organizations) {
    const codes = codesOf(PostalCodes).filter((code) => shardOfCode(code) === share);
    if (codes.length) next[Id] = codes.join(',');
    else delete next[Id];
  }
  const sorted = (text: string | undefined) =>
    codesOf(text ?? '')
      .sort()
      .join(',');
  const differing = [...new Set([...Object.keys(Owners), ...Object.keys(next)])].filter(
    (id) => sorted(Owners[id]) !== sorted(next[id]),
  );
  if (!differing.length) return [];
  const message = `the postal codes of organization ${differing.join(', ')} differ from its list`;
  const all = Object.values(next).flatMap(codesOf);
  // Two lists with the same code: a person must decide.
  if (new Set(all).size < all.length) return [{ kind: 'guard', key, message }];
  const V = (item?.['V'] as number | undefined) ?? 0;
  const put = { ...key, Owners: next, Classes, V: V + 1 };
  const states = organizations
    .filter(({ Id }) => differing.includes(String(Id)))
    .map(({ Id, V: version }) => ({
      check: layout.organization.key({ account, id: Id }),
      if: { equals: { V: version } },
    }));
  const changes = [{ put, if: V ? { equals: { V } } : ('absent' as const) }, ...states.slice(0, 90)];
  return [{ kind: 'guard', key, message, repair: { message: 'writes the codes of the lists', changes } }];
}
