import type { AccountingClassPostalCodes } from '../resources/settings.ts';
import { type FieldError, applyText, collectErrors } from '../shared/field-errors.ts';
import { toKeyText, matchesWords, splitWords } from '../shared/text.ts';
import { type PostalClass, parsePostalCodes } from './postal-ownership.ts';

/** An accounting class of an organization, with its codes, normalised. */
export interface AccountingClassRecord extends PostalClass {
  readonly OrganizationId: number;
  readonly PostalCodes: readonly string[];
  readonly V: number;
}

/** A class as a request brings it. */
export interface AccountingClassInput {
  readonly Id?: number | null | undefined;
  readonly AccountingClass?: string | null | undefined;
  readonly TerritoryID?: string | null | undefined;
  readonly PostalCodes?: readonly string[] | null | undefined;
}

/** The class as operations answer it. */
export const accountingClassToResource = ({
  Id,
  AccountingClass,
  TerritoryID,
  PostalCodes,
}: AccountingClassRecord): AccountingClassPostalCodes => ({
  Id,
  AccountingClass,
  TerritoryID,
  PostalCodes: [...PostalCodes],
});

/** Which of an organization's classes a request speaks of: by Id, else by name. */
export const findClassByName = (
  classes: readonly AccountingClassRecord[],
  { Id, AccountingClass }: AccountingClassInput,
): AccountingClassRecord | undefined =>
  classes.find((each) =>
    Id ? each.Id === Id : AccountingClass && toKeyText(each.AccountingClass) === toKeyText(AccountingClass.trim()),
  );

/** What to look for among classes; what is empty or not given does not count. */
export interface ClassCriteria {
  /** Words, each of which must begin a word of the name. */
  readonly NameSearch?: string | null | undefined;
  readonly Name?: string | null | undefined;
  readonly TerritoryID?: string | null | undefined;
  /** The class must have one of them. */
  readonly PostalCodes?: readonly string[] | null | undefined;
}

/** Whether a class meets every criterion given. */
export function matchesClass(
  { AccountingClass, PostalCodes, ...of }: AccountingClassRecord,
  { NameSearch, Name, TerritoryID, ...criteria }: ClassCriteria,
): boolean {
  const { codes } = parsePostalCodes(criteria.PostalCodes ?? []);
  return (
    (!NameSearch || matchesWords(splitWords(NameSearch), splitWords(AccountingClass))) &&
    (!Name || toKeyText(Name.trim()) === toKeyText(AccountingClass)) &&
    (!TerritoryID || TerritoryID.trim() === of.TerritoryID) &&
    (!codes.length || codes.some((code) => PostalCodes.includes(code)))
  );
}

/**
 * A class with what a request brings laid over it: absent means unchanged, `null` clears; PostalCodes given are the
 * whole list.
 */
export function applyClassInput(
  of: AccountingClassRecord,
  input: AccountingClassInput,
): { merged: AccountingClassRecord; errors: FieldError[] } {
  const postalCodes = parsePostalCodes(input.PostalCodes ?? []);
  const merged = {
    ...of,
    AccountingClass: applyText(input.AccountingClass, of.AccountingClass),
    TerritoryID: applyText(input.TerritoryID, of.TerritoryID),
    PostalCodes: input.PostalCodes === undefined ? of.PostalCodes : postalCodes.codes,
  };
  const errors = collectErrors(
    ['AccountingClass', !merged.AccountingClass && 'is required'],
    ['PostalCodes', postalCodes.error],
  );
  return { merged, errors };
}
