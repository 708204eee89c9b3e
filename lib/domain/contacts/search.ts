import type { ContactRecord } from '../../entities/contacts.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { contactSearchFields } from '../../resources/contacts.ts';
import type { FieldsInput } from '../../resources/fields.ts';
import type { FieldError, IndexedError } from '../../shared/failure.ts';
import { normalizePhone } from '../../shared/text/phones.ts';
import {
  fold,
  matchesWords,
  normalizeEmail,
  normalizePostalCode,
  splitWords,
  streetWords,
} from '../../shared/text/text.ts';
import { type DateSpan, isInSpan, parseTimeSpan } from '../../shared/time/read-moments.ts';
import { toLocalDay } from '../../shared/time/time.ts';
import { tagNameKey } from './record.ts';
import { statesOf } from './merged-states.ts';
import { namesAgree } from './same-person.ts';

/** The search keys of a contact, and what makes two contacts of one call the same. */

const US_ZIP = /^\d{5}$/;

/** A US zip is one word, its five digits; other postal codes also count by their parts (`SW1A 1AA`). */
function zipWords(zip: string): string[] {
  const code = fold(normalizePostalCode(zip));
  return US_ZIP.test(code) ? [code] : [...splitWords(code), ...splitWords(zip)];
}

/** The search keys of a contact, in the form in which they are compared. */
export const searchKeys = (contact: ContactRecord) => ({
  email: contact.Email ? normalizeEmail(contact.Email) : '',
  phone: contact.PhoneKey,
  altPhone: contact.AltPhoneKey === contact.PhoneKey ? '' : contact.AltPhoneKey,
  tracking: contact.DigitalTrackingId,
  names: [...new Set([contact.Name, contact.Nickname, contact.Company].flatMap(splitWords))],
  addresses: [
    ...new Set([
      ...streetWords(contact.Address1, contact.Address2),
      ...streetWords(contact.City),
      ...zipWords(contact.Zip),
    ]),
  ],
  tags: contact.Tags.map(({ Name }) => tagNameKey(Name)),
  category: tagNameKey(contact.Category),
});

/** A person's name for finding duplicates: without case, accents and punctuation. */
export const personName = ({ Name }: Pick<ContactRecord, 'Name'>): string => splitWords(Name).join(' ');

/** Search criteria, all of which must be met. Moments are inclusive, in milliseconds since 1970. */
export interface ContactCriteria extends Partial<Omit<ReturnType<typeof searchKeys>, 'altPhone'>> {
  readonly id?: number;
  /** Whether no e-mail is sent to its address. */
  readonly hasEmailProblem?: true;
  /** Whether it has credit, or has used more than it has. */
  readonly hasCredit?: true;
  readonly createdFrom?: number;
  readonly createdThrough?: number;
  /** For accounts with several zones: days in each contact's own zone; the moments then cover all of them. */
  readonly createdDays?: {
    readonly firstDay?: number | undefined;
    readonly lastDay?: number | undefined;
    /** By organization id. */
    readonly zones: ReadonlyMap<number, string>;
  };
  /** The only organization whose contacts the caller may see. */
  readonly organizationId?: number;
}

/** Whether a contact was created on one of the days in its organization's zone, if the criteria have days. */
export const isOnDays = (at: number, organization: number, { createdDays }: ContactCriteria): boolean =>
  !createdDays || isInSpan(at, toLocalDay(at, createdDays.zones.get(organization) ?? 'UTC'), createdDays);

/** The e-mails by which a contact is found. */
export const emailKeys = (contact: ContactRecord): string[] =>
  statesOf(contact).flatMap(({ Email }) => (Email ? [normalizeEmail(Email)] : []));

/** The phones by which a contact is found. */
export const phoneKeysOf = (contact: ContactRecord): string[] =>
  statesOf(contact).flatMap(({ PhoneKey, AltPhoneKey }) => [PhoneKey, AltPhoneKey].filter(Boolean));

const hasTracking = (contact: ContactRecord, tracking: string): boolean =>
  statesOf(contact).some(({ DigitalTrackingId }) => DigitalTrackingId === tracking);

/** Whether the contact meets every criterion. Index entries may be stale, so every search ends with this check. */
export function matchesCriteria(contact: ContactRecord, criteria: ContactCriteria): boolean {
  const { email, phone, names, addresses, tags, category } = criteria;
  const { id, tracking, hasEmailProblem, hasCredit, createdFrom, createdThrough, organizationId } = criteria;
  const matchesFields =
    (id === undefined || contact.Id === id) &&
    (!hasEmailProblem || contact.EmailProblem !== '') &&
    (!hasCredit || Boolean(contact.CreditBalance)) &&
    (tracking === undefined || hasTracking(contact, tracking)) &&
    (createdFrom === undefined || contact.Created >= createdFrom) &&
    (createdThrough === undefined || contact.Created <= createdThrough) &&
    isOnDays(contact.Created, contact.OrganizationId, criteria) &&
    (organizationId === undefined || contact.OrganizationId === organizationId);
  // Computing the search keys is the most expensive part.
  if (!matchesFields || [email, phone, names, addresses, tags, category].every((criterion) => criterion === undefined))
    return matchesFields;
  const keys = searchKeys(contact);
  return (
    (email === undefined || emailKeys(contact).includes(email)) &&
    (phone === undefined || phoneKeysOf(contact).includes(phone)) &&
    (names === undefined || matchesWords(names, keys.names)) &&
    (addresses === undefined || matchesWords(addresses, keys.addresses)) &&
    (tags === undefined || tags.every((tag) => keys.tags.includes(tag))) &&
    (category === undefined || keys.category === category)
  );
}

