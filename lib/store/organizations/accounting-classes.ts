import { type AccountingClassRecord, accountingClassEntity } from '../../entities/postal-codes.ts';
import { idOf, listRange, versionedChange } from '../dynamodb/records.ts';
import type { TakenCode } from '../../domain/postal-ownership.ts';
import { toKeyText } from '../../shared/text/text.ts';
import type { Change, Condition } from '../dynamodb/changes.ts';
import { ownKey } from '../visibility.ts';
import { type Key, layout, padded } from '../keys.ts';
import { postalClassChanges } from './postal-ownership.ts';
import type { StoreReader } from '../store.ts';

/** The accounting classes of an organization, by id. */
export async function listClasses(
  { account, table }: StoreReader,
  organizationId: number,
): Promise<AccountingClassRecord[]> {
  const organization = padded(organizationId);
  const partition = layout.accountingClass.of({ account });
  const range = { partition, from: `${organization}#`, to: `${organization}#~`, consistent: true };
  return (await listRange(table, range)).map(accountingClassEntity.read);
}

/** The accounting classes of all organizations. */
export const listAllClasses = async ({ table, account }: StoreReader): Promise<AccountingClassRecord[]> =>
  (await listRange(table, { partition: layout.accountingClass.of({ account }), consistent: true })).map(
    accountingClassEntity.read,
  );

/** The accounting class with a key. */
export async function findClass(store: StoreReader, key: Key): Promise<AccountingClassRecord | undefined> {
  const item = await store.table.get(ownKey(store, key));
  return item && accountingClassEntity.read(item);
}

/** The changes of one transaction, or the codes that belong to other classes of the organization. */
type ClassWrite =
  | { readonly kind: 'taken'; readonly taken: readonly TakenCode[] }
  | { readonly kind: 'ready'; readonly record: AccountingClassRecord; readonly changes: readonly Change[] };

/** The condition for taking a name: nobody has it, or the class that has it is gone. */
async function freeName({ table, account }: StoreReader, organization: number, guard: Key): Promise<Condition> {
  const found = await table.get(guard);
  if (!found) return 'absent';
  const id = idOf(found);
  const owner = await table.get(layout.accountingClass.key({ account, organization, id }));
  return owner ? 'absent' : { equals: { Id: id } };
}

/** Stores a class with the guard of its unique name, and its codes where contacts look them up. */
export async function classChanges(
  store: StoreReader,
  before: AccountingClassRecord | undefined,
  after: AccountingClassRecord,
): Promise<ClassWrite> {
  const { account } = store;
  const { Id: id, OrganizationId: organization, AccountingClass, TerritoryID } = after;
  const guard = (name: string) => layout.accountingClassName.key({ account, organization, name: toKeyText(name) });
  const isRenamed = !before || toKeyText(before.AccountingClass) !== toKeyText(AccountingClass);
  const [postal, isFree] = await Promise.all([
    postalClassChanges(
      store,
      { OrganizationId: organization, Id: id, AccountingClass, TerritoryID },
      {
        before: before?.PostalCodes ?? [],
        after: after.PostalCodes,
        renamed: before?.AccountingClass !== AccountingClass || before.TerritoryID !== TerritoryID,
      },
    ),
    isRenamed ? freeName(store, organization, guard(AccountingClass)) : undefined,
  ]);
  if (postal.kind === 'taken') return postal;
  const key = layout.accountingClass.key({ account, organization, id });
  const { record, change } = versionedChange(accountingClassEntity, key, { before, after });
  return {
    kind: 'ready',
    record,
    changes: [
      change,
      ...postal.changes,
      ...(isFree ? [{ put: { ...guard(AccountingClass), Id: id }, if: isFree }] : []),
      ...(isRenamed && before ? [{ remove: guard(before.AccountingClass), if: { equals: { Id: id } } }] : []),
    ],
  };
}
