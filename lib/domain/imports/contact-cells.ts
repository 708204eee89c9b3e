import { Contact } from '../../entities/contacts.ts';
import type { ContactInput } from '../contacts/apply-input.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import {
  type Mailbox,
  MAX_PHONE,
  readMailboxes,
  readName,
  splitPhones,
  splitValues,
} from '../../shared/text/people.ts';
import { CUT_NUMBER, isCutNumber, wholeNumber } from '../../shared/text/read-values.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import { splitList } from '../../shared/text/lists.ts';
import { normalizePhone } from '../../shared/text/phones.ts';
import { unescapeText } from '../../shared/text/unescape.ts';
import { applyCustomFieldInputs } from '../custom-fields.ts';
import { isRefusal, isYes, readCellFlag, readDay } from './cells.ts';
import type { ContactText, ContactsMapping } from './mapping.ts';
import type { FileColumns, Loss, Row } from './read-row.ts';
import { readWrittenNumber } from './spreadsheets.ts';

/** Reads a client's cells: channels, texts, tags, flags and custom fields. What does not fit is reported as a loss. */

/** Whether a name is a phone number, which some programs show for clients without a name. */
export const isPhone = (text: string, country: string): boolean =>
  text.length <= MAX_PHONE && !/\p{L}/u.test(text) && normalizePhone(text, country) !== null;

/**
 * The e-mail and two phones of a contact; further ones are lost, and so is anything that is not an address or number.
 */
export function readChannels(
  mapping: ContactsMapping,
  row: Row,
  country: string,
): { fields: ContactInput; losses: Loss[] } {
  const losses: Loss[] = [];
  const emails = new Map<string, Mailbox>();
  for (const header of mapping.emails ?? []) {
    const { values, rest } = readMailboxes(row.cell(header));
    for (const text of splitValues(rest))
      losses.push({ column: header, reason: `${JSON.stringify(text)} is no e-mail address` });
    for (const mailbox of values) {
      const { email } = mailbox;
      if (emails.size && !emails.has(normalizeEmail(email)))
        losses.push({ column: header, reason: `${JSON.stringify(email)}: a contact has one e-mail address` });
      else if (!emails.size) emails.set(normalizeEmail(email), mailbox);
    }
  }
  const phones = new Map<string, { label: string; text: string }>();
  for (const [label, source] of Object.entries(mapping.phones ?? {}))
    for (const written of splitPhones(row.text(source))) {
      const text = wholeNumber(written);
      const key = text.length <= MAX_PHONE ? normalizePhone(text, country) : null;
      const column = row.header(source);
      if (isCutNumber(text)) losses.push({ column, reason: `${JSON.stringify(text)} ${CUT_NUMBER}` });
      else if (!key) losses.push({ column, reason: `${JSON.stringify(text)} is no phone number` });
      else if (phones.has(key)) continue;
      else if (phones.size === 2) losses.push({ column, reason: `${JSON.stringify(text)}: a contact has two phones` });
      else phones.set(key, { label, text });
    }
  const name = row.text(mapping.fields.Name);
  if (!phones.size && isPhone(name, country)) phones.set('', { label: '', text: name });
  const [first, second] = [...phones.values()];
  const [mailbox] = [...emails.values()];
  return {
    fields: {
      ...(mailbox && { Email: mailbox.email }),
      // `Ann Lee <ann@example.com>` in a row without a name.
      ...(mailbox?.name && !name && { Name: mailbox.name }),
      ...(first && { Phone: first.text, PhoneLabel: first.label }),
      ...(second && { AltPhone: second.text, AltPhoneLabel: second.label }),
    },
    losses,
  };
}

/** The most characters of a contact's text. */
const MAX_TEXT: Readonly<Partial<Record<ContactText, number>>> = { FlashMessage: 1000, Category: 100, Country: 100 };
const MAX_NAME = 200;

export function readTexts(
  fields: ContactsMapping['fields'],
  row: Row,
  n: number,
): { fields: Partial<Record<ContactText, string>>; losses: Loss[] } {
  const losses: Loss[] = [];
  const texts: Partial<Record<ContactText, string>> = {};
  for (const [field, source] of Object.entries(fields) as [ContactText, ContactsMapping['id']][]) {
    const text = unescapeText(row.text(source, n));
    if (!text) continue;
    const max = MAX_TEXT[field] ?? MAX_NAME;
    if (text.length > max)
      losses.push({ column: row.header(source, n), reason: 'is longer than the field', isStored: true });
    texts[field] = (field === 'Name' ? readName(text) : text).slice(0, max);
  }
  return { fields: texts, losses };
}

