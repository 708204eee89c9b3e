import type { AccountingClassRecord } from '../domain/accounting-classes.ts';
import type { Taken } from '../domain/postal-ownership.ts';
import { keyText } from '../shared/text.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { readRange } from './dynamodb/ranges.ts';
import { nextVersion, thingOf } from './dynamodb/records.ts';
import { layout, padded } from './keys.ts';
import { bookPostalCodes } from './postal-ownership.ts';

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
  return (await readRange(table, range)).map((item) => thingOf<AccountingClassRecord>(item));
}

/**
 * Whether a class could be stored: the changes of one transaction, or the codes that other classes of the organization
 * have.
 */
export type ClassWrite =
  | { readonly kind: 'taken'; readonly taken: readonly Taken[] }
  | { readonly kind: 'ready'; readonly thing: AccountingClassRecord; readonly changes: readonly Change[] };

/** Stores a class in its new state, with the guard of its name and its codes where contacts find them. */
export async function writeClass(
  table: TableReader,
  account: string,
  before: AccountingClassRecord | undefined,
  after: AccountingClassRecord,
): Promise<ClassWrite> {
  const { Id: id, OrganizationId: organization, AccountingClass, TerritoryID } = after;
  const renamed = before?.AccountingClass !== AccountingClass || before.TerritoryID !== TerritoryID;
  const booked = await bookPostalCodes(
    table,
    account,
    { OrganizationId: organization, Id: id, AccountingClass, TerritoryID },
    { before: before?.PostalCodes ?? [], after: after.PostalCodes, renamed },
  );
  if (booked.kind === 'taken') return booked;
  const guard = (name: string) => layout.accountingClassName.key({ account, organization, name: keyText(name) });
  const moved = !before || keyText(before.AccountingClass) !== keyText(AccountingClass);
  const { thing, change } = nextVersion('AccountingClass', layout.accountingClass.key({ account, organization, id }), {
    before,
    after,
  });
  return {
    kind: 'ready',
    thing,
    changes: [
      change,
      ...booked.changes,
      ...(moved ? [{ put: { ...guard(AccountingClass), Id: id }, if: 'absent' } as const] : []),
      ...(moved && before ? [{ remove: guard(before.AccountingClass), if: { equals: { Id: id } } }] : []),
    ],
  };
}
