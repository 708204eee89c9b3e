import type { CustomValue } from '../../entities/declaration/fields.ts';
import { type CustomFieldInput, applyCustomFieldInputs } from '../../domain/custom-fields.ts';
import { type Setting as AnySetting, planSettings } from '../../domain/settings.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { Input } from '../../resources/fields.ts';
import { fold } from '../../shared/text/text.ts';
import type { FieldError } from '../../shared/failure.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { type Setting, settingChanges } from '../../store/settings.ts';
import type { PlanScope } from './plan-scope.ts';

/** CustomField.TableType of organizations. */
const ORGANIZATION = 4;

interface CustomFieldsPlan {
  readonly values: readonly CustomValue[];
  readonly fields: readonly Setting<CustomField>[];
  readonly changes: readonly Change[];
  readonly errors: readonly FieldError[];
}

/** Defines the fields whose names are new, then applies the values. */
export function planCustomFields(
  scope: PlanScope,
  known: readonly Setting<CustomField>[],
  input: readonly Input<typeof CustomField>[],
): CustomFieldsPlan {
  const defined = planDefinitions(scope, known, input);
  const definitions = defined.fields.map(({ Value }) => Value);
  const { values, errors } = applyCustomFieldInputs(
    scope.organization.CustomFields,
    input,
    definitions,
    scope.organization.Country,
  );
  // A field with an invalid definition is unknown too; one error is enough.
  const valueErrors = errors.filter(({ field }) => !defined.errors.some((error) => error.field.startsWith(field)));
  return { ...defined, values, errors: [...defined.errors, ...valueErrors] };
}

/**
 * The organization fields of the account, with new ones from a request. Definitions belong to the whole account:
 * existing ones do not change. If two calls define one at the same time, the second finds the first's.
 */
function planDefinitions(
  { store, accountWide }: PlanScope,
  known: readonly Setting<CustomField>[],
  input: readonly Input<typeof CustomField>[],
): Omit<CustomFieldsPlan, 'values'> {
  const fields = known.filter(({ Value }) => Value.TableType === ORGANIZATION);
  const isNew = (field: Input<typeof CustomField>) =>
    !field.Id && Boolean(field.Name?.trim()) && !fields.some(({ Value }) => hasNameOf(Value, field));
  const added = input.flatMap((field, index) => {
    const sameName = input.findIndex((other) => fold(other.Name ?? '') === fold(field.Name ?? ''));
    return isNew(field) && sameName === index ? [{ index, definition: toDefinition(field) }] : [];
  });
  if (!added.length) return { fields, changes: [], errors: [] };
  if (!accountWide) {
    const message = 'would be a new custom field of the whole account. Define it with a key of the account';
    return {
      fields,
      changes: [],
      errors: added.map(({ index }) => ({ field: `CustomFields[${index}]`, code: 'forbidden', message })),
    };
  }
  const definitions = added.map(({ definition }) => definition);
  const plan = planSettings('CustomField', known as readonly AnySetting[], definitions);
  if (plan.kind === 'invalid') {
    const errors = plan.errors.map(({ index, ...error }) => ({
      ...error,
      field: `CustomFields[${added[index]?.index}].${error.field}`,
    }));
    return { fields, changes: [], errors };
  }
  const created = plan.entries.map(({ after }) => ({ ...after, Value: after.Value as CustomField }));
  return { fields: [...fields, ...created], changes: settingChanges(store, plan.entries), errors: [] };
}

const hasNameOf = ({ Name, Shortcode }: CustomField, input: CustomFieldInput): boolean =>
  [Name, Shortcode].some(
    (known) => known !== '' && [input.Name, input.Shortcode].some((name) => name && fold(name) === fold(known)),
  );

/**
 * The definition in a request, without its Value, which is the organization's. Without Type it is 0 text, 1 number or 3
 * checkbox.
 */
function toDefinition({ Id: _, Value, ...input }: Input<typeof CustomField>): Record<string, unknown> {
  const fields = Object.fromEntries(Object.entries(input).filter(([, value]) => value != null));
  const typeOfValue = typeof Value === 'number' ? 1 : typeof Value === 'boolean' ? 3 : 0;
  return { ...fields, Type: input.Type || typeOfValue, TableType: ORGANIZATION };
}
