import type { ContactInput } from '../contacts/apply-input.ts';
import { splitWords } from '../../shared/text/text.ts';
import { ADDRESS, addressKey, readAddress } from './address.ts';
import { isYes } from './cells.ts';
import { checkContact, readChannels, readCustomFields, readFlags, readTags, readTexts } from './contact-cells.ts';
import { type ContactText, type ContactsMapping, type Source, clientReference } from './mapping.ts';
import { type FileColumns, type Loss, Row } from './read-row.ts';
import { CUT_NUMBER, isCutNumber } from '../../shared/text/read-values.ts';

/** A row of clients: the client, and its properties in the row. */
export interface ClientRow {
  /** The client's id in the other system, with the system: `jobber:1001`. */
  readonly reference: string;
  /** The complete id of the row: that of the client or of its property. */
  readonly id: string;
  readonly client: ContactInput;
  readonly properties: readonly Property[];
  readonly losses: readonly Loss[];
  /** The columns that become notes. */
  readonly noted: readonly string[];
}

/** An address where a client has work done. */
interface Property {
  readonly reference: string;
  /** Its number within the row, from 1. */
  readonly number: number;
  readonly contact: ContactInput;
  readonly addressKey: string;
}

interface ReadOptions {
  readonly system: string;
  /** Applies to phone numbers without a calling code. */
  readonly country: string;
  /** Whether unmapped columns become a note of the contact. */
  readonly keepInNotes: boolean;
}

interface Note {
  readonly Title: string;
  readonly Body: string;
}

/** The most characters of a note. */
const MAX_NOTE = 20_000;

const toNote = (Title: string, Body: string): Note => ({ Title: Title.slice(0, 200), Body: Body.slice(0, MAX_NOTE) });

/** The notes of a row: columns that are notes, and one note with the other system's fields that have no place here. */
function readNotes(mapping: ContactsMapping, { noted }: FileColumns, row: Row, { system, keepInNotes }: ReadOptions) {
  const own = (mapping.notes ?? []).filter((header) => row.cell(header) && !row.isCustom(header));
  const fieldsOf = (owner: 'client' | 'property') =>
    noted.flatMap(({ column, of }) =>
      of === owner && row.at(column) ? [{ header: row.headerAt(column), text: row.at(column) }] : [],
    );
  const [client, property] = [[...fieldsOf('client'), ...(keepInNotes ? row.unmapped() : [])], fieldsOf('property')];
  const list = (fields: typeof client): Note[] =>
    fields.length
      ? [toNote(`Imported from ${system}`, fields.map(({ header, text }) => `${header}: ${text}`).join('\n'))]
      : [];
  return {
    client: [...own.map((header) => toNote(header, row.cell(header))), ...list(client)],
    property: list(property),
    columns: [...own, ...[...client, ...property].map(({ header }) => header)],
  };
}

type Texts = Partial<Record<ContactText, string>>;

/** The texts of a client or property with a repaired address; a remark in the address becomes a note. */
function readPlace(fields: ContactsMapping['fields'], row: Row, n: number, country: string) {
  const { fields: texts, losses } = readTexts(fields, row, n);
  const columnOf = (field: ContactText): string => row.header(fields[field], n);
  const written = pick(texts, ADDRESS);
  const read = readAddress(written, { country: texts.Country ?? country, columnOf });
  const others = Object.fromEntries(Object.entries(texts).filter(([name]) => !(name in written)));
  return {
    texts: { ...others, ...read.address } as Texts,
    notes: read.remark ? [toNote(columnOf('Address2'), read.remark)] : [],
    losses: [...losses, ...read.losses],
  };
}

const pick = <Name extends ContactText>(texts: Texts, names: readonly Name[]): Partial<Record<Name, string>> =>
  Object.fromEntries(names.flatMap((name) => (texts[name] ? [[name, texts[name]]] : []))) as Partial<
    Record<Name, string>
  >;

interface ReadProperties {
  readonly properties: readonly (Omit<Property, 'contact'> & { readonly texts: Texts; readonly notes: Note[] })[];
  /** The first billing address. */
  readonly billing: Texts | undefined;
  readonly losses: readonly Loss[];
}

/** The properties of a client in its row. `last` is what follows the client's id, in a row per property. */
function readProperties(
  mapping: ContactsMapping,
  count: number,
  row: Row,
  { reference, last, country }: { readonly reference: string; readonly last: string; readonly country: string },
): ReadProperties {
  const properties: ReadProperties['properties'][number][] = [];
  const losses: Loss[] = [];
  let billing: ReadProperties['billing'];
  for (let n = 1; mapping.properties && n <= count; n++) {
    const { texts, notes, losses: lost } = readPlace(mapping.properties, row, n, country);
    if (!texts.Address1 && !texts.City && !texts.Zip) continue;
    losses.push(...lost);
    if (mapping.billing && isYes(row.text(mapping.billing, n))) {
      const reason = 'is yes for several addresses: the first is that of the client, the others are properties';
      if (billing) losses.push({ column: row.header(mapping.billing, n), reason, isStored: true });
      billing ??= texts;
    }
    properties.push({ reference: `${reference}/${last || n}`, number: n, texts, notes, addressKey: addressKey(texts) });
  }
  return { properties, billing, losses };
}

