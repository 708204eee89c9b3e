import type { AccountingClassRecord } from '../domain/accounting-classes.ts';
import type { TakenCode } from '../domain/postal-ownership.ts';
import { toKeyText } from '../shared/text.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { listRange, toRecord, versionedChange } from './dynamodb/records.ts';
import { layout, padded } from './keys.ts';
import { postalClassChanges } from './postal-ownership.ts';

/** The accounting classes of an organization, by id. */
export async function listClasses(
  table: TableReader,
  account: string,
  organizationId: number,
): Promise<AccountingClassRecord[]> {
  const organization = padded(organizationId);
  const range = {
    partition: layout.accountingClass.of({ account }),
    from: `${organization}#`,
    to: `${organization}#~`,
    consistent: true,
  };
  return (await listRange(table, range)).map((item) => toRecord<AccountingClassRecord>(item));
}

/**
 * Whether a class could be stored: the changes of one transaction, or the codes that other classes of the organization
 * have.
 */
export type ClassWrite =
  | { readonly kind: 'taken'; readonly taken: readonly TakenCode[] }
  | { readonly kind: 'ready'; readonly record: AccountingClassRecord; readonly changes: readonly Change[] };

/** Stores a class in its new state, with the guard of its name and its codes where contacts find them. */
export async function classChanges(
  table: TableReader,
  account: string,
  before: AccountingClassRecord | undefined,
  after: AccountingClassRecord,
): Promise<ClassWrite> {
  const { Id: id, OrganizationId: organization, AccountingClass, TerritoryID } = after;
  const renamed = before?.AccountingClass !== AccountingClass || before.TerritoryID !== TerritoryID;
  const booked = await postalClassChanges(
    table,
    account,
    { OrganizationId: organization, Id: id, AccountingClass, TerritoryID },
    { before: before?.PostalCodes ?? [], after: after.PostalCodes, renamed },
  );
  if (booked.kind === 'taken') return booked;
  const guard = (name: string) => layout.accountingClassName.key({ account, organization, name: toKeyText(name) });
  const moved = !before || toKeyText(before.AccountingClass) !== toKeyText(AccountingClass);
  const { record, change } = versionedChange(
    'AccountingClass',
    layout.accountingClass.key({ account, organization, id }),
    { before, after },
  );
  return {
    kind: 'ready',
    record,
    changes: [
      change,
      ...booked.changes,
      ...(moved ? [{ put: { ...guard(AccountingClass), Id: id }, if: 'absent' } as const] : []),
      ...(moved && before ? [{ remove: guard(before.AccountingClass), if: { equals: { Id: id } } }] : []),
    ],
  };
}
