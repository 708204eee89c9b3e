import type { Fields } from '../../../lib/entities/declaration/field.ts';
import { contacts } from '../../../lib/domain/downloads/contacts.ts';
import { headerKey } from '../../../lib/domain/imports/mapping.ts';
import { flagFields, referenceFields, textFields } from '../../../lib/domain/contacts/record.ts';
import { contactEntity } from '../../../lib/entities/contacts.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { nearest } from '../../../lib/shared/text/suggestions.ts';

/**
 * The meaning of a column in a contacts file: a field of the contact, a custom field, or something that becomes one.
 */
export type Column =
  | {
      readonly kind:
        | 'text'
        | 'flag'
        | 'id'
        | 'tags'
        | 'note'
        | 'taxRate'
        | 'taxRateId'
        | 'organization'
        | 'firstName'
        | 'lastName';
      readonly header: string;
      readonly field: string;
    }
  | { readonly kind: 'custom'; readonly header: string; readonly field: string; readonly definition: CustomField }
  /** `unnamed`: without a name, and empty in every line. */
  | { readonly kind: 'skipped' | 'unnamed'; readonly header: string; readonly field: '' };

const contactFields: Fields = contactEntity.fields;

/** Column names of other programs, separated by spaces, besides the field's own names. */
const synonyms: Readonly<Record<string, string>> = {
  FirstName: 'firstname',
  LastName: 'lastname surname',
  Organization: 'organization location',
  NamedTaxRate: 'taxrate',
  ...Object.fromEntries(Object.entries(contactFields).map(([name, { options }]) => [name, options.csv ?? ''])),
};
const fieldBySynonym = new Map(
  Object.entries(synonyms).flatMap(([field, names]) =>
    names
      .split(' ')
      .filter(Boolean)
      .map((name): [string, string] => [name, field]),
  ),
);

/**
 * `Zip code`, `zip_code` and `ZIPCODE` are the same header, and so are `Phone` and `Phone #`; `#` alone stays as it is.
 */
const normalizeHeader = (text: string): string => headerKey(text.replaceAll('#', '')) || text.trim();

type FieldKind = Exclude<Column['kind'], 'custom' | 'skipped' | 'unnamed'>;
const fieldsByKind: Readonly<Record<FieldKind, readonly string[]>> = {
  text: [...textFields, 'Hash'],
  flag: flagFields,
  id: [...referenceFields, 'Id', 'OrganizationId', 'ChannelId', 'CampaignId'],
  tags: ['Tags'],
  note: ['Notes'],
  taxRate: ['NamedTaxRate'],
  taxRateId: ['NamedTaxRateId'],
  organization: ['Organization'],
  firstName: ['FirstName'],
  lastName: ['LastName'],
};
const fields = Object.entries(fieldsByKind).flatMap(([kind, names]) =>
  names.map((field) => ({ field, kind: kind as FieldKind })),
);
const fieldByName = new Map(fields.map((each) => [each.field, each]));
const fieldByHeader = new Map(fields.map((each) => [normalizeHeader(each.field), each]));

function findColumn(header: string, customFields: readonly CustomField[]): Column | undefined {
  const name = normalizeHeader(header);
  const own = fieldByHeader.get(name);
  if (own) return { ...own, header };
  const definition = customFields.find(
    ({ TableType, Name, Shortcode }) =>
      TableType === 0 && [Name, Shortcode, `Custom.${Name}`].filter(Boolean).map(normalizeHeader).includes(name),
  );
  if (definition) return { kind: 'custom', header, field: definition.Name, definition };
  const synonym = fieldByName.get(fieldBySynonym.get(name) ?? '');
  return synonym && { ...synonym, header };
}

const isNamePart = ({ kind }: Column): boolean => kind === 'firstName' || kind === 'lastName';
/** First and last name together are one field of the contact. */
const contactField = (column: Column): string => (isNamePart(column) ? 'Name' : column.field);
const areInConflict = (one: Column, other: Column): boolean =>
  contactField(one) === contactField(other) && (one.kind === other.kind || !(isNamePart(one) && isNamePart(other)));

/** Columns of a contacts download that no caller sets, because the API computes them. */
const computed = new Set(contacts.columns.map(({ name }) => normalizeHeader(name)));

/**
 * The meaning of each column by its header, or a sentence about each invalid header. `skipUnknown` skips columns that
 * match no field, `ignoreComputed` those of a download that the API computes.
 */
export function readColumns(
  headers: readonly string[],
  customFields: readonly CustomField[],
  { skipUnknown, ignoreComputed }: { skipUnknown: boolean; ignoreComputed: boolean },
): { columns: Column[]; errors: string[] } {
  const errors: string[] = [];
  const columns = headers.map((header, index): Column => {
    // Excel writes empty columns after the last one.
    if (!header) return { kind: skipUnknown ? 'skipped' : 'unnamed', header: `Column ${index + 1}`, field: '' };
    const column = findColumn(header, customFields);
    if (column) return column;
    const isComputed = computed.has(normalizeHeader(header));
    if (isComputed && ignoreComputed) return { kind: 'skipped', header, field: '' };
    const near = isComputed
      ? undefined
      : nearest(header, [...fieldByName.keys(), ...customFields.map(({ Name }) => Name)]);
    const suggestion = near ? ` Did you mean ${near}?` : '';
    if (!skipUnknown)
      errors.push(
        `Column ${index + 1}, ${JSON.stringify(header)}, ` +
          (isComputed
            ? 'is computed by the API. --ignore-computed skips it.'
            : `is not a field of a contact.${suggestion}`),
      );
    return { kind: 'skipped', header, field: '' };
  });
  columns.forEach((column, index) => {
    const first = columns.findIndex((other) => column.field && areInConflict(other, column));
    if (first >= 0 && first < index)
      errors.push(
        `Columns ${first + 1} and ${index + 1}, ${JSON.stringify(headers[first])} and ` +
          `${JSON.stringify(column.header)}, both hold ${contactField(column)}.`,
      );
  });
  if (columns.every(({ field }) => !field) && !errors.length) errors.push('No column is a field of a contact.');
  return { columns, errors };
}
