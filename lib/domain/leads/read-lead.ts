import { contactEntity } from '../../entities/contacts.ts';
import type { Fields } from '../../entities/declaration/field.ts';
import { zipOfNumber } from '../../resources/fields.ts';
import { readMailboxes, readName, readPhones, visibleText } from '../../shared/text/people.ts';
import { phonesIn } from '../../shared/text/phones.ts';
import { readFlag } from '../../shared/text/read-values.ts';
import { fold, wordsOf } from '../../shared/text/text.ts';
import { unescapeText } from '../../shared/text/unescape.ts';
import type { ContactInput } from '../contacts/apply-input.ts';
import type { LeadEntry } from './entries.ts';
import { type Meaning, isNumbered, meaningOf, meaningOfType } from './field-names.ts';

/**
 * Reads the fields of a form as a person. What has no place in a contact, or does not fit there whole, is a line of a
 * note: every value of the form is in the contact or in a line.
 */

/** The fields of a contact that forms fill. */
type PlacedField = Exclude<Meaning, 'First' | 'Middle' | 'Last' | 'Message'>;

export interface ReadLead {
  readonly contact: Readonly<Partial<Record<PlacedField, string>>> & Pick<ContactInput, never>;
  /** What the person writes, for the task of the office. */
  readonly message: string;
  /** `Best time: mornings`. */
  readonly answers: readonly string[];
  /** What the program adds to the answers. */
  readonly others: readonly string[];
}

interface Understood {
  readonly entry: LeadEntry;
  readonly meaning: Meaning | undefined;
  /** The value without the escaping of forms. */
  readonly text: string;
}

/** The parts of a name and of an address by the number behind the point, as Gravity Forms numbers them. */
const NAME_PARTS: Readonly<Record<string, Meaning>> = { 3: 'First', 4: 'Middle', 6: 'Last' };
const ADDRESS_PARTS: Readonly<Record<string, Meaning>> = {
  1: 'Address1',
  2: 'Address2',
  3: 'City',
  4: 'State',
  5: 'Zip',
  6: 'Country',
};

const partOf = ({ name }: LeadEntry): readonly [group: string, part: string] | undefined => {
  const [, group, part] = /^(\d{1,6})[._](\d)$/.exec(name) ?? [];
  return group && part ? [group, part] : undefined;
};

/** What the numbered parts of fields mean: `1.3` and `1.6` are first and last name, `4.1` to `4.6` an address. */
function meaningsOfParts(entries: readonly LeadEntry[]): ReadonlyMap<LeadEntry, Meaning> {
  const groups = Map.groupBy(entries.filter(partOf), (entry) => `${entry.within} ${partOf(entry)?.[0]}`);
  return new Map(
    [...groups.values()].flatMap((group) => {
      const parts = new Map(group.map((entry) => [partOf(entry)?.[1] ?? '', entry]));
      const isAddress = /\d/.test(parts.get('1')?.value ?? '') || /\d{3}/.test(parts.get('5')?.value ?? '');
      const isName = !parts.has('1') && !parts.has('5') && parts.has('3') && parts.has('6');
      const meanings = isAddress ? ADDRESS_PARTS : isName ? NAME_PARTS : {};
      return [...parts].flatMap(([part, entry]) => (meanings[part] ? [[entry, meanings[part]] as const] : []));
    }),
  );
}

/** What the value of a field without a telling name is: an e-mail address or a phone number, and nothing else. */
function meaningOfValue(text: string, country: string): Meaning | undefined {
  if (text.includes('@') && readMailboxes(text).values.length === 1) return 'Email';
  if (!/^\+?[\d\s().-]{10,25}$/.test(text) || text.replaceAll(/\D/g, '').length < 10) return undefined;
  return readPhones(text, country).values.length === 1 ? 'Phone' : undefined;
}

/** What may be meant beside the answers of a person: there, a name is that of the form. */
const ASIDE: ReadonlySet<Meaning> = new Set([
  'Email',
  'Phone',
  'LeadSource',
  'UtmSource',
  'UtmMedium',
  'UtmCampaign',
  'DigitalTrackingId',
]);

