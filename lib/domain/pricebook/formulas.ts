import type { CustomField } from '../../resources/custom-fields.ts';
import type { Fault } from '../faults.ts';
import { isFormulaName, parseFormula } from '../formula.ts';

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
export function checkFormula(text: string, names: ReadonlySet<string>, field: string): Fault[] {
  if (text.trim() === '') return [];
  const parsed = parseFormula(text, names);
  return parsed.ok ? [] : [{ field, message: `must be a formula. ${parsed.message}` }];
}
