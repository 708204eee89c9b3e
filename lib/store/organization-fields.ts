import type { CustomFieldInput } from '../domain/custom-fields.ts';
import type { Fault } from '../domain/faults.ts';
import { planSettings } from '../domain/settings/plan.ts';
import type { Setting } from '../domain/settings/kinds.ts';
import { fold } from '../domain/words.ts';
import type { CustomField } from '../resources/custom-fields.ts';
import type { Input } from '../resources/resource.ts';
import type { Change } from './changes.ts';
import { settingChanges } from './settings.ts';

/** CustomField.TableType of what belongs to organizations. */
const ORGANIZATION = 4;

/** CustomField.Type of a value whose type is not said: 0 text, 1 number, 3 checkbox. */
const typeOf = (value: unknown): number => (typeof value === 'number' ? 1 : typeof value === 'boolean' ? 3 : 0);

const names = (given: CustomFieldInput, { Name, Shortcode }: CustomField): boolean =>
  [Name, Shortcode].some(
    (known) => known !== '' && [given.Name, given.Shortcode].some((name) => name && fold(name) === fold(known)),
  );

/** The definition in what a request brings: its value is the organization's, not the definition's. */
function definitionIn({ Id: _, Value, ...given }: Input<typeof CustomField>): Record<string, unknown> {
  const said = Object.entries(given).filter(([, each]) => each != null);
  return { ...Object.fromEntries(said), Type: given.Type || typeOf(Value), TableType: ORGANIZATION };
}

/**
 * The definitions of the account's custom fields for organizations, with those of a request whose names are new. A
 * definition that exists stays as it is: it is the whole account's, and changed in the company file; a new one is too,
 * so that without `accountWide` none is made. Of two calls that make one at the same time, the second finds the
 * first's.
 */
export function organizationFields(
  account: string,
  known: readonly Setting<CustomField>[],
  given: readonly Input<typeof CustomField>[],
  { accountWide }: { accountWide: boolean },
): { fields: readonly Setting<CustomField>[]; changes: Change[]; faults: Fault[] } {
  const own = known.filter(({ Value }) => Value.TableType === ORGANIZATION);
  const isNew = (field: Input<typeof CustomField>) =>
    !field.Id && Boolean(field.Name?.trim()) && !own.some(({ Value }) => names(field, Value));
  const fresh = given.flatMap((field, index) => {
    const first = given.findIndex((other) => fold(other.Name ?? '') === fold(field.Name ?? ''));
    return isNew(field) && first === index ? [{ index, definition: definitionIn(field) }] : [];
  });
  if (!fresh.length) return { fields: own, changes: [], faults: [] };
  if (!accountWide) {
    const message = 'would be a new custom field of the whole account, which only a key of the account may define';
    return {
      fields: own,
      changes: [],
      faults: fresh.map(({ index }) => ({ field: `CustomFields[${index}]`, message })),
    };
  }
  const plan = planSettings(
    'CustomField',
    known as readonly Setting[],
    fresh.map(({ definition }) => definition),
  );
  if (plan.kind === 'faulty') {
    return {
      fields: own,
      changes: [],
      faults: plan.faults.map(({ index, field, message }) => ({
        field: `CustomFields[${fresh[index]?.index}].${field}`,
        message,
      })),
    };
  }
  const made = plan.entries.map(({ after }) => after as unknown as Setting<CustomField>);
  return { fields: [...own, ...made], changes: settingChanges(account, plan.entries), faults: [] };
}
