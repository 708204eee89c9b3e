import { normalizePostalCode, streetWords } from '../addresses.ts';
import { normalizeEmail } from '../emails.ts';
import { parseRangeEnd, parseRangeStart, type ParsedMoment } from '../moments-in.ts';
import type { OrganizationRecord } from '../organizations.ts';
import { normalizePhone } from '../phones.ts';
import { wordsOf } from '../words.ts';
import type { ContactFault } from './merge.ts';
import type { ContactCriteria } from './search.ts';
import { nameKey } from './tags.ts';

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

type Reading = { readonly criteria: ContactCriteria } | { readonly faults: readonly ContactFault[] };

/**
 * The criteria of the search fields given, read in the organization's zone and country. No field given is no criterion:
 * the caller decides what that means. Faults: a phone that is none, a text with nothing in it to look for, a date that
 * cannot be read.
 */
export function criteriaOf(fields: SearchFields, { Timezone, Country }: OrganizationRecord): Reading {
  const faults: ContactFault[] = [];
  const fault = (field: string, message: string): undefined => void faults.push({ field, message });
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
    names: read('NameSearch', fields.NameSearch, (text) => some(wordsOf(text)), 'must have a letter or a digit'),
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
    category: read('CategorySearch', fields.CategorySearch, (text) => nameKey(text) || undefined, 'must not be blank'),
    tags: fields.TagSearch?.length
      ? fields.TagSearch.map((tag, index) => nameKey(tag) || fault(`TagSearch[${index}]`, 'must not be blank'))
      : undefined,
  };
  if (faults.length) return { faults };
  return { criteria: Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== undefined)) };
}
