import {
  type AccountingClassPostalCodes,
  type AccountingClassRecord,
  accountingClassEntity,
} from '../entities/postal-codes.ts';
import { type FieldsInput, type Input, applyText } from '../resources/fields.ts';
import type { accountingClassFields } from '../resources/settings.ts';
import { type FieldError, collectErrors } from '../shared/failure.ts';
import { matchesWords, splitWords, toKeyText } from '../shared/text/text.ts';
import { LIST_LIMITS, describeLimit, exceedsLimit } from './list-limits.ts';
import { parsePostalCodes, servesCode } from './postal-ownership.ts';

export type AccountingClassInput = Input<typeof AccountingClassPostalCodes>;

export const accountingClassToResource = (record: AccountingClassRecord): AccountingClassPostalCodes =>
  accountingClassEntity.toResource(record);

/** Finds the class of an input by Id, else by name. */
export const findClassByName = (
  classes: readonly AccountingClassRecord[],
  { Id, AccountingClass }: AccountingClassInput,
): AccountingClassRecord | undefined =>
  classes.find((each) =>
    Id ? each.Id === Id : AccountingClass && toKeyText(each.AccountingClass) === toKeyText(AccountingClass.trim()),
  );

/** Whether a class meets every given criterion; empty ones do not count. */
export function matchesClass(
  record: AccountingClassRecord,
  {
    AccountingClassId,
    NameSearch,
    Name,
    TerritoryID,
    PostalCodes,
  }: FieldsInput<ReturnType<typeof accountingClassFields>>,
): boolean {
  const { codes } = parsePostalCodes(PostalCodes ?? []);
  return (
    (!AccountingClassId || AccountingClassId === record.Id) &&
    (!NameSearch || matchesWords(splitWords(NameSearch), splitWords(record.AccountingClass))) &&
    (!Name || toKeyText(Name.trim()) === toKeyText(record.AccountingClass)) &&
    (!TerritoryID || TerritoryID.trim() === record.TerritoryID) &&
    (!codes.length || codes.some((code) => servesCode(record.PostalCodes, code)))
  );
}

/** Applies an input: absent fields stay, `null` clears, PostalCodes replaces the whole list. */
export function applyClassInput(
  before: AccountingClassRecord,
  input: AccountingClassInput,
): { merged: AccountingClassRecord; errors: FieldError[] } {
  const { codes, error } = parsePostalCodes(input.PostalCodes ?? []);
  const merged = {
    ...before,
    AccountingClass: applyText(input.AccountingClass, before.AccountingClass),
    TerritoryID: applyText(input.TerritoryID, before.TerritoryID),
    PostalCodes: input.PostalCodes === undefined ? before.PostalCodes : codes,
  };
  const errors = collectErrors(
    ['AccountingClass', !merged.AccountingClass && 'is required', 'required'],
    ['PostalCodes', error, 'format'],
  );
  return { merged, errors };
}

/** The error of a class that would make the classes of its organization too many or too large. */
export function classLimitError(
  classes: readonly AccountingClassRecord[],
  record: AccountingClassRecord,
): FieldError | undefined {
  const others = classes.filter(({ Id }) => Id !== record.Id);
  if (!exceedsLimit(LIST_LIMITS.accountingClasses, classes, [...others, record])) return undefined;
  const message = `exceeds the limit of classes in an organization: ${describeLimit(LIST_LIMITS.accountingClasses)}`;
  return { field: others.length < classes.length ? 'PostalCodes' : 'AccountingClass', code: 'limit', message };
}
