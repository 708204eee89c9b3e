import type { CustomValue } from '../entities/declaration/fields.ts';
import type { CustomField } from '../resources/custom-fields.ts';
import type { Input } from '../resources/fields.ts';
import { isEqual } from '../shared/objects.ts';
import type { FieldError } from '../shared/failure.ts';
import { parseCalendarDate } from '../shared/time/read-moments.ts';
import { readFlag, readNumber } from '../shared/text/read-values.ts';
import { didYouMean } from '../shared/text/suggestions.ts';
import { fold } from '../shared/text/text.ts';

/** A value for a custom field, given by Id, else by Shortcode, else by Name. */
export interface CustomFieldInput extends Pick<Input<typeof CustomField>, 'Id' | 'Shortcode' | 'Name'> {
  readonly Value?: unknown;
}

/** The first field with each id, shortcode and name, because 500 lines may have 200 values each. */
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

const isStorable = (value: number): boolean => Math.abs(value) <= 1e15 && (value === 0 || Math.abs(value) >= 1e-15);

function readStorableNumber(text: string, country: string | undefined): number | undefined {
  const value = readNumber(text, country);
  return value !== undefined && isStorable(value) ? value : undefined;
}

/** The option with a value or label as it is sent, else in any case. */
function readOption({ Options }: CustomField, sent: unknown): unknown {
  if (Options.some(({ Value, Label }) => Value === sent || Label === sent)) return sent;
  const folded = typeof sent === 'string' || typeof sent === 'number' ? fold(String(sent).trim()) : '';
  const found = folded && Options.find(({ Value, Label }) => fold(Value) === folded || fold(Label) === folded);
  return found ? found.Value || found.Label : undefined;
}

function readOptions(field: CustomField, sent: unknown): unknown {
  const values = (Array.isArray(sent) ? sent : [sent]).map((each) => readOption(field, each));
  return values.includes(undefined) ? undefined : values;
}

/**
 * A value in the form in which its field stores it; `undefined` if it does not fit. The numbers are those of
 * CustomField.Type.
 */
function readValue(field: CustomField, sent: unknown, country: string | undefined): unknown {
  const isText = typeof sent === 'string';
  switch (field.Type) {
    case 1:
      return isText ? readStorableNumber(sent, country) : typeof sent === 'number' ? sent : undefined;
    case 2:
      return calendarDate(sent);
    case 3:
      return isText
        ? readFlag(sent)
        : sent === true || sent === 1
          ? true
          : sent === false || sent === 0
            ? false
            : undefined;
    case 4:
      return readOption(field, sent);
    case 5:
      return readOptions(field, sent);
    default:
      return isText ? sent : typeof sent === 'number' || typeof sent === 'boolean' ? String(sent) : undefined;
  }
}

/** What a value of a field must be. */
function describeType({ Type, Options }: CustomField): string {
  const options = () => Options.map(({ Value, Label }) => Value || Label).join(', ');
  switch (Type) {
    case 1:
      return 'must be a number';
    case 2:
      return 'must be a date';
    case 3:
      return 'must be true or false';
    case 4:
      return `must be one of ${options()}`;
    case 5:
      return `must be a list of any of ${options()}`;
    default:
      return 'must be text';
  }
}

const TEXTS: readonly number[] = [0, 6];

/** Forms send an empty text for what was not filled in. */
const isGiven = ({ Type }: CustomField, value: unknown): boolean =>
  value !== undefined && (TEXTS.includes(Type) || typeof value !== 'string' || value.trim() !== '');

/** An input that cannot be applied. `remark` is for answers that skip the input instead. */
export interface CustomFieldError extends FieldError {
  readonly remark: string;
}

/** A value for use in a sentence. */
const quote = (value: unknown): string => JSON.stringify(value ?? null).slice(0, 100);

/** The most unknown fields per list for which the nearest name is looked up. */
const MAX_HINTS = 5;

function unknownField(input: CustomFieldInput, definitions: readonly CustomField[], hasHint: boolean) {
  const name = input.Id ? '' : input.Shortcode || input.Name || '';
  const names = definitions.flatMap(({ Shortcode, Name }) => [Shortcode, Name]).filter(Boolean);
  const hint = hasHint ? didYouMean(name, names) : '';
  const message = `must have the Id, Shortcode or Name of an existing custom field${hint && `. ${hint}`}`;
  const remark = `There is no custom field ${quote(input.Id || name)}, and its value ${quote(input.Value)} is not stored.`;
  return { message, remark: [remark, hint].filter(Boolean).join(' ') };
}

/**
 * Applies values: those of the inputs are replaced, or removed by `null`; the others stay. A text is converted to the
 * type of its field, with the thousands separators of `country`. Errors name an input by its index in the list.
 */
export function applyCustomFieldInputs(
  values: readonly CustomValue[],
  inputs: readonly CustomFieldInput[],
  definitions: readonly CustomField[],
  country: string,
): { values: CustomValue[]; errors: CustomFieldError[] } {
  const merged = new Map(values.map((value) => [value.Id, value]));
  const errors: CustomFieldError[] = [];
  for (const [index, input] of inputs.entries()) {
    const { Value: sent } = input;
    const field = findField(definitions, input);
    if (!field) {
      const unknown = unknownField(input, definitions, errors.length < MAX_HINTS);
      errors.push({ field: `CustomFields[${index}]`, code: 'not_found', ...unknown });
    } else if (sent === null) merged.delete(field.Id);
    // A stored value may be sent back, even if the options have changed since.
    else if (isGiven(field, sent) && !isEqual(sent, merged.get(field.Id)?.Value)) {
      const Value = readValue(field, sent, country);
      if (Value !== undefined) merged.set(field.Id, { Id: field.Id, Value });
      else {
        const message = describeType(field);
        const remark = `The value ${quote(sent)} of custom field ${quote(field.Name)} is not stored: it ${message}.`;
        errors.push({ field: `CustomFields[${index}].Value`, code: 'format', message, remark });
      }
    }
  }
  return { values: [...merged.values()], errors };
}

/** The definitions that have a value, with it. */
export const customFieldsToResource = (
  values: readonly CustomValue[],
  definitions: readonly CustomField[],
): CustomField[] =>
  values.flatMap(({ Id, Value }) =>
    definitions.filter((field) => field.Id === Id).map((field) => ({ ...field, Value })),
  );
