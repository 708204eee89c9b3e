import { type AccountingClassRecord, type ShardClass, postalShareEntity } from '../../entities/postal-codes.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { type PostalShard, emptyShard, shardOfCode } from '../../domain/postal-ownership.ts';
import { isEqual } from '../../shared/objects.ts';
import type { Change, Item } from '../../store/dynamodb/changes.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import { type Key, accountOfKey, layout } from '../../store/keys.ts';
import { findClass, listAllClasses } from '../../store/organizations/accounting-classes.ts';
import { findOrganization, listOrganizations } from '../../store/organizations/organizations.ts';
import type { Problem } from './problem.ts';
import { type StoreReader, accountStore } from '../../store/store.ts';

const codesOf = (text: string): string[] => (text ? text.split(',') : []);
const sorted = (text: string): string => codesOf(text).sort().join(',');

/** The expected state of a share, as far as these lists determine it. */
interface ExpectedShare {
  readonly shard: PostalShard;
  readonly organizations: readonly OrganizationRecord[];
  readonly classes: readonly AccountingClassRecord[];
}

/** An organization must own its postal codes in the shares where new contacts look up their owner. */
export async function examineTerritory(table: TableReader, key: Key): Promise<Problem[]> {
  const account = accountOfKey(key);
  const store = account && accountStore(table, account);
  const organization = store && (await findOrganization(store, Number(key.SK)));
  if (!organization) return [];
  return compareShares(store, codesOf(organization.PostalCodes), (stored, codes) => ({
    shard: { ...stored, Owners: { ...stored.Owners, [organization.Id]: codes.join(',') } },
    organizations: [organization],
    classes: [],
  }));
}

/** An accounting class must have its postal codes in the shares where new contacts look up their class. */
export async function examineClassCodes(table: TableReader, key: Key): Promise<Problem[]> {
  const account = accountOfKey(key);
  const store = account && accountStore(table, account);
  const record = store && (await findClass(store, key));
  if (!record) return [];
  return compareShares(store, record.PostalCodes, (stored, codes) => {
    const others = stored.Classes.filter((each) => nameOfClass(each) !== nameOfClass(record));
    const shard = { ...stored, Classes: [...others, toShardClass(record, codes)] };
    return { shard, organizations: [], classes: [record] };
  });
}

/** The postal codes in a share must be in the lists of their organizations and accounting classes. */
export async function examinePostalShare(table: TableReader, key: Key): Promise<Problem[]> {
  const account = accountOfKey(key);
  const item = await table.get(key);
  if (!account || !item) return [];
  const store = accountStore(table, account);
  const share = Number(key.PK.split('#')[3]);
  const inShare = (codes: readonly string[]) => codes.filter((code) => shardOfCode(code) === share);
  const [organizations, classes] = await Promise.all([listOrganizations(store), listAllClasses(store)]);
  const Owners = Object.fromEntries(
    organizations.map(({ Id, PostalCodes }) => [Id, inShare(codesOf(PostalCodes)).join(',')]),
  );
  const Classes = classes.map((each) => toShardClass(each, inShare(each.PostalCodes)));
  return compareShare(account, key, item, { shard: { Owners, Classes }, organizations, classes });
}

/** Compares the shares with codes of one list, if they do not hold the whole list. */
async function compareShares(
  { account, table }: StoreReader,
  list: readonly string[],
  expect: (stored: PostalShard, codes: readonly string[]) => ExpectedShare,
): Promise<Problem[]> {
  const shares = [...Map.groupBy(list, shardOfCode)];
  const problems = await Promise.all(
    shares.map(async ([share, codes]) => {
      const key = layout.postalShare.key({ account, share });
      const item = await table.get(key);
      return compareShare(account, key, item, expect(shardOf(item), codes));
    }),
  );
  return problems.flat();
}

const shardOf = (item: Item | undefined): PostalShard => (item ? postalShareEntity.read(item) : emptyShard);

const nameOfClass = ({ OrganizationId, Id }: Pick<ShardClass, 'OrganizationId' | 'Id'>): string =>
  `${OrganizationId}#${Id}`;

const toShardClass = (
  { OrganizationId, Id, AccountingClass, TerritoryID }: AccountingClassRecord,
  codes: readonly string[],
): ShardClass => ({ OrganizationId, Id, AccountingClass, TerritoryID, Codes: codes.join(',') });

/** Lists without codes do not belong in a share, and the order of codes means nothing. */
const comparable = ({ Owners, Classes }: PostalShard) => ({
  owners: new Map(Object.entries(Owners).flatMap(([id, codes]) => (codes ? [[id, sorted(codes)] as const] : []))),
  classes: new Map(
    Classes.filter(({ Codes }) => Codes).map((each) => [
      nameOfClass(each),
      { AccountingClass: each.AccountingClass, TerritoryID: each.TerritoryID, Codes: sorted(each.Codes) },
    ]),
  ),
});

const differingNames = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((name) => !isEqual(one.get(name), other.get(name)));

function compareShare(
  account: string,
  key: Key,
  item: Item | undefined,
  { shard, organizations, classes }: ExpectedShare,
): Problem[] {
  const [stored, expected] = [comparable(shardOf(item)), comparable(shard)];
  const owners = differingNames(stored.owners, expected.owners);
  const booked = differingNames(stored.classes, expected.classes);
  if (!owners.length && !booked.length) return [];
  const differ = (noun: string, ids: readonly string[]) =>
    ids.length ? [`the postal codes of ${noun} ${ids.join(', ')} differ from its list`] : [];
  const classIds = booked.map((name) => name.split('#')[1] ?? '');
  const message = [...differ('organization', owners), ...differ('accounting class', classIds)].join('; ');
  // If two lists have the same code, a person must decide.
  if (hasSharedCode(shard)) return [{ kind: 'guard', key, message }];
  const V = (item?.['V'] as number | undefined) ?? 0;
  const Owners = Object.fromEntries(Object.entries(shard.Owners).filter(([, codes]) => codes));
  const put = { ...key, Owners, Classes: shard.Classes.filter(({ Codes }) => Codes), V: V + 1 };
  const unchanged = [
    ...organizations
      .filter(({ Id }) => owners.includes(String(Id)))
      .map(({ Id, V: version }) => unchangedAt(layout.organization.key({ account, id: Id }), version)),
    ...classes
      .filter((each) => booked.includes(nameOfClass(each)))
      .map(({ OrganizationId: organization, Id: id, V: version }) =>
        unchangedAt(layout.accountingClass.key({ account, organization, id }), version),
      ),
  ];
  const changes: Change[] = [{ put, if: V ? { equals: { V } } : 'absent' }, ...unchanged.slice(0, MAX_CONDITIONS)];
  return [{ kind: 'guard', key, message, repair: { message: 'writes the codes of the lists', changes } }];
}

/** DynamoDB has at most 100 items in a transaction. */
const MAX_CONDITIONS = 90;

const unchangedAt = (key: Key, version: number): Change => ({ check: key, if: { equals: { V: version } } });

/** Whether two organizations own a code, or two classes of one organization have it. */
function hasSharedCode({ Owners, Classes }: PostalShard): boolean {
  const owned = Object.values(Owners).flatMap(codesOf);
  const booked = Classes.flatMap(({ OrganizationId, Codes }) =>
    codesOf(Codes).map((code) => `${OrganizationId} ${code}`),
  );
  return new Set(owned).size < owned.length || new Set(booked).size < booked.length;
}
