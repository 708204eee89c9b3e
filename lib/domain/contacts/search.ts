import { normalizePostalCode, streetWords } from '../../shared/addresses.ts';
import { normalizeEmail } from '../../shared/emails.ts';
import { normalizePhone } from '../../shared/phones.ts';
import { type ParsedMoment, parseRangeEnd, parseRangeStart } from '../../shared/read-moments.ts';
import { fold, matchesWords, splitWords } from '../../shared/text.ts';
import type { OrganizationRecord } from '../organizations.ts';
import type { ContactError } from './apply-input.ts';
import type { ContactRecord } from './record.ts';
import { tagNameKey } from './tags.ts';

/** What a contact is found by, in the form in which searches compare it. */
export interface SearchKeys {
  readonly email: string;
  readonly phone: string;
  readonly altPhone: string;
  readonly tracking: string;
  readonly names: readonly string[];
  readonly addresses: readonly string[];
  readonly tags: readonly string[];
  readonly category: string;
}

const US_ZIP = /^\d{5}$/;

/**
 * A zip counts as a word of the address; one of several parts (`SW1A 1AA`) also by each of them, but a US one only by
 * its five digits.
 */
function zipWords(zip: string): string[] {
  const code = fold(normalizePostalCode(zip));
  return US_ZIP.test(code) ? [code] : [...splitWords(code), ...splitWords(zip)];
}

/** The search keys of a contact. */
export function searchKeys(contact: ContactRecord): SearchKeys {
  return {
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
  };
}

/**
 * What to look for; every criterion given must hold. Texts are already in the form of SearchKeys, moments in
 * milliseconds, both ends inclusive.
 */
export interface ContactCriteria {
  readonly id?: number;
  readonly hash?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly tracking?: string;
  /** Each must begin a word of Name, Nickname or Company. */
  readonly names?: readonly string[];
  /** Each must begin a word of the street or city, or the zip. */
  readonly addresses?: readonly string[];
  readonly tags?: readonly string[];
  readonly category?: string;
  readonly createdFrom?: number;
  readonly createdThrough?: number;
  /** The only organization whose contacts the caller may see. */
  readonly organizationId?: number;
}

/** Whether the contact meets every criterion: the last word on a search, whatever the index says. */
export function matchesCriteria(contact: ContactRecord, criteria: ContactCriteria): boolean {
  const {
    id,
    hash,
    email,
    phone,
    tracking,
    names,
    addresses,
    tags,
    category,
    createdFrom,
    createdThrough,
    organizationId,
  } = criteria;
  const plain =
    (id === undefined || contact.Id === id) &&
    (hash === undefined || contact.Hash === hash) &&
    (tracking === undefined || contact.DigitalTrackingId === tracking) &&
    (createdFrom === undefined || contact.Created >= createdFrom) &&
    (createdThrough === undefined || contact.Created <= createdThrough) &&
    (organizationId === undefined || contact.OrganizationId === organizationId);
  if (!plain || [email, phone, names, addresses, tags, category].every((criterion) => criterion === undefined))
    return plain;
  const keys = searchKeys(contact);
  return (
    (email === undefined || keys.email === email) &&
    (phone === undefined || keys.phone === phone || keys.altPhone === phone) &&
    (names === undefined || matchesWords(names, keys.names)) &&
    (addresses === undefined || matchesWords(addresses, keys.addresses)) &&
    (tags === undefined || tags.every((tag) => keys.tags.includes(tag))) &&
    (category === undefined || keys.category === category)
  );
}

type Given<Value> = Value | null | undefined;

/** The search fields of contacts/locate and addupdate. */
export interface SearchFields {
  readonly NameSearch?: Given<string>;
  readonly PhoneSearch?: Given<string>;
  readonly EmailSearch?: Given<string>;
  readonly AddressSearch?: Given<string>;
  readonly IdSearch?: Given<number>;
  readonly DigitalTrackingIdSearch?: Given<string>;
  readonly CreatedFrom?: Given<string>;
  readonly CreatedThrough?: Given<string>;
  readonly CategorySearch?: Given<string>;
  readonly TagSearch?: Given<readonly string[]>;
}

const ZIP = /^\d{5}(-?\d{4})?$/;
const CANADIAN = /\b([a-z]\d[a-z])[ -](\d[a-z]\d)\b/gi;

/**
 * Words of an address to look for, as the index has them: a ZIP+4 is its first five digits, a Canadian code one word.
 */
const addressWords = (text: string): string[] =>
  text
    .replace(CANADIAN, '$1$2')
    .split(/[\s,]+/)
    .flatMap((part) => (ZIP.test(part) ? [normalizePostalCode(part)] : streetWords(part)));

type Reading = { readonly criteria: ContactCriteria } | { readonly errors: readonly ContactError[] };

/**
 * The criteria of the search fields given, read in the organization's zone and country. No field given is no criterion:
 * the caller decides what that means. Faults: a phone that is none, a text with nothing in it to look for, a date that
 * cannot be read.
 */
export function parseCriteria(fields: SearchFields, { Timezone, Country }: OrganizationRecord): Reading {
  const errors: ContactError[] = [];
  const fault = (field: string, message: string): undefined => void errors.push({ field, message });
  const read = <Value, Result>(
    field: keyof SearchFields,
    value: Given<Value>,
    how: (value: Value) => Result | undefined,
    why: string,
  ) => (value == null || value === '' ? undefined : (how(value) ?? fault(field, why)));
  const some = (words: string[]) => (words.length ? words : undefined);
  const moment = (
    field: keyof SearchFields,
    value: Given<string>,
    how: (text: string, zone: string) => ParsedMoment,
  ) => {
    if (!value) return undefined;
    const parsed = how(value, Timezone);
    return parsed.ok ? parsed.at : fault(field, `cannot be read: ${parsed.reason}`);
  };
  const criteria = {
    id: fields.IdSearch ?? undefined,
    phone: read(
      'PhoneSearch',
      fields.PhoneSearch,
      (text) => normalizePhone(text, Country) ?? undefined,
      'must be a phone number',
    ),
    email: read(
      'EmailSearch',
      fields.EmailSearch,
      (text) => normalizeEmail(text) || undefined,
      'must be an e-mail address',
    ),
    names: read('NameSearch', fields.NameSearch, (text) => some(splitWords(text)), 'must have a letter or a digit'),
    addresses: read(
      'AddressSearch',
      fields.AddressSearch,
      (text) => some(addressWords(text)),
      'must have a letter or a digit',
    ),
    tracking: read(
      'DigitalTrackingIdSearch',
      fields.DigitalTrackingIdSearch,
      (text) => text.trim() || undefined,
      'must not be blank',
    ),
    createdFrom: moment('CreatedFrom', fields.CreatedFrom, parseRangeStart),
    createdThrough: moment('CreatedThrough', fields.CreatedThrough, parseRangeEnd),
    category: read(
      'CategorySearch',
      fields.CategorySearch,
      (text) => tagNameKey(text) || undefined,
      'must not be blank',
    ),
    tags: fields.TagSearch?.length
      ? fields.TagSearch.map((tag, index) => tagNameKey(tag) || fault(`TagSearch[${index}]`, 'must not be blank'))
      : undefined,
  };
  if (errors.length) return { errors };
  return { criteria: Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== undefined)) };
}