/** Jobber's value for "no tags". */
const NO_TAG = '0';
/** The most characters of a tag, and tags added by a row. */
const [MAX_TAG, MAX_ROW_TAGS] = [100, 50];

export function readTags(mapping: ContactsMapping, row: Row): string[] {
  const listed = (mapping.tags ?? []).flatMap((header) => splitList(row.cell(header))).filter((tag) => tag !== NO_TAG);
  const flagged = Object.entries(mapping.tagsIf ?? {}).flatMap(([tag, header]) => (isYes(row.cell(header)) ? tag : []));
  return [...new Set([...listed, ...flagged].map((tag) => tag.slice(0, MAX_TAG)))].slice(0, MAX_ROW_TAGS);
}

/** The flags that are yes. Any other flag stays as the client set it here. */
export function readFlags({ flags, consents }: ContactsMapping, row: Row): ContactInput {
  const set = [
    ...Object.entries(flags ?? {}).filter(([, header]) => isYes(row.cell(header))),
    ...Object.entries(consents ?? {}).filter(([, headers]) => headers.some((header) => isRefusal(row.cell(header)))),
  ];
  return Object.fromEntries(set.map(([flag]) => [flag, true]));
}

type CustomValue = string | number | boolean | readonly string[];

const [NUMBER, DATE, CHECKBOX, LIST] = [1, 2, 3, 5];
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A custom field's value according to its type; `null` if it is empty. */
function customValue({ Type }: CustomField, text: string, country: string): CustomValue | null | undefined {
  if (Type === NUMBER) return isCutNumber(text) ? undefined : readWrittenNumber(text, country);
  if (Type === DATE) return readDay(text);
  if (Type === CHECKBOX) return isYes(text) || readCellFlag(text);
  return Type === LIST ? splitList(text) : text;
}

/** The custom fields of a client or of its property. */
export function readCustomFields(
  { custom }: FileColumns,
  row: Row,
  { of, country }: { readonly of: 'client' | 'property'; readonly country: string },
): { readonly values: { readonly Id: number; readonly Value: CustomValue }[]; readonly losses: readonly Loss[] } {
  const losses: Loss[] = [];
  const values = custom.flatMap(({ column: at, definition, of: owner }) => {
    const [text, column] = [row.at(at), row.headerAt(at)];
    const read = text && owner === of ? customValue(definition, text, country) : null;
    if (read === null) return [];
    // An unreadable value is checked as written, so that the error says what the field accepts.
    const input = { Id: definition.Id, Value: read ?? text };
    const [error] = applyCustomFieldInputs([], [input], [definition], country).errors;
    if (read === undefined || error) {
      const reason = isCutNumber(text) ? CUT_NUMBER : `is not stored: it ${error?.message ?? 'must be another value'}`;
      losses.push({ column, reason: `${JSON.stringify(text)} ${reason}` });
      return [];
    }
    if (definition.Type === NUMBER && !PLAIN_NUMBER.test(text))
      losses.push({ column, reason: `${JSON.stringify(text)} is stored as ${String(read)}`, isStored: true });
    return [input];
  });
  return { values, losses };
}

/** Removes fields that no contact can have. `columnOf` returns the column of a field. */
export function checkContact(
  contact: ContactInput,
  columnOf: (field: string) => string,
): { readonly contact: ContactInput; readonly losses: readonly Loss[] } {
  const checked = Contact.input().safeParse(contact);
  if (checked.success) return { contact: checked.data, losses: [] };
  const fields = checked.error.issues.map(({ path: [field], message }) => ({ field: String(field), message }));
  const wrong = new Set(fields.map(({ field }) => field));
  const rest = Object.fromEntries(Object.entries(contact).filter(([field]) => !wrong.has(field)));
  return {
    contact: Contact.input().parse(rest),
    losses: fields.map(({ field, message }) => ({ column: columnOf(field), reason: `${message}: it is left out` })),
  };
}
