import type { CustomField } from '../../resources/custom-fields.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { isFormulaName, parseFormula } from '../formula.ts';

/** A thing of the book is one item of the table, and 100 of them one transaction of at most 4 MB. */
const MAX_THING_BYTES = 40_000;

/** A fault where a thing is too large to be kept. */
export function checkSize(record: object, field: string): FieldError[] {
  const bytes = Buffer.byteLength(JSON.stringify(record));
  return bytes <= MAX_THING_BYTES
    ? []
    : [{ field, message: `is too large: ${bytes} bytes, of which ${MAX_THING_BYTES} can be kept` }];
}

/** A fault for each of `names` that is below zero. */
export const notNegative = <Thing extends object>(
  record: Thing,
  names: readonly (keyof Thing & string)[],
  field: string,
): FieldError[] =>
  names.flatMap((name) =>
    ((record[name] as number | null) ?? 0) < 0 ? [{ field: `${field}.${name}`, message: 'must be at least 0' }] : [],
  );

const NUMBER = 1;

/** The custom fields that hold a number. */
export const numericFields = (customFields: readonly CustomField[]): CustomField[] =>
  customFields.filter(({ Type }) => Type === NUMBER);

/** What a formula of the price book may read: quantity, base, unit, and numeric custom fields by shortcode. */
export const formulaNames = (customFields: readonly CustomField[]): ReadonlySet<string> =>
  new Set([
    'quantity',
    'base',
    'unit',
    ...numericFields(customFields).flatMap(({ Shortcode }) => (isFormulaName(Shortcode) ? [Shortcode] : [])),
  ]);

/** Why a text is no formula over these names; nothing when it is one, or empty. */
export function checkFormula(text: string, names: ReadonlySet<string>, field: string): FieldError[] {
  if (text.trim() === '') return [];
  const parsed = parseFormula(text, names);
  return parsed.ok ? [] : [{ field, message: `must be a formula. ${parsed.message}` }];
}
