import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import { type StoredNote, noteFields, type Note } from '../../entities/contact-parts.ts';
import { type ContactRecord, contactEntity, type Contact } from '../../entities/contacts.ts';
import { shownOf } from '../../entities/declaration/entity.ts';
import { inputNames, withoutSecrets } from '../../entities/declaration/marks.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { IndexedError } from '../../shared/failure.ts';
import { jsonByteLength } from '../../shared/objects.ts';
import { fold, formatInteger } from '../../shared/text/text.ts';
import { toFriendly } from '../../shared/time/time.ts';
import type { CallRecord } from '../calls.ts';
import { customFieldsToResource } from '../custom-fields.ts';
import type { ClientLink, TakesPayments } from '../client-pages.ts';
import { LIST_LIMITS, describeLimit } from '../list-limits.ts';

/** Contact basics: fields, validity, notes, size limits, and the resource. */

/** Fields that callers set and that are stored unchanged: texts as typed, flags, and ids of another contact or user. */
export const { texts: textFields, flags: flagFields, ids: referenceFields } = inputNames(contactEntity.fields);

/** The contact fields in events of invoices, appointments and proposals. */
export const feedFields = [
  'Name',
  'Nickname',
  'Company',
  'Phone',
  'AltPhone',
  'Email',
  'Address1',
  'Address2',
  'City',
  'State',
  'Zip',
  'DigitalTrackingId',
  'CustomerSince',
  'LifetimeValue',
  'Created',
] as const satisfies readonly (keyof ContactRecord)[];
export type FeedContact = Pick<ContactRecord, (typeof feedFields)[number]>;

/** A street, and either a zip or a city and state. */
const hasAddress = ({ Address1, City, State, Zip }: ContactRecord): boolean =>
  Address1 !== '' && (Zip !== '' || (City !== '' && State !== ''));

/** A contact needs a name or company and a way to reach it: e-mail, phone or full address. */
export const isValid = (contact: ContactRecord): boolean =>
  (contact.Name !== '' || contact.Company !== '') &&
  (contact.Email !== '' || contact.Phone !== '' || contact.AltPhone !== '' || hasAddress(contact));

export const hasIdentifyingInfo = (contact: ContactRecord): boolean =>
  (['Name', 'Company', 'Email', 'Phone', 'AltPhone', 'Address1', 'DigitalTrackingId'] as const).some(
    (field) => contact[field] !== '',
  );

export const MAX_TAGS = 100;

/** Why no more new tags can be added when the account has the maximum. */
const tagLimit = describeLimit(LIST_LIMITS.tags);
export const TAGS_FULL = `would make new tags, but an account has ${tagLimit}. Use one of its tags`;

/**
 * Compared characters: a name has 100, but one character may expand to 18 (U+FDFA), and a key has at most 1,024 bytes.
 */
const MAX_KEY_CHARACTERS = 200;

/** The name of a tag or category for comparing, without case and accents; `""` for a blank name. */
export const tagNameKey = (name: string): string => [...fold(name.trim())].slice(0, MAX_KEY_CHARACTERS).join('');

export const noteToResource = (note: StoredNote): Note => shownOf(noteFields, note);

/** A call's note is removed with its call. */
export const isPlainNote = ({ CallId }: StoredNote): boolean => CallId === undefined;

/** When the oldest plain note was added; those without a time, from earlier versions, count as `undated`. */
export function oldestPlainNote(notes: readonly StoredNote[], undated: number | undefined): number | undefined {
  const times = notes.filter(isPlainNote).flatMap(({ At = undated }) => At ?? []);
  return times.length ? Math.min(...times) : undefined;
}

/** Adds the current time to new notes. */
export function dateNotes(
  before: readonly StoredNote[],
  after: readonly StoredNote[],
  now: number,
): readonly StoredNote[] {
  const known = new Set(before.map(({ Id }) => Id));
  const isNew = ({ Id, At }: StoredNote) => At === undefined && !known.has(Id);
  return after.some(isNew) ? after.map((note) => (isNew(note) ? { ...note, At: now } : note)) : after;
}

/** The contract's limits for the characters of a note. */
const MAX_TITLE = 200;
const MAX_BODY = 10_000;

/** 184 → `3 min 4 s`, 60 → `1 min`, 9 → `9 s`. */
function formatSeconds(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return [minutes ? `${minutes} min` : '', rest || !minutes ? `${rest} s` : ''].filter(Boolean).join(' ');
}

const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

/**
 * The note of a logged call on its contact: `Inbound call, Sun, Nov 22 2026 9:00 AM, 3 min 4 s`, followed by number,
 * recording and text. A text that does not fit is cut; the event call.logged has the complete record.
 */
export function callNote(call: CallRecord, { zone, at }: { zone: string; at: number }): Pick<Note, 'Title' | 'Body'> {
  const { Direction, DurationSeconds, Phone, RecordingUrl, Note: text } = call;
  const head = [
    `${Direction ? `${shorten(Direction, 100)} call` : 'Call'}`,
    toFriendly(at, zone),
    ...(DurationSeconds === null ? [] : [formatSeconds(DurationSeconds)]),
  ];
  const lines = [Phone && `Number: ${Phone}`, RecordingUrl && `Recording: ${RecordingUrl}`, text].filter(Boolean);
  return { Title: shorten(head.join(', '), MAX_TITLE), Body: shorten(lines.join('\n'), MAX_BODY) };
}

