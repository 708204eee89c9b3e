import type { ContactInput } from '../contacts/apply-input.ts';
import { Contact } from '../../resources/contacts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { isEmail, normalizeEmail, streetWords } from '../../shared/text/text.ts';
import { splitList } from '../../shared/text/lists.ts';
import { normalizePhone } from '../../shared/text/phones.ts';
import { isYes, splitValues } from './cells.ts';
import { type ContactText, type ContactsMapping, clientReference } from './mapping.ts';
import { type FileColumns, type Loss, Row } from './read-row.ts';

/** A row of clients: the client, and the properties that the row has. */
export interface ClientRow {
  /** Of the client in the other system, with the system: `jobber:1001`. */
  readonly reference: string;
  /** The whole id of the row, of the client or of its property. */
  readonly id: string;
  readonly client: ContactInput;
  readonly properties: readonly Property[];
  readonly losses: readonly Loss[];
}

/** An address where a client has work done. */
interface Property {
  readonly reference: string;
  /** Which of the row, from 1. */
  readonly number: number;
  readonly contact: ContactInput;
  readonly addressKey: string;
}

interface ReadOptions {
  readonly system: string;
  /** Of phone numbers without a calling code. */
  readonly country: string;
  /** Whether columns that nothing takes become a note of the contact. */
  readonly keepInNotes: boolean;
}

const ADDRESS = ['Address1', 'Address2', 'City', 'State', 'Zip'] as const;

/** Words of street and unit, and the postal code: `12 Main St.` and `12 main street` are one address. */
export const addressKey = ({
  Address1,
  Address2,
  Zip,
}: Partial<Pick<ContactInput, 'Address1' | 'Address2' | 'Zip'>>) =>
  Address1 ? [...streetWords(Address1, Address2 ?? ''), (Zip ?? '').slice(0, 5)].join(' ') : '';

const tooLong = (column: string): Loss => ({ column, reason: 'is longer than the field' });

/** The e-mail and two phones of a contact; further ones are lost, as is what is no address or number. */
function readChannels(mapping: ContactsMapping, row: Row, country: string): { fields: ContactInput; losses: Loss[] } {
  const losses: Loss[] = [];
  const emails = new Map<string, string>();
  for (const header of mapping.emails ?? [])
    for (const email of splitValues(row.cell(header))) {
      if (!isEmail(email)) losses.push({ column: header, reason: `${JSON.stringify(email)} is no e-mail address` });
      else if (emails.size && !emails.has(normalizeEmail(email)))
        losses.push({ column: header, reason: `${JSON.stringify(email)}: a contact has one e-mail address` });
      else if (!emails.size) emails.set(normalizeEmail(email), email);
    }
  const phones = new Map<string, { label: string; text: string }>();
  for (const [label, source] of Object.entries(mapping.phones ?? {}))
    for (const text of splitValues(row.text(source))) {
      const key = text.length <= 50 ? normalizePhone(text, country) : null;
      const column = row.header(source);
      if (!key) losses.push({ column, reason: `${JSON.stringify(text)} is no phone number` });
      else if (phones.has(key)) continue;
      else if (phones.size === 2) losses.push({ column, reason: `${JSON.stringify(text)}: a contact has two phones` });
      else phones.set(key, { label, text });
    }
  const [first, second] = [...phones.values()];
  const [email] = [...emails.values()];
  return {
    fields: {
      ...(email && { Email: email }),
      ...(first && { Phone: first.text, PhoneLabel: first.label }),
      ...(second && { AltPhone: second.text, AltPhoneLabel: second.label }),
    },
    losses,
  };
}

/** Characters that a text of a contact has. */
const MAX_TEXT: Readonly<Partial<Record<ContactText, number>>> = { FlashMessage: 1000, Category: 100, Country: 100 };
const MAX_NAME = 200;

function readTexts(
  fields: ContactsMapping['fields'],
  row: Row,
  n: number,
): { fields: Partial<Record<ContactText, string>>; losses: Loss[] } {
  const losses: Loss[] = [];
  const texts: Partial<Record<ContactText, string>> = {};
  for (const [field, source] of Object.entries(fields) as [ContactText, ContactsMapping['id']][]) {
    const text = row.text(source, n);
    if (!text) continue;
    const max = MAX_TEXT[field] ?? MAX_NAME;
    if (text.length > max) losses.push(tooLong(row.header(source)));
    texts[field] = text.slice(0, max);
  }
  return { fields: texts, losses };
}

/** Characters that a tag has, and tags that a row may add. */
const [MAX_TAG, MAX_ROW_TAGS] = [100, 50];

function readTags(mapping: ContactsMapping, row: Row): string[] {
  const listed = (mapping.tags ?? []).flatMap((header) => splitList(row.cell(header)));
  const flagged = Object.entries(mapping.tagsIf ?? {}).flatMap(([tag, header]) => (isYes(row.cell(header)) ? tag : []));
  return [...new Set([...listed, ...flagged].map((tag) => tag.slice(0, MAX_TAG)))].slice(0, MAX_ROW_TAGS);
}

