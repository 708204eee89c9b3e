import { MAX_PHONE, readMailboxes, readPhones, visibleText } from '../../shared/text/people.ts';
import { wordsOf } from '../../shared/text/text.ts';

/**
 * Reads what people type into form fields, so that no lead is lost because of one field: the readable part of a phone,
 * e-mail or postal code is stored, and the full text in a note.
 */

const MAX_ZIP = 20;
/** The most characters of a text in a note, and in a sentence. */
const [MAX_IN_NOTE, MAX_IN_MESSAGE] = [1000, 100];

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** What a field stores of a text, and whether other fields store the rest. */
interface Reading {
  readonly stored: string;
  readonly isWhole: boolean;
}

const BLANK: Reading = { stored: '', isWhole: true };

/** Puts a value into a field that has none. */
function offer(contact: Fields, field: string, value: string): void {
  if (contact[field] === undefined || contact[field] === null || contact[field] === '') contact[field] = value;
}

/** The first number; a second one is also the AltPhone of a contact without one. */
function readPhone(text: string, country: string, contact: Fields, field: string): Reading {
  const { values, rest } = readPhones(text, country);
  const [stored = '', second] = values;
  if (second !== undefined && field !== 'AltPhone') offer(contact, 'AltPhone', second);
  return { stored: stored.slice(0, MAX_PHONE), isWhole: values.length === 1 && rest === '' };
}

/** The first address; the name beside it is the Name of a contact without one. */
function readEmail(text: string, _country: string, contact: Fields): Reading {
  const { values, rest } = readMailboxes(text);
  const [mailbox, ...more] = values;
  if (!mailbox) return { stored: '', isWhole: false };
  if (mailbox.name) offer(contact, 'Name', mailbox.name);
  const known = new Set(wordsOf(typeof contact['Name'] === 'string' ? contact['Name'] : ''));
  const isWhole = !more.length && wordsOf(`${mailbox.name} ${rest}`).every((word) => known.has(word));
  return { stored: mailbox.email, isWhole };
}

function readZip(text: string): Reading {
  if (text.length <= MAX_ZIP) return { stored: text, isWhole: true };
  const [stored = ''] = /\b(?:\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)\b/i.exec(text) ?? [];
  return { stored, isWhole: false };
}

const READERS: ReadonlyMap<string, (text: string, country: string, contact: Fields, field: string) => Reading> =
  new Map([
    ['Phone', readPhone],
    ['PriPhone', readPhone],
    ['AltPhone', readPhone],
    ['Email', readEmail],
    ['Zip', readZip],
  ]);

/** A text that its field does not store completely. */
interface Unread {
  readonly field: string;
  readonly sent: string;
  readonly stored: string;
}

/** Reads the fields of a contact in place, but for Name; returns the texts that are not stored completely. */
export function readPerson(contact: Fields, country: string): Unread[] {
  return [...READERS].flatMap(([field, read]) => {
    const sent = contact[field];
    if (typeof sent !== 'string' && !(typeof sent === 'number' && field !== 'Zip')) return [];
    const text = visibleText(String(sent));
    const { stored, isWhole } = text ? read(text, country, contact, field) : BLANK;
    if (stored) contact[field] = stored;
    else delete contact[field];
    return isWhole ? [] : [{ field, sent: text, stored }];
  });
}

const noteOf = (unread: readonly Unread[]): string =>
  unread.map(({ field, sent }) => `${field}: ${sent.slice(0, MAX_IN_NOTE)}`).join('\n');

const quoted = (text: string): string => JSON.stringify(text.slice(0, MAX_IN_MESSAGE));

const describe = (path: string, { field, sent, stored }: Unread): string =>
  stored
    ? `Of ${path}${field} ${quoted(sent)} only ${quoted(stored)} is stored; a note has all of it.`
    : `${path}${field} ${quoted(sent)} cannot be read; it is kept in a note.`;

const countryOf = ({ Country }: Fields, country: string): string =>
  typeof Country === 'string' && /^[a-z]{2}$/i.test(Country) ? Country.toUpperCase() : country;

/** Reads the contacts of contacts/addupdate in place; returns a sentence for each text that goes into a note. */
export function readLeads(body: Fields, country: string): string[] {
  const listed = Array.isArray(body['Matches']) ? (body['Matches'] as unknown[]) : [];
  const contacts = [
    { contact: body, path: '' },
    ...listed.flatMap((contact, index) => (isFields(contact) ? [{ contact, path: `Matches[${index}].` }] : [])),
  ];
  return contacts.flatMap(({ contact, path }) => {
    const unread = readPerson(contact, countryOf(contact, country));
    const { Notes: notes = [] } = contact;
    if (unread.length && (notes === null || Array.isArray(notes)))
      contact['Notes'] = [...((notes as unknown[] | null) ?? []), { Title: 'As sent', Body: noteOf(unread) }];
    return unread.map((each) => describe(path, each));
  });
}

/** Reads the contact of a booking, whose InternalNotes keep the texts. */
export function readBookingLead(body: Fields, country: string): string[] {
  const unread = readPerson(body, country);
  const { InternalNotes: notes = '' } = body;
  if (unread.length && (notes === null || typeof notes === 'string'))
    body['InternalNotes'] = [notes, `As sent:\n${noteOf(unread)}`].filter(Boolean).join('\n');
  return unread.map((each) => describe('', each));
}
