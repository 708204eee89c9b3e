import { normalizePostalCode, streetWords } from '../addresses.ts';
import { normalizeEmail } from '../emails.ts';
import { fold, matchesWords, wordsOf } from '../words.ts';
import { nameKey } from './tags.ts';
import type { ContactRecord } from './record.ts';

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
  return US_ZIP.test(code) ? [code] : [...wordsOf(code), ...wordsOf(zip)];
}

/** The search keys of a contact. */
export function searchKeys(contact: ContactRecord): SearchKeys {
  return {
    email: contact.Email ? normalizeEmail(contact.Email) : '',
    phone: contact.PhoneKey,
    altPhone: contact.AltPhoneKey === contact.PhoneKey ? '' : contact.AltPhoneKey,
    tracking: contact.DigitalTrackingId,
    names: [...new Set([contact.Name, contact.Nickname, contact.Company].flatMap(wordsOf))],
    addresses: [
      ...new Set([
        ...streetWords(contact.Address1, contact.Address2),
        ...streetWords(contact.City),
        ...zipWords(contact.Zip),
      ]),
    ],
    tags: contact.Tags.map(({ Name }) => nameKey(Name)),
    category: nameKey(contact.Category),
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
export function meets(contact: ContactRecord, criteria: ContactCriteria): boolean {
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