/** Characters that a note has. */
const MAX_NOTE = 20_000;

function readNotes(mapping: ContactsMapping, row: Row, title: string, keepInNotes: boolean) {
  const own = (mapping.notes ?? []).flatMap((header) => {
    const Body = row.cell(header);
    return Body ? [{ Title: header, Body: Body.slice(0, MAX_NOTE) }] : [];
  });
  const others = keepInNotes ? row.unmapped().map(({ header, text }) => `${header}: ${text}`) : [];
  return others.length ? [...own, { Title: title, Body: others.join('\n').slice(0, MAX_NOTE) }] : own;
}

function customValue({ Type }: CustomField, text: string): unknown {
  if (Type === 1) return Number(text);
  if (Type === 3) return isYes(text);
  return Type === 5 ? splitList(text) : text;
}

interface ReadProperties {
  readonly properties: readonly Property[];
  /** The address of the first that is billed. */
  readonly billing: Partial<Record<ContactText, string>> | undefined;
  readonly losses: readonly Loss[];
}

/** The properties of a client in its row. `last` is what follows the client's id, of a row for each property. */
function readProperties(
  mapping: ContactsMapping,
  count: number,
  row: Row,
  { reference, last }: { readonly reference: string; readonly last: string },
): ReadProperties {
  const properties: Property[] = [];
  const losses: Loss[] = [];
  let billing: ReadProperties['billing'];
  for (let n = 1; mapping.properties && n <= count; n++) {
    const read = readTexts(mapping.properties, row, n);
    if (!read.fields.Address1 && !read.fields.City && !read.fields.Zip) continue;
    losses.push(...read.losses);
    if (mapping.billing && isYes(row.text(mapping.billing, n))) billing ??= read.fields;
    properties.push({
      reference: `${reference}/${last || n}`,
      number: n,
      contact: read.fields,
      addressKey: addressKey(read.fields),
    });
  }
  return { properties, billing, losses };
}

/**
 * The contact of a client and those of its properties. A property at the client's own address is the client itself.
 * `undefined` for a row without an id; throws nothing: what does not fit is a loss.
 */
export function readClient(
  mapping: ContactsMapping,
  columns: FileColumns,
  cells: readonly string[],
  { system, country, keepInNotes }: ReadOptions,
): ClientRow | { readonly errors: readonly Loss[] } {
  const row = new Row(columns, cells);
  const id = row.text(mapping.id);
  if (!id) return { errors: [{ column: row.header(mapping.id), reason: 'is empty: the row has no id' }] };
  const [clientId = '', ...rest] = mapping.separator ? id.split(mapping.separator) : [id];
  if (!clientId)
    return { errors: [{ column: row.header(mapping.id), reason: `${JSON.stringify(id)} does not begin with an id` }] };
  const reference = clientReference(system, clientId);
  const own = readTexts(mapping.fields, row, 1);
  const channels = readChannels(mapping, row, country);
  const last = mapping.separator ? rest.join(mapping.separator) : '';
  const { properties, billing, losses: others } = readProperties(mapping, columns.properties, row, { reference, last });
  const losses = [...own.losses, ...channels.losses, ...others];
  const named = own.fields.Address1 ? own.fields : (billing ?? properties[0]?.contact ?? {});
  const address = Object.fromEntries(ADDRESS.flatMap((name) => (named[name] ? [[name, named[name]]] : [])));
  const Tags = readTags(mapping, row);
  const Notes = readNotes(mapping, row, `Imported from ${system}`, keepInNotes);
  const CustomFields = columns.custom.flatMap(({ column, definition }) => {
    const text = row.at(column);
    return text ? [{ Id: definition.Id, Value: customValue(definition, text) }] : [];
  });
  const flags = Object.entries(mapping.flags ?? {}).map(([flag, header]) => [flag, isYes(row.cell(header))]);
  const client = {
    ...own.fields,
    ...address,
    ...channels.fields,
    ...Object.fromEntries(flags),
    ...(Tags.length && { Tags }),
    ...(Notes.length && { Notes }),
    ...(CustomFields.length && { CustomFields }),
    DigitalTrackingId: reference,
  };
  const checked = Contact.input().safeParse(client);
  if (!checked.success) {
    const errors = checked.error.issues.map(({ path: [field], message }) => {
      const source = mapping.fields[String(field) as ContactText];
      return { column: source === undefined ? String(field) : row.header(source), reason: message };
    });
    return { errors };
  }
  const name = { Name: own.fields.Name ?? '', Company: own.fields.Company ?? '' };
  return {
    reference,
    id,
    client: checked.data,
    properties: properties.map((property) => ({
      ...property,
      contact: { ...name, ...property.contact, DigitalTrackingId: property.reference },
    })),
    losses,
  };
}