export type ContactSearchFields = FieldsInput<ReturnType<typeof contactSearchFields>> & {
  readonly HasEmailProblem?: boolean | null | undefined;
  readonly HasCredit?: boolean | null | undefined;
};

const ZIP = /^\d{5}(-?\d{4})?$/;
const CANADIAN = /\b([a-z]\d[a-z])[ -](\d[a-z]\d)\b/gi;

/** Address words as in the index: a ZIP+4 is its first five digits, a Canadian code one word. */
const addressWords = (text: string): string[] =>
  text
    .replace(CANADIAN, '$1$2')
    .split(/[\s,]+/)
    .flatMap((part) => (ZIP.test(part) ? [normalizePostalCode(part)] : streetWords(part)));

/**
 * The criteria in the search fields, read in the organization's zone and country. Without search fields they are empty;
 * the caller decides what that means.
 */
export function parseCriteria(
  fields: ContactSearchFields,
  { Timezone, Country }: OrganizationRecord,
): { readonly criteria: ContactCriteria; readonly created: DateSpan } | { readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const fail = (field: string, message: string): undefined => void errors.push({ field, code: 'format', message });
  type TextField =
    | 'PhoneSearch'
    | 'EmailSearch'
    | 'NameSearch'
    | 'AddressSearch'
    | 'DigitalTrackingIdSearch'
    | 'CategorySearch';
  const parse = <Result extends string | string[]>(
    field: TextField,
    parser: (text: string) => Result | null,
    message: string,
  ): Result | undefined => {
    const text = fields[field];
    if (!text) return undefined;
    const result = parser(text);
    return result?.length ? result : fail(field, message);
  };
  const { span: created, errors: spanErrors } = parseTimeSpan(['CreatedFrom', 'CreatedThrough'], fields, Timezone);
  errors.push(...spanErrors.filter(({ code }) => code !== 'range'));
  const NO_WORD = 'must have a letter or a digit';
  const BLANK = 'must not be blank';
  const criteria = {
    id: fields.IdSearch ?? undefined,
    phone: parse('PhoneSearch', (text) => normalizePhone(text, Country), 'must be a phone number'),
    email: parse('EmailSearch', normalizeEmail, 'must be an e-mail address'),
    names: parse('NameSearch', splitWords, NO_WORD),
    addresses: parse('AddressSearch', addressWords, NO_WORD),
    tracking: parse('DigitalTrackingIdSearch', (text) => text.trim(), BLANK),
    createdFrom: created.from,
    createdThrough: created.through,
    category: parse('CategorySearch', tagNameKey, BLANK),
    hasEmailProblem: fields.HasEmailProblem ? (true as const) : undefined,
    hasCredit: fields.HasCredit ? (true as const) : undefined,
    tags: fields.TagSearch?.length
      ? fields.TagSearch.map((tag, index) => tagNameKey(tag) || fail(`TagSearch[${index}]`, BLANK))
      : undefined,
  };
  if (errors.length) return { errors };
  const given = Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== undefined));
  return { criteria: given, created };
}

/** A contact written by a call, and what a later call would find it by. */
interface Written {
  readonly before: ContactRecord | undefined;
  readonly after: ContactRecord;
  readonly email: string;
  readonly phoneWithName: string;
}

/**
 * The field by which one of two contacts would be found as the other: e-mail and names, or without an e-mail phone and
 * name.
 */
function sameIdentity(one: Written, other: Written): 'Email' | 'Phone' | undefined {
  if (one.after.OrganizationId !== other.after.OrganizationId) return undefined;
  if (one.email || other.email)
    return one.email === other.email && namesAgree(one.after, other.after) ? 'Email' : undefined;
  return one.phoneWithName && one.phoneWithName === other.phoneWithName ? 'Phone' : undefined;
}

/**
 * Contacts of one call that are the same: two updates of one contact, or a new contact that would be found as another
 * one. `index` is that of the later one.
 */
export function findDuplicates(writes: readonly Pick<Written, 'before' | 'after'>[]): IndexedError[] {
  const written = writes.map(({ before, after }): Written => {
    const name = personName(after);
    const email = after.Email ? normalizeEmail(after.Email) : '';
    return { before, after, email, phoneWithName: after.PhoneKey && name ? `${after.PhoneKey} ${name}` : '' };
  });
  const duplicate = (index: number, field: string, original: number): IndexedError => ({
    index,
    field,
    code: 'duplicate',
    message: `is the same as in contact ${original + 1} of this call`,
  });
  return written.flatMap((contact, index): IndexedError[] => {
    const earlier = written.slice(0, index);
    const { before } = contact;
    const sameId = before ? earlier.findIndex((other) => other.before?.Id === before.Id) : -1;
    if (sameId >= 0) return [duplicate(index, 'Id', sameId)];
    // Two existing contacts may come to share an e-mail or phone.
    const fields = earlier.map((other) => (before && other.before ? undefined : sameIdentity(contact, other)));
    const same = fields.findIndex((field) => field !== undefined);
    return same >= 0 ? [duplicate(index, fields[same] ?? 'Email', same)] : [];
  });
}
