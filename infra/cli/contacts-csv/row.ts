import type { ContactInput } from '../../../lib/domain/contacts/apply-input.ts';
import { Contact } from '../../../lib/resources/contacts.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { fold } from '../../../lib/shared/text.ts';
import type { Column } from './columns.ts';

/** Why a line cannot be a contact. */
export interface RowFault {
  readonly field: string;
  readonly message: string;
}

/** An organization as a file names it. */
export interface NamedOrganization {
  readonly Id: number;
  readonly PublicName: string;
  readonly LocationID: string;
}

const YES = new Set(['yes', 'y', 'true', '1', 'x', 'on']);
const NO = new Set(['no', 'n', 'false', '0', 'off']);

function flagOf(cell: string): boolean | undefined {
  const word = cell.toLowerCase();
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

const listed = (cell: string): string[] =>
  cell
    .split(/[;,|]/)
    .map((part) => part.trim())
    .filter(Boolean);

/**
 * The value of a custom field's cell as its type wants it; what does not fit stays text, and is refused where all
 * values are.
 */
function customValue({ Type }: CustomField, cell: string): unknown {
  switch (Type) {
    case 1:
      return Number.isFinite(Number(cell)) ? Number(cell) : cell;
    case 3:
      return flagOf(cell) ?? cell;
    case 5:
      return listed(cell);
    default:
      return cell;
  }
}

/** The contact of a line, as contacts/addupdate would get it: an empty cell says nothing. */
export function contactOf(
  columns: readonly Column[],
  cells: readonly string[],
  organizations: readonly NamedOrganization[],
): { contactInput: ContactInput } | { errors: readonly RowFault[] } {
  const contact: Record<string, unknown> = {};
  const custom: { Id: number; Value: unknown }[] = [];
  const errors: RowFault[] = [];
  const names: string[] = [];
  columns.forEach((column, index) => {
    const cell = (cells[index] ?? '').trim();
    if (!cell) return;
    switch (column.kind) {
      case 'flag': {
        const flag = flagOf(cell);
        if (flag === undefined) errors.push({ field: column.header, message: 'must be yes or no' });
        else contact[column.field] = flag;
        break;
      }
      case 'id':
        contact[column.field] = Number(cell);
        break;
      case 'tags':
        contact['Tags'] = listed(cell);
        break;
      case 'note':
        contact['Notes'] = [{ Title: '', Body: cell }];
        break;
      case 'taxRate':
        contact['NamedTaxRate'] = { Name: cell };
        break;
      case 'firstName':
        names.unshift(cell);
        break;
      case 'lastName':
        names.push(cell);
        break;
      case 'custom':
        custom.push({ Id: column.definition.Id, Value: customValue(column.definition, cell) });
        break;
      case 'organization': {
        const found = organizations.find(({ PublicName, LocationID }) =>
          [PublicName, LocationID].some((name) => fold(name) === fold(cell)),
        );
        if (found) contact['OrganizationId'] = found.Id;
        else errors.push({ field: column.header, message: `names no organization there is: ${cell}` });
        break;
      }
      case 'text':
        contact[column.field] = cell;
        break;
      case 'skipped':
        break;
    }
  });
  if (names.length) contact['Name'] = names.join(' ');
  if (custom.length) contact['CustomFields'] = custom;
  const result = Contact.input().safeParse(contact);
  if (result.success && !errors.length) return { contactInput: result.data };
  const headerOf = (field: string) => columns.find((column) => column.field === field)?.header ?? field;
  return {
    errors: [
      ...errors,
      ...(result.error?.issues ?? []).map(({ path, message }) => ({ field: headerOf(String(path[0] ?? '')), message })),
    ],
  };
}
