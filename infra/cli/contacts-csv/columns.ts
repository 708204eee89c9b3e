import { flagFields, referenceFields, textFields } from '../../../lib/domain/contacts/record.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { nearest } from '../../../lib/shared/text.ts';

/** What a column of a contacts file holds: a field of the contact, a custom field, or something that becomes one. */
export type Column =
  | {
      readonly kind: 'text' | 'flag' | 'id' | 'tags' | 'note' | 'taxRate' | 'organization' | 'firstName' | 'lastName';
      readonly header: string;
      readonly field: string;
    }
  | { readonly kind: 'custom'; readonly header: string; readonly field: string; readonly definition: CustomField }
  | { readonly kind: 'skipped'; readonly header: string; readonly field: '' };

/** Headers that other programs write, without spaces and signs, beside the names of the fields themselves. */
export const synonyms: Readonly<Record<string, string>> = {
  fullname: 'Name',
  contactname: 'Name',
  customername: 'Name',
  customer: 'Name',
  firstname: 'FirstName',
  lastname: 'LastName',
  surname: 'LastName',
  companyname: 'Company',
  business: 'Company',
  businessname: 'Company',
  address: 'Address1',
  street: 'Address1',
  streetaddress: 'Address1',
  addressline1: 'Address1',
  addressline2: 'Address2',
  unit: 'Address2',
  apartment: 'Address2',
  town: 'City',
  province: 'State',
  region: 'State',
  zipcode: 'Zip',
  postalcode: 'Zip',
  postcode: 'Zip',
  phone1: 'Phone',
  primaryphone: 'Phone',
  mainphone: 'Phone',
  phonenumber: 'Phone',
  telephone: 'Phone',
  mobile: 'Phone',
  mobilephone: 'Phone',
  cellphone: 'Phone',
  cell: 'Phone',
  phone2: 'AltPhone',
  secondaryphone: 'AltPhone',
  alternatephone: 'AltPhone',
  otherphone: 'AltPhone',
  homephone: 'AltPhone',
  workphone: 'AltPhone',
  phone1label: 'PhoneLabel',
  phone2label: 'AltPhoneLabel',
  mail: 'Email',
  emailaddress: 'Email',
  email1: 'Email',
  primaryemail: 'Email',
  source: 'LeadSource',
  type: 'Category',
  contacttype: 'Category',
  utmsource: 'UtmSource',
  customerid: 'DigitalTrackingId',
  optout: 'Unsubscribed',
  organization: 'Organization',
  location: 'Organization',
  tag: 'Tags',
  labels: 'Tags',
  note: 'Notes',
  comments: 'Notes',
  comment: 'Notes',
  taxrate: 'NamedTaxRate',
  territory: 'TerritoryID',
};

const squeezed = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

type Plain = Exclude<Column['kind'], 'custom' | 'skipped'>;
const entries = (names: readonly string[], kind: Plain) => names.map((name): [string, Plain] => [name, kind]);

/** Every name a column may have, and what such a column holds. */
export const fieldKinds: ReadonlyMap<string, Plain> = new Map([
  ...entries(textFields, 'text'),
  ...entries(['Hash'], 'text'),
  ...entries(flagFields, 'flag'),
  ...entries(referenceFields, 'id'),
  ...entries(['Id', 'OrganizationId', 'ChannelId', 'CampaignId'], 'id'),
  ...entries(['Tags'], 'tags'),
  ...entries(['Notes'], 'note'),
  ...entries(['NamedTaxRate'], 'taxRate'),
  ...entries(['Organization'], 'organization'),
  ...entries(['FirstName'], 'firstName'),
  ...entries(['LastName'], 'lastName'),
]);
const bySqueezed = new Map([...fieldKinds.keys()].map((name) => [squeezed(name), name]));

function columnOf(header: string, customFields: readonly CustomField[]): Column | undefined {
  const name = squeezed(header);
  const definition = customFields.find(
    (field) => field.TableType === 0 && [field.Name, field.Shortcode].map(squeezed).includes(name),
  );
  const field = bySqueezed.get(name) ?? (definition ? undefined : synonyms[name]);
  const kind = field && fieldKinds.get(field);
  if (field && kind) return { kind, header, field };
  return definition && { kind: 'custom', header, field: definition.Name, definition };
}

const quoted = (header: string | undefined): string => JSON.stringify(header ?? '');
const told = ({ field }: Column): string => (field === 'FirstName' || field === 'LastName' ? 'Name' : field);

/**
 * What each column holds, by its header; or what is wrong with the header, a sentence a column. `skip` leaves out
 * columns that mean nothing here.
 */
export function columnsOf(
  headers: readonly string[],
  customFields: readonly CustomField[],
  { skip }: { skip: boolean },
): { columns: Column[]; errors: string[] } {
  const errors: string[] = [];
  const columns = headers.map((header, index): Column => {
    const column = columnOf(header, customFields);
    if (column) return column;
    const near = nearest(header, [...fieldKinds.keys(), ...customFields.map(({ Name }) => Name)]);
    if (!skip)
      errors.push(
        `Column ${index + 1}, ${JSON.stringify(header)}, is no field of a contact${near ? `; is it ${near}?` : '.'}`,
      );
    return { kind: 'skipped', header, field: '' };
  });
  columns.forEach((column, index) => {
    const first = columns.findIndex(
      (other) =>
        other.field !== '' &&
        told(other) === told(column) &&
        (other.kind === column.kind ||
          ![other.kind, column.kind].every((kind) => kind === 'firstName' || kind === 'lastName')),
    );
    if (column.field && first >= 0 && first < index)
      errors.push(
        `Columns ${first + 1} and ${index + 1}, ${quoted(headers[first])} and ${quoted(column.header)}, ` +
          `both hold ${told(column)}.`,
      );
  });
  if (columns.every(({ field }) => !field) && !errors.length) errors.push('No column is a field of a contact.');
  return { columns, errors };
}