interface RowId {
  readonly id: string;
  readonly clientId: string;
  readonly last: string;
}

/** Identifies a client if the other system has no ids. */
function describingId({ fields, emails = [], phones = {} }: ContactsMapping, row: Row): string {
  const channels = [row.text(emails), ...Object.values(phones).map((source) => row.text(source))];
  const texts = [fields.Name, fields.Company, fields.Address1, fields.Zip].map((source) => row.text(source));
  return splitWords([...texts, ...channels].join(' '))
    .join(' ')
    .slice(0, 200);
}

function readId(mapping: ContactsMapping, row: Row): RowId | { readonly errors: readonly Loss[] } {
  const { id: source, separator } = mapping;
  const id = source === undefined ? describingId(mapping, row) : row.text(source);
  const error = (reason: string) => ({ errors: [{ column: row.header(source), reason }] });
  if (!id) return error(source === undefined ? 'The row names no client' : 'is empty: the row has no id');
  if (isCutNumber(id)) return error(`${JSON.stringify(id)} ${CUT_NUMBER}`);
  const [clientId = '', ...rest] = separator ? id.split(separator) : [id];
  if (!clientId) return error(`${JSON.stringify(id)} does not begin with an id`);
  return { id, clientId, last: separator ? rest.join(separator) : '' };
}

/**
 * The contacts of a client and of its properties. A property at the client's own address is the client itself. Only a
 * row without an id is an error; in all others, what does not fit is a loss.
 */
export function readClient(
  mapping: ContactsMapping,
  columns: FileColumns,
  cells: readonly string[],
  options: ReadOptions,
): ClientRow | { readonly errors: readonly Loss[] } {
  const { system, country } = options;
  const row = new Row(columns, cells);
  const ids = readId(mapping, row);
  if ('errors' in ids) return ids;
  const reference = clientReference(system, ids.clientId);
  const own = readPlace(mapping.fields, row, 1, country);
  const channels = readChannels(mapping, row, country);
  const read = readProperties(mapping, columns.properties, row, { reference, last: ids.last, country });
  const notes = readNotes(mapping, columns, row, options);
  const [fields, ofProperty] = (['client', 'property'] as const).map((of) =>
    readCustomFields(columns, row, { of, country }),
  );
  const losses = [...own.losses, ...channels.losses, ...read.losses];
  losses.push(...(fields?.losses ?? []), ...(ofProperty?.losses ?? []));

  const address = pick(own.texts.Address1 ? own.texts : (read.billing ?? read.properties[0]?.texts ?? {}), ADDRESS);
  const home = addressKey(address);
  const isHome = ({ addressKey: key }: { readonly addressKey: string }) => key === home;
  // What a row says about the property where the client lives belongs to the client.
  const extras = { notes: notes.property, values: ofProperty?.values ?? [] };
  const atHome = read.properties.find(isHome);
  const [first] = read.properties;
  const isOfClient = !first || isHome(first);
  const { Nickname, ...texts } = own.texts;
  const Notes = [
    ...own.notes,
    ...notes.client,
    ...(atHome?.notes ?? []),
    ...(atHome?.texts.Nickname ? [toNote(row.header(mapping.properties?.Nickname), atHome.texts.Nickname)] : []),
    ...(isOfClient ? extras.notes : []),
  ];
  const CustomFields = [...(fields?.values ?? []), ...(isOfClient ? extras.values : [])];
  const flags = readFlags(mapping, row);
  const Tags = readTags(mapping, row);
  const client = checkContact(
    {
      ...pick(atHome?.texts ?? {}, ['FlashMessage']),
      ...texts,
      ...(Nickname && Nickname !== texts.Name && { Nickname }),
      ...address,
      ...channels.fields,
      ...flags,
      ...(Tags.length && { Tags }),
      ...(Notes.length && { Notes }),
      ...(CustomFields.length && { CustomFields }),
      DigitalTrackingId: reference,
    },
    (field) => row.header(mapping.fields[field as ContactText]) || field,
  );
  losses.push(...client.losses);
  const { Name = '', Company = '' } = client.contact;
  const properties = read.properties.map((property): Property => {
    const { texts: written, notes: remarks, ...rest } = property;
    const more = property === first && !isOfClient ? extras : { notes: [], values: [] };
    const checked = checkContact(
      {
        Name,
        Company,
        ...flags,
        ...written,
        ...((remarks.length || more.notes.length) && { Notes: [...remarks, ...more.notes] }),
        ...(more.values.length && { CustomFields: more.values }),
        DigitalTrackingId: property.reference,
      },
      (field) => row.header(mapping.properties?.[field as ContactText] as Source | undefined, rest.number) || field,
    );
    losses.push(...checked.losses);
    return { ...rest, contact: checked.contact };
  });
  return { reference, id: ids.id, client: client.contact, properties, losses, noted: notes.columns };
}