/** An item has at most 400 KB: 48,000 characters of notes with up to 3 bytes each, and this. */
const MAX_BYTES_BESIDES_NOTES = 200_000;
/** A transaction has at most 4 MB. */
const MAX_BYTES = 3_000_000;

/**
 * Above this size older notes move to pages of their own, so the contact's item stays cheap to read and far below 400
 * KB.
 */
export const NOTE_PAGE_CHARACTERS = 48_000;
/** Characters of names and ids around a note. */
const NOTE_OVERHEAD = 50;
export const noteSize = ({ Title, Body }: Pick<StoredNote, 'Title' | 'Body'>): number =>
  Title.length + Body.length + NOTE_OVERHEAD;

/** The most note pages that are read with a contact. */
const MAX_NOTE_PAGES = 80;

/** Why a contact with these notes cannot be stored. */
export function notesError({
  Notes,
  NotePages,
  NotePagesRemoved = 0,
}: Pick<ContactRecord, 'Notes' | 'NotePages' | 'NotePagesRemoved'>): string | undefined {
  const pages =
    NotePages - NotePagesRemoved + Notes.reduce((sum, note) => sum + noteSize(note), 0) / NOTE_PAGE_CHARACTERS;
  if (pages <= MAX_NOTE_PAGES) return undefined;
  const max = formatInteger(MAX_NOTE_PAGES * NOTE_PAGE_CHARACTERS);
  return `are too many: the notes of a contact have about ${max} characters at most`;
}

/** Errors of contacts that are too large to store: alone, or together with the preceding ones. */
export function contactSizeErrors(contacts: readonly ContactRecord[]): IndexedError[] {
  let total = 0;
  return contacts.flatMap((contact, index): IndexedError[] => {
    // Open documents come from invoices and proposals, so the sender of a contact cannot reduce them.
    const { Notes, OpenInvoices: _invoices, OpenProposals: _proposals, ...others } = contact;
    const besidesNotes = jsonByteLength(others);
    const previousTotal = total;
    total += besidesNotes + jsonByteLength(Notes);
    if (besidesNotes > MAX_BYTES_BESIDES_NOTES) {
      const message = `make the contact too large: at most ${MAX_BYTES_BESIDES_NOTES} bytes besides its notes`;
      return [{ index, field: 'CustomFields', code: 'limit', message }];
    }
    const tooManyNotes = notesError(contact);
    if (tooManyNotes) return [{ index, field: 'Notes', code: 'limit', message: tooManyNotes }];
    if (previousTotal > MAX_BYTES || total <= MAX_BYTES) return [];
    const message = `make the call too large: one call stores at most ${MAX_BYTES} bytes of contacts and notes`;
    return [{ index, field: 'Notes', code: 'limit', message }];
  });
}

/** The account's lists that a contact's resource refers to. */
export interface ContactLists {
  readonly customFields: readonly CustomField[];
  readonly taxRates: readonly NamedTaxRate[];
}

/** What a contact's resource requires besides the contact. */
interface ContactRelations {
  readonly lists: ContactLists;
  /** Whether the response includes the payment on file. */
  readonly paymentOnFile: boolean;
  readonly link: ClientLink;
  readonly takesPayments: TakesPayments;
}

/** Open documents, sorted by date, then id. */
const toDocumentLinks = (
  documents: ContactRecord['OpenInvoices'],
  linkOf: (id: number, generation: number) => string,
): Contact['OpenInvoices'] =>
  Object.entries(documents)
    .map(([id, { Date, Service, LinksRevoked = 0 }]) => {
      const Id = Number(id);
      return { Date, Service, Link: linkOf(Id, LinksRevoked), Id };
    })
    .sort((a, b) => a.Date.localeCompare(b.Date) || a.Id - b.Id);

const NO_PAYMENT_ON_FILE = withoutSecrets(contactEntity.fields);

export function contactToResource(
  record: ContactRecord,
  { lists, paymentOnFile, link, takesPayments }: ContactRelations,
): Contact {
  const { AccountingClass, Zip } = record;
  const resource = contactEntity.toResource(record, {
    CreditBalance: record.CreditBalance ?? 0,
    Notes: record.Notes.map(noteToResource),
    NamedTaxRate: lists.taxRates.find(({ Id }) => Id === record.NamedTaxRateId) ?? null,
    AccountingClass: AccountingClass && { ...AccountingClass, PostalCodes: Zip ? [Zip] : [] },
    Tags: record.Tags.map(({ Name }) => Name),
    CustomFields: customFieldsToResource(record.CustomFields, lists.customFields),
    OpenInvoices: toDocumentLinks(record.OpenInvoices, (id, generation) => link('invoice', id, generation)),
    OpenProposals: toDocumentLinks(record.OpenProposals, (id, generation) => link('proposal', id, generation)),
    UpdatePaymentOnFileUrl: takesPayments(record.OrganizationId)
      ? link('card', record.Id, record.LinksRevoked ?? 0)
      : '',
    ClientUrl: link('overview', record.Id, record.LinksRevoked ?? 0),
    BookingUrl: link('rebook', record.Id, record.LinksRevoked ?? 0),
    IsValid: isValid(record),
    HasIdentifyingInfo: hasIdentifyingInfo(record),
  });
  return paymentOnFile ? resource : { ...resource, ...NO_PAYMENT_ON_FILE };
}
