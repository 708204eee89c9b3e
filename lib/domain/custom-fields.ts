import type { CustomValue } from '../entities/declaration/fields.ts';
import type { CustomField } from '../resources/custom-fields.ts';
import type { Input } from '../resources/fields.ts';
import { isEqual } from '../shared/objects.ts';
import type { FieldError } from '../shared/failure.ts';
import { parseCalendarDate } from '../shared/time/read-moments.ts';
import { didYouMean } from '../shared/text/suggestions.ts';
import { fold } from '../shared/text/text.ts';

/** A value for the custom field of an Id, else of a Shortcode, else of a Name. */
export interface CustomFieldInput extends Pick<Input<typeof CustomField>, 'Id' | 'Shortcode' | 'Name'> {
  readonly Value?: unknown;
}

/** The first field of each id, shortcode and name: 500 lines may have 200 values each. */
interface FieldIndex {
  readonly ids: ReadonlyMap<number, CustomField>;
  readonly shortcodes: ReadonlyMap<string, CustomField>;
  readonly names: ReadonlyMap<string, CustomField>;
}

const indexes = new WeakMap<readonly CustomField[], FieldIndex>();

function indexOf(fields: readonly CustomField[]): FieldIndex {
  const known = indexes.get(fields);
  if (known) return known;
  const lastFirst = fields.toReversed();
  const index = {
    ids: new Map(lastFirst.map((field) => [field.Id, field])),
    shortcodes: new Map(lastFirst.map((field) => [fold(field.Shortcode), field])),
    names: new Map(lastFirst.map((field) => [fold(field.Name), field])),
  };
  indexes.set(fields, index);
  return index;
}

function findField(fields: readonly CustomField[], { Id, Shortcode, Name }: CustomFieldInput): CustomField | undefined {
  const { ids, shortcodes, names } = indexOf(fields);
  if (Id) return ids.get(Id);
  if (Shortcode) return shortcodes.get(fold(Shortcode));
  return Name ? names.get(fold(Name)) : undefined;
}

function calendarDate(value: unknown): string | undefined {
  const parsed = typeof value === 'string' ? parseCalendarDate(value) : undefined;
  return parsed?.ok ? parsed.date : undefined;
}

const DATE = 2;

/** A value as it is stored: a date is the calendar date as written, `YYYY-MM-DD`. */
const toStored = ({ Type }: CustomField, value: unknown): unknown =>
  Type === DATE ? (calendarDate(value) ?? value) : value;

/** Why a value does not fit its field; the numbers are those of CustomField.Type. */
function valueError({ Type, Options }: CustomField, value: unknown): string | false {
  const isOption = (each: unknown) => Options.some(({ Value, Label }) => Value === each || Label === each);
  const options = () => Options.map(({ Value, Label }) => Value || Label).join(', ');
  switch (Type) {
    case 1:
      return typeof value !== 'number' && 'must be a number';
    case DATE:
      return calendarDate(value) === undefined && 'must be a date';
    case 3:
      return typeof value !== 'boolean' && 'must be true or false';
    case 4:
      return !isOption(value) && `must be one of ${options()}`;
    case 5:
      return !(Array.isArray(value) && value.every(isOption)) && `must be a list of any of ${options()}`;
    default:
      return typeof value !== 'string' && 'must be text';
  }
}

/** Unknown fields of one list for which the nearest name is looked up. */
const MAX_HINTS = 5;

/**
 * Applies values: those of the inputs are replaced, or with `null` removed; the others stay. Errors name an input by
 * its index in the list.
 */
export function applyCustomFieldInputs(
  values: readonly CustomValue[],
  inputs: readonly CustomFieldInput[],
  definitions: readonly CustomField[],
): { values: CustomValue[]; errors: FieldError[] } {
  const merged = new Map(values.map((value) => [value.Id, value]));
  const errors: FieldError[] = [];
  for (const [index, input] of inputs.entries()) {
    const field = findField(definitions, input);
    if (!field) {
      const name = input.Id ? '' : input.Shortcode || input.Name || '';
      const names = definitions.flatMap(({ Shortcode, Name }) => [Shortcode, Name]).filter(Boolean);
      const hint = errors.length < MAX_HINTS ? didYouMean(name, names) : '';
      const message = `must have the Id, Shortcode or Name of an existing custom field${hint && `. ${hint}`}`;
      errors.push({ field: `CustomFields[${index}]`, code: 'not_found', message });
      continue;
    }
    // A stored value may be sent back, even if the options have changed since.
    const isChange = input.Value != null && !isEqual(input.Value, merged.get(field.Id)?.Value);
    const message = isChange && valueError(field, input.Value);
    if (message) errors.push({ field: `CustomFields[${index}].Value`, code: 'format', message });
    else if (input.Value === null) merged.delete(field.Id);
    else if (input.Value !== undefined)
      merged.set(field.Id, { Id: field.Id, Value: isChange ? toStored(field, input.Value) : input.Value });
  }
  return { values: [...merged.values()], errors };
}

/** The definitions that have a value, each with it. */
export const customFieldsToResource = (
  values: readonly CustomValue[],
  definitions: readonly CustomField[],
): CustomField[] =>
  values.flatMap(({ Id, Value }) =>
    definitions.filter((field) => field.Id === Id).map((field) => ({ ...field, Value })),
  );
