import type { Caller } from '../../store/caller.ts';
import { type TakenCode, describeTaken } from '../../domain/postal-ownership.ts';
import { described, id, list, text } from '../../resources/fields.ts';
import { many } from '../../resources/resource.ts';
import { AccountingClassPostalCodes } from '../../resources/settings.ts';
import { type Failure, conflict, invalid, notFound } from '../../shared/failure.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { findOnlyOrganization } from '../../store/accounts.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { findOrganization } from '../../store/organizations.ts';

/** What all three take: one class, or what to look for. */
export const classFields = () => ({
  NameSearch: described(text(200), 'Words, for get; each must begin a word of the name.'),
  OrganizationId: id(),
  AccountingClassId: id(),
  Name: text(100),
  TerritoryID: text(100),
  PostalCodes: described(list(text(20)), 'The whole list; for get, classes that have one of them.'),
});

/** What all three answer. */
export const toMatches = () => ({ Matches: many(AccountingClassPostalCodes) });

/** The organization whose classes are meant: the one given, else the key's own or the only one there is. */
export async function classOrganization(
  table: TableReader,
  caller: Caller,
  input: number | null | undefined,
  now: Date,
): Promise<number> {
  const id = input ?? caller.organizationId ?? (await findOnlyOrganization(table, caller.accountId, now));
  if (id === undefined)
    throw invalid({ field: 'OrganizationId', message: 'is required, because the account has several organizations' });
  if (input && !(await findOrganization(table, caller.accountId, input)))
    throw notFound('organization', 'OrganizationId', input);
  return id;
}

/** 400 with the faults of a class by the names its fields have in these operations. */
export const classErrors = (errors: readonly FieldError[]): Failure =>
  invalid(...errors.map(({ field, message }) => ({ field: field === 'AccountingClass' ? 'Name' : field, message })));

/** 409 that names the classes which have the codes. */
export function assignPostalCodes(taken: readonly TakenCode[]): Failure {
  const owners = new Map(taken.map(({ by, name = '' }) => [by, name]));
  return conflict(
    [...owners].map(([by, name]) => describeTaken(taken, by, `accounting class ${by} (${name})`)).join(' '),
  );
}
