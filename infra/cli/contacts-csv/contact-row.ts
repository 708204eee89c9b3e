import { Contact } from '../../../lib/entities/contacts.ts';
import type { OrganizationRecord } from '../../../lib/entities/organizations.ts';
import type { ContactInput } from '../../../lib/domain/contacts/apply-input.ts';
import { readPerson } from '../../../lib/domain/contacts/read-lead.ts';
import { readZip } from '../../../lib/domain/imports/address.ts';
import { cellText, readCellFlag } from '../../../lib/domain/imports/cells.ts';
import type { Loss } from '../../../lib/domain/imports/read-row.ts';
import { CUT_NUMBER, isCutNumber, wholeNumber } from '../../../lib/shared/text/read-values.ts';
import { stateCode } from '../../../lib/domain/imports/states.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { splitList } from '../../../lib/shared/text/lists.ts';
import { splitPhones } from '../../../lib/shared/text/people.ts';
import { didYouMean } from '../../../lib/shared/text/suggestions.ts';
import { fold } from '../../../lib/shared/text/text.ts';
import { unescapeText } from '../../../lib/shared/text/unescape.ts';
import type { ContactRow } from '../imports/batches.ts';
import type { Column } from './columns.ts';
import { readLines } from '../imports/csv-file.ts';

/** What reading a file requires of an organization. */
export type OrganizationName = Pick<OrganizationRecord, 'Id' | 'PublicName' | 'LocationID'> &
  Partial<Pick<OrganizationRecord, 'Country'>>;

/** Finds an organization by its name or location id, ignoring case. */
export const findOrganizationByName = <Organization extends OrganizationName>(
  organizations: readonly Organization[],
  text: string,
): Organization | undefined =>
  organizations.find(({ PublicName, LocationID }) =>
    [PublicName, LocationID].some((name) => fold(name) === fold(text)),
  );

/** `Did you mean "Richmond"?`, or an empty text. */
export const suggestOrganization = (organizations: readonly OrganizationName[], text: string): string =>
  didYouMean(
    text,
    organizations.flatMap(({ PublicName, LocationID }) => [PublicName, LocationID].filter(Boolean)),
  );

const parseCell = {
  text: (cell: string): unknown => cell,
  flag: readCellFlag,
  id: Number,
  tags: splitList,
  note: (cell: string) => [{ Title: '', Body: cell }],
  taxRate: (cell: string) => ({ Name: cell }),
  taxRateId: (cell: string) => ({ Id: Number(cell) }),
};

function unknownOrganization(organizations: readonly OrganizationName[], cell: string): string {
  const hint = suggestOrganization(organizations, cell);
  return `No organization is named ${JSON.stringify(cell)}${hint && `. ${hint}`}`;
}

/** The value of a custom field by its type; an unsuitable cell stays text, and the contact's rules reject it. */
function parseCustomValue({ Type }: CustomField, cell: string): unknown {
  if (Type === 1) return Number.isFinite(Number(cell)) ? Number(cell) : cell;
  if (Type === 3) return readCellFlag(cell) ?? cell;
  return Type === 5 ? splitList(cell) : cell;
}

const PHONES: ReadonlySet<string> = new Set(['Phone', 'AltPhone']);

/** Mends the contact of a line: numbers that a spreadsheet changed, and what people write in one cell. */
function mendCells(
  contact: Record<string, unknown>,
  organizations: readonly OrganizationName[],
): { readonly wrong: readonly Loss[]; readonly changed: readonly Loss[] } {
  const wrong: Loss[] = [];
  for (const field of [...PHONES, 'Zip']) {
    const text = contact[field];
    if (typeof text !== 'string') continue;
    if (isCutNumber(text)) wrong.push({ column: field, reason: `${JSON.stringify(text)} ${CUT_NUMBER}` });
    else if (PHONES.has(field)) contact[field] = wholeNumber(text);
  }
  const { Zip, State, Country, OrganizationId } = contact as Readonly<Partial<ContactInput>>;
  const own = organizations.find(({ Id }) => Id === OrganizationId) ?? organizations[0];
  const country = Country ?? own?.Country ?? 'US';
  const changed = readPeople(contact, country);
  if (!Zip || isCutNumber(Zip)) return { wrong, changed };
  const { zip, loss } = readZip(Zip, { state: stateCode(State ?? '') ?? State ?? '', country });
  contact['Zip'] = zip;
  return {
    wrong,
    changed: [...changed, ...(loss ? [{ column: 'Zip', reason: loss.reason, isStored: true } as const] : [])],
  };
}