function understand(entries: readonly LeadEntry[], country: string): Understood[] {
  const parts = meaningsOfParts(entries);
  const understood = entries.map((entry): Understood => {
    const { name, label, type, value } = entry;
    const text = unescapeText(cleaned(value)).trim();
    const named = parts.get(entry) ?? meaningOf(name) ?? meaningOf(label) ?? meaningOfType(type);
    const guessed = isNumbered(name) && !partOf(entry) ? meaningOfValue(text, country) : undefined;
    return { entry, meaning: named ?? guessed, text };
  });
  const reachable = new Set(
    understood.flatMap(({ entry, meaning }) => (meaning === 'Email' || meaning === 'Phone' ? [entry.within] : [])),
  );
  return understood.map((each) => {
    const { entry, meaning } = each;
    const isOfPerson = entry.isAnswer || reachable.has(entry.within) || (meaning && ASIDE.has(meaning));
    return isOfPerson ? each : { ...each, meaning: undefined };
  });
}

/** What can be stored: no NUL and no half of a character. */
const cleaned = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const fields: Fields = contactEntity.fields;
const maxOf = (field: PlacedField): number => fields[field]?.options.max ?? FALLBACK_MAX[field] ?? 200;
/** Fields of kinds that have their limit without saying it. */
const FALLBACK_MAX: Readonly<Partial<Record<PlacedField, number>>> = { Phone: 50, AltPhone: 50, Zip: 20 };

/** Fields that take the text as it is. */
const PLAIN = [
  'Company',
  'Address1',
  'Address2',
  'City',
  'State',
  'Zip',
  'Country',
  'LeadSource',
  'UtmSource',
  'UtmMedium',
  'UtmCampaign',
  'DigitalTrackingId',
] as const satisfies readonly PlacedField[];

type Contact = Partial<Record<PlacedField, string>>;

/** The contact that a form describes. */
class Draft {
  readonly contact: Contact = {};
  readonly #country: string;

  constructor(country: string) {
    this.#country = country;
  }

  /** Sets a field that has no value yet, as far as the value fits. */
  offer(field: PlacedField, value: string): void {
    if (value && !this.contact[field]) this.contact[field] = value.slice(0, maxOf(field)).trim().toWellFormed();
  }

  offerEmail(text: string): void {
    const [mailbox] = readMailboxes(visibleText(text)).values;
    if (!mailbox) return;
    this.offer('Email', mailbox.email);
    if (mailbox.email === this.contact.Email) this.offer('Name', mailbox.name);
  }

