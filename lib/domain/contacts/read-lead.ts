import { firstPhoneIn, normalizePhone } from '../../shared/text/phones.ts';
import { firstEmailIn, isEmail, wordsOf } from '../../shared/text/text.ts';

/**
 * Reads what people type into form fields, so that no lead is lost because of one field: the readable part of a phone,
 * e-mail or postal code is stored, and the full text in a note.
 */

/** The longest values that a contact can have. */
const MOST = { phone: 50, email: 254, zip: 20 } as const;
/** The most characters of a text in a note, and in a sentence. */
const [MAX_IN_NOTE, MAX_IN_MESSAGE] = [1000, 100];

/** Zero-width spaces and other invisible characters. */
const INVISIBLE = /\p{Cf}+/gu;

/** What a field can store of a text: `''` for nothing. */
type Reader = (text: string, country: string) => string;

const readPhone: Reader = (text, country) =>
  text.length <= MOST.phone && normalizePhone(text, country) !== null
    ? text
    : firstPhoneIn(text, country).slice(0, MOST.phone);

const readEmail: Reader = (text) => (isEmail(text) ? text : firstEmailIn(text));

const readZip: Reader = (text) =>
  text.length <= MOST.zip ? text : (/\b(?:\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)\b/i.exec(text)?.[0] ?? '');

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['Phone', readPhone],
  ['AltPhone', readPhone],
  ['PriPhone', readPhone],
  ['Email', readEmail],
  ['Zip', readZip],
]);

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** A text that its field does not store completely. */
interface Unread {
  readonly field: string;
  readonly sent: string;
  readonly stored: string;
}

/** Whether the stored value contains everything sent; also true for an e-mail in brackets after its contact's name. */
function isWhole({ field, sent, stored }: Unread, { Name }: Fields): boolean {
  if (field !== 'Email' || !stored) return stored === sent;
  const known = new Set(wordsOf(`mailto ${stored} ${typeof Name === 'string' ? Name : ''}`));
  return wordsOf(sent).every((word) => known.has(word));
}

/** Reads the fields of a contact in place and returns the texts that are not stored completely. */
function readFields(contact: Fields, country: string): Unread[] {
  return [...READERS].flatMap(([field, read]) => {
    const sent = contact[field];
    if (typeof sent !== 'string' && !(typeof sent === 'number' && field !== 'Zip')) return [];
    const text = String(sent).replaceAll(INVISIBLE, '').trim();
    const value = { field, sent: text, stored: text && read(text, country) };
    if (value.stored) contact[field] = value.stored;
    else delete contact[field];
    return isWhole(value, contact) ? [] : [value];
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
    const unread = readFields(contact, countryOf(contact, country));
    const { Notes: notes = [] } = contact;
    if (unread.length && (notes === null || Array.isArray(notes)))
      contact['Notes'] = [...((notes as unknown[] | null) ?? []), { Title: 'As sent', Body: noteOf(unread) }];
    return unread.map((each) => describe(path, each));
  });
}

/** Reads the contact of a booking, whose InternalNotes keep the texts. */
export function readBookingLead(body: Fields, country: string): string[] {
  const unread = readFields(body, country);
  const { InternalNotes: notes = '' } = body;
  if (unread.length && (notes === null || typeof notes === 'string'))
    body['InternalNotes'] = [notes, `As sent:\n${noteOf(unread)}`].filter(Boolean).join('\n');
  return unread.map((each) => describe('', each));
}