/** Texts that programs write with HTML entities. */
const ESCAPED = ['Name', 'Nickname', 'Company', 'Address1', 'Address2', 'City', 'Email'];

/** Reads names, e-mails and phones as those of forms. A cell that is not read whole stays, and its rules decide. */
function readPeople(contact: Record<string, unknown>, country: string): Loss[] {
  for (const field of ESCAPED) if (typeof contact[field] === 'string') contact[field] = unescapeText(contact[field]);
  const before = { ...contact };
  return readPerson(contact, country).flatMap(({ field, sent }): Loss[] => {
    const isTwo = field === 'Phone' && before['AltPhone'] === undefined && splitPhones(sent).length === 2;
    if (isTwo && contact['AltPhone'] !== undefined)
      return [{ column: field, reason: `${JSON.stringify(sent)} is stored as Phone and AltPhone`, isStored: true }];
    contact[field] = before[field];
    if (field === 'Phone' && before['AltPhone'] === undefined) delete contact['AltPhone'];
    return [];
  });
}

/** The contact of a line, for contacts/addupdate; an empty cell changes nothing. */
export function readContactRow(
  columns: readonly Column[],
  cells: readonly string[],
  organizations: readonly OrganizationName[],
): { contact: ContactInput; changed: readonly Loss[] } | { errors: readonly Loss[] } {
  const contact: Record<string, unknown> = {};
  const customFields: { Id: number; Value: unknown }[] = [];
  const errors: Loss[] = [];
  const names: string[] = [];
  columns.forEach((column, index) => {
    const cell = cellText(cells[index] ?? '');
    if (!cell) return;
    const { field, header } = column;
    switch (column.kind) {
      case 'firstName':
        names.unshift(cell);
        break;
      case 'lastName':
        names.push(cell);
        break;
      case 'custom':
        customFields.push({ Id: column.definition.Id, Value: parseCustomValue(column.definition, cell) });
        break;
      case 'organization':
        // Two may have the same name: the id beside it decides.
        if (contact['OrganizationId']) break;
        contact['OrganizationId'] = findOrganizationByName(organizations, cell)?.Id;
        if (!contact['OrganizationId'])
          errors.push({ column: header, reason: unknownOrganization(organizations, cell) });
        break;
      case 'skipped':
        break;
      case 'unnamed':
        errors.push({ column: header, reason: `has no name, and ${JSON.stringify(cell)} in this line` });
        break;
      default:
        contact[column.kind === 'taxRateId' ? 'NamedTaxRate' : field] = parseCell[column.kind](cell);
        if (column.kind === 'flag' && contact[field] === undefined)
          errors.push({ column: header, reason: 'must be yes or no' });
    }
  });
  if (names.length) contact['Name'] = names.join(' ');
  if (customFields.length) contact['CustomFields'] = customFields;
  const columnHeader = (field: string) => columns.find((column) => column.field === field)?.header ?? field;
  const named = (loss: Loss): Loss => ({ ...loss, column: columnHeader(loss.column) });
  const { wrong, changed } = mendCells(contact, organizations);
  errors.push(...wrong.map(named));
  const result = Contact.input().safeParse(contact);
  if (result.success && !errors.length) return { contact: result.data, changed: changed.map(named) };
  for (const { path, message: reason } of result.error?.issues ?? [])
    errors.push({ column: columnHeader(String(path[0] ?? '')), reason });
  return { errors };
}

interface Organizations {
  readonly organizations: readonly OrganizationName[];
  /** The organization of contacts whose line names none. */
  readonly organization: number | undefined;
}

/** A line of the file: its contact, or what is wrong with it. */
type ReadLine =
  | (ContactRow & { readonly changed: readonly Loss[] })
  | { readonly line: number; readonly errors: readonly Loss[] };

/** The lines of a file after its header: each contact, or what is wrong with it. */
export async function* readContactLines(
  file: string,
  columns: readonly Column[],
  { organizations, organization }: Organizations,
): AsyncGenerator<ReadLine> {
  for await (const { line, cells, error } of readLines(file, columns.length)) {
    const row = error ? { errors: [{ column: '', reason: error }] } : readContactRow(columns, cells, organizations);
    if ('contact' in row) {
      const OrganizationId = row.contact.OrganizationId ?? organization;
      yield { ...row, line, contact: { ...row.contact, ...(OrganizationId ? { OrganizationId } : {}) } };
    } else yield { line, ...row };
  }
}