  offerPhone(field: 'Phone' | 'AltPhone', text: string): void {
    for (const phone of readPhones(visibleText(text), this.#country).values)
      if (!this.contact[field]) this.offer(field, phone);
      else if (phone !== this.contact.Phone) this.offer('AltPhone', phone);
  }
}

/** First, middle and last name; `nombre` is a first name where there are `apellidos`. */
function nameIn(understood: readonly Understood[]): string {
  const first = (wanted: Meaning) => understood.find(({ meaning }) => meaning === wanted)?.text ?? '';
  const [whole, last] = [first('Name'), first('Last')];
  const given = first('First') || (last && !wordsOf(whole).includes(fold(last)) ? whole : '');
  const parts = [given, first('Middle'), last].filter(Boolean).join(' ');
  return last || first('First') ? parts : whole;
}

/** Campaign and click in an address of the site: `https://example.com/?utm_source=google&gclid=…`. */
function offerCampaign(draft: Draft, text: string): void {
  if (!/^https?:\/\/\S+\?\S+$/i.test(text) || !URL.canParse(text)) return;
  const { searchParams } = new URL(text);
  for (const [name, value] of searchParams) {
    const meaning = meaningOf(name);
    if (meaning?.startsWith('Utm') || meaning === 'DigitalTrackingId')
      draft.offer(meaning as PlacedField, cleaned(value));
  }
}

function contactOf(understood: readonly Understood[], country: string): Contact {
  const draft = new Draft(country);
  const of = (...wanted: readonly Meaning[]) =>
    understood.filter(({ meaning }) => meaning !== undefined && wanted.includes(meaning));
  const name = nameIn(understood);
  // `Ann Lee <ann@example.com>` in a field for the name.
  const [mailbox] = name.includes('@') ? readMailboxes(name).values : [];
  draft.offer('Name', mailbox ? mailbox.name : readName(name));
  for (const { text } of of('Email')) draft.offerEmail(text);
  if (mailbox) draft.offerEmail(name);
  for (const { text } of of('Phone')) draft.offerPhone('Phone', text);
  for (const { text } of of('AltPhone')) draft.offerPhone('AltPhone', text);
  for (const field of PLAIN)
    for (const { text, entry } of of(field))
      draft.offer(field, field === 'Zip' && entry.isNumber ? zipOfNumber(Number(text)) : text);
  for (const { text } of understood) offerCampaign(draft, text);
  return draft.contact;
}

/** The fields of the contact in which a value may be. */
const PLACES: Readonly<Partial<Record<Meaning, readonly PlacedField[]>>> = {
  First: ['Name'],
  Middle: ['Name'],
  Last: ['Name'],
  Name: ['Name', 'Email'],
  Email: ['Email', 'Name'],
  Phone: ['Phone', 'AltPhone'],
  AltPhone: ['AltPhone', 'Phone'],
};

/** Words and what separates them. */
const PLAIN_TEXT = /^[\p{L}\p{M}\p{N}\s.,;:'’"()<>@_+/&#-]*$/u;

/** Whether an e-mail is that of the contact, and a name beside it the contact's. */
function isEmailPlaced(text: string, { Email, Name = '' }: Contact): boolean {
  const { values, rest } = readMailboxes(text);
  const [mailbox, another] = values;
  const known = new Set(wordsOf(Name));
  return mailbox?.email === Email && !another && !rest && wordsOf(mailbox?.name ?? '').every((word) => known.has(word));
}

/** Whether the contact has each word of a value, so that no line is needed. */
function isPlaced({ meaning, text, entry }: Understood, contact: Contact): boolean {
  if (meaning === undefined || meaning === 'Message') return false;
  if (meaning === 'Email' && text.includes('@')) return isEmailPlaced(text, contact);
  const places = PLACES[meaning] ?? [meaning as PlacedField];
  const stored = places.map((field) => contact[field] ?? '');
  if (stored.includes(text)) return true;
  if (meaning === 'Zip' && entry.isNumber) return stored.includes(zipOfNumber(Number(text)));
  if (meaning === 'LeadSource' || meaning.startsWith('Utm') || meaning === 'DigitalTrackingId') return false;
  if (places.every((field) => text.length > maxOf(field))) return false;
  const known = new Set(wordsOf(stored.join(' ')));
  const words = wordsOf(text);
  // Signs beyond words and separators say something: `<3`, an emoji.
  return words.length > 0 && PLAIN_TEXT.test(text) && words.every((word) => known.has(word));
}

/** A value without the name that only describes the form: shown once. */
function linesOf(understood: readonly Understood[], isAnswer: boolean, shown: ReadonlySet<string>): string[] {
  return understood
    .filter(({ entry, text }) => entry.isAnswer === isAnswer && (isAnswer || !shown.has(text)))
    .map(({ entry, text }) => `${cleaned(entry.label)}: ${text}`);
}

/** The person, the message and the lines of the fields of a form. Phones are read as those of the country. */
export function readLead(entries: readonly LeadEntry[], country: string): ReadLead {
  const understood = understand(entries, country);
  const contact = contactOf(understood, country);
  const left = understood.filter((each) => !isPlaced(each, contact));
  const answers = linesOf(left, true, new Set());
  const shown = new Set([
    ...Object.values(contact),
    ...understood.flatMap(({ entry, text }) => (entry.isAnswer ? [entry.label, text] : [])),
  ]);
  const message = understood
    .filter(({ meaning }) => meaning === 'Message')
    .map(({ text }) => text)
    .join('\n');
  return { contact, message, answers, others: linesOf(left, false, shown) };
}

/** How much of a body that is no form is searched for a person. */
const MAX_SEARCHED = 5_000;

/** A body that is no form: it stands as it came, and its first e-mail and phone are those of the person. */
export function readRawLead(body: string, country: string): ReadLead {
  const text = cleaned(body);
  const searched = text.slice(0, MAX_SEARCHED);
  const [mailbox] = readMailboxes(searched).values;
  const [phone] = phonesIn(searched.slice(0, 1000), country).flatMap((found) => readPhones(found, country).values);
  const contact = { ...(mailbox && { Email: mailbox.email }), ...(phone && { Phone: phone }) };
  return { contact, message: '', answers: [text], others: [] };
}

/** Whether a provider says that it only tries the address. */
export const isTestLead = (entries: readonly LeadEntry[]): boolean =>
  entries.some(({ name, value }) => name === 'is_test' && readFlag(value) === true);
