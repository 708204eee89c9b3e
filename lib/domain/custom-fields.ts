import type { CustomField } from '../resources/custom-fields.ts';
import { isEqual } from '../shared/equality.ts';
import type { FieldError } from '../shared/field-errors.ts';
import { parseDate } from '../shared/read-moments.ts';
import { fold } from '../shared/text.ts';

/** A value kept for a custom field. */
export interface CustomValue {
  readonly Id: number;
  readonly Value: unknown;
}

/** A custom field as a request names it: by Id, Shortcode or Name. */
export interface CustomFieldInput {
  readonly Id?: number | null | undefined;
  readonly Shortcode?: string | null | undefined;
  readonly Name?: string | null | undefined;
  readonly Value?: unknown;
}

const named =
  ({ Id, Shortcode, Name }: CustomFieldInput) =>
  (field: CustomField): boolean =>
    Id
      ? field.Id === Id
      : Shortcode
        ? fold(field.Shortcode) === fold(Shortcode)
        : Boolean(Name) && fold(field.Name) === fold(Name ?? '');

const isOption = ({ Options }: CustomField, value: unknown): boolean =>
  Options.some((option) => option.Value === value || option.Label === value);

/** Why a value does not fit its field, or `undefined`; the numbers are those of CustomField.Type. */
function misfit(field: CustomField, value: unknown): string | undefined {
  const options = field.Options.map((option) => option.Value || option.Label).join(', ');
  switch (field.Type) {
    case 1:
      return typeof value === 'number' ? undefined : 'must be a number';
    case 2:
      return typeof value === 'string' && parseDate(value, 'UTC').ok ? undefined : 'must be a date';
    case 3:
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 4:
      return isOption(field, value) ? undefined : `must be one of ${options}`;
    case 5:
      return Array.isArray(value) && value.every((each) => isOption(field, each))
        ? undefined
        : `must be a list of any of ${options}`;
    default:
      return typeof value === 'string' ? undefined : 'must be text';
  }
}

/**
 * The values after a request: those it names replaced or (with `null`) gone, the others as they were. Faults name the
 * field by its place in the list.
 */
export function applyCustomFieldInputs(
  values: readonly CustomValue[],
  fieldInput: readonly CustomFieldInput[],
  definitions: readonly CustomField[],
): { values: CustomValue[]; errors: FieldError[] } {
  const merged = new Map(values.map((value) => [value.Id, value]));
  const errors: FieldError[] = [];
  fieldInput.forEach((input, index) => {
    const field = definitions.find(named(input));
    // A value may be sent back as it is, also when the options have changed since.
    const isChange = input.Value != null && !isEqual(input.Value, field && merged.get(field.Id)?.Value);
    const why = field
      ? isChange && misfit(field, input.Value)
      : 'names no custom field there is, by Id, Shortcode or Name';
    if (why) errors.push({ field: `CustomFields[${index}]${field ? '.Value' : ''}`, message: why });
    else if (field && input.Value === null) merged.delete(field.Id);
    else if (field && input.Value !== undefined) merged.set(field.Id, { Id: field.Id, Value: input.Value });
  });
  return { values: [...merged.values()], errors };
}

/** The complete custom fields of a thing: each definition that has a value, with it. */
export const customFieldsToResource = (
  values: readonly CustomValue[],
  definitions: readonly CustomField[],
): CustomField[] =>
  values.flatMap(({ Id, Value }) =>
    definitions.filter((field) => field.Id === Id).map((field) => ({ ...field, Value })),
  );
