import type { ContactRecord } from '../../entities/contacts.ts';
import { type DuplicatePair, type PairReason, PairedContact, pairReasons } from '../../resources/duplicates.ts';
import { pick } from '../../shared/objects.ts';
import { nearest } from '../../shared/text/suggestions.ts';
import { fold, normalizeEmail, normalizePostalCode, streetWords } from '../../shared/text/text.ts';
import { type PersonName, companyOf, namesAgree, personsOf } from './same-person.ts';

/** Finds contacts that are probably one person. People decide, so a false match only costs them a look. */

/** The fields that decide. */
export type Comparable = Pick<
  ContactRecord,
  | 'Name'
  | 'Nickname'
  | 'Company'
  | 'PhoneKey'
  | 'AltPhoneKey'
  | 'Email'
  | 'Address1'
  | 'Address2'
  | 'City'
  | 'Zip'
  | 'OrganizationId'
>;

/** Mail providers whose domains people misspell. */
const PROVIDERS = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'comcast.net',
  'verizon.net',
] as const;
/** Real domains that differ from one of those by a letter. */
const OTHERS = new Set(['ymail.com', 'mail.com', 'email.com', 'fmail.com', 'gmx.com']);
/** Other domains of the same mailboxes. */
const SAME_MAILBOXES = new Map([
  ['googlemail.com', 'gmail.com'],
  ['me.com', 'icloud.com'],
  ['mac.com', 'icloud.com'],
]);
/** One letter in the nine to eleven of these domains. */
const ONE_LETTER = 0.12;

function spelledDomain(domain: string): string {
  if (OTHERS.has(domain)) return domain;
  const known = SAME_MAILBOXES.get(domain) ?? domain;
  return nearest(known, PROVIDERS, ONE_LETTER) ?? known;
}

/**
 * The mailbox that an address probably means: `Ann.Lee+shop@gmial.com` is `annlee@gmail.com`. A + starts an alias of
 * the mailbox, and Gmail ignores dots.
 */
export function mailboxOf(email: string): string {
  const address = normalizeEmail(email);
  const at = address.lastIndexOf('@');
  if (at < 1) return address;
  const domain = spelledDomain(address.slice(at + 1));
  const [base = ''] = address.slice(0, at).split('+', 1);
  const local = domain === 'gmail.com' ? base.replaceAll('.', '') : base;
  return `${local || address.slice(0, at)}@${domain}`;
}

const isSameWholeName = (one: PersonName, other: PersonName): boolean =>
  (one.first === other.first && one.last === other.last) || (one.first === other.last && one.last === other.first);

/** The compared parts of a contact. */
interface Traits {
  readonly persons: readonly PersonName[];
  /** The name of its company, else its own name. */
  readonly company: string;
  readonly lastNames: readonly string[];
  readonly phones: readonly string[];
  readonly mailbox: string;
  readonly street: string;
  readonly zip: string;
  readonly city: string;
}

function readTraits(contact: Comparable): Traits {
  const { Name, Company, PhoneKey, AltPhoneKey, Email, Address1, Address2, City, Zip } = contact;
  const persons = personsOf(contact);
  return {
    persons,
    company: companyOf(Company || Name),
    lastNames: persons.length ? persons.map(({ last }) => last) : [companyOf(Company)].filter(Boolean),
    phones: [PhoneKey, AltPhoneKey].filter(Boolean),
    mailbox: Email && mailboxOf(Email),
    street: streetWords(Address1, Address2).toSorted().join(' '),
    zip: normalizePostalCode(Zip),
    city: fold(City).trim(),
  };
}

/** Cached, because each contact on a page is compared with a hundred others. */
const known = new WeakMap<Comparable, Traits>();

function traitsOf(contact: Comparable): Traits {
  const traits = known.get(contact) ?? readTraits(contact);
  known.set(contact, traits);
  return traits;
}

/** Whether first and last names are the same; a contact without a person has the name of its company. */
function isSameName(one: Comparable, other: Comparable): boolean {
  const [{ persons, company }, { persons: others, company: otherCompany }] = [traitsOf(one), traitsOf(other)];
  if (persons.some((person) => others.some((each) => isSameWholeName(person, each)))) return true;
  const isNamed = persons.length > 0 && others.length > 0 && one.Name !== '' && other.Name !== '';
  return !isNamed && company !== '' && company === otherCompany;
}

/** Whether street and house number are the same, in places that do not differ. */
function isSameAddress(one: Traits, other: Traits): boolean {
  if (!one.street || one.street !== other.street) return false;
  if (one.zip && other.zip) return one.zip === other.zip;
  return one.city !== '' && one.city === other.city;
}

const isAnyOf = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((each) => others.includes(each));

/** Why two contacts of one organization are probably one person; empty if nothing suggests it. */
export function reasonsOf(one: Comparable, other: Comparable): PairReason[] {
  if (one.OrganizationId !== other.OrganizationId) return [];
  const [own, others] = [traitsOf(one), traitsOf(other)];
  const holds: Readonly<Record<PairReason, () => boolean>> = {
    phone: () => isAnyOf(own.phones, others.phones) && isSameName(one, other),
    address: () => isSameAddress(own, others) && isAnyOf(own.lastNames, others.lastNames),
    email: () => own.mailbox !== '' && own.mailbox === others.mailbox && namesAgree(one, other),
  };
  return pairReasons.filter((reason) => holds[reason]());
}

const sentences: Readonly<Record<PairReason, (one: Comparable, other: Comparable) => string>> = {
  phone: () => 'The same phone and name.',
  address: () => 'The same address and last name.',
  email: (one, other) =>
    normalizeEmail(one.Email) === normalizeEmail(other.Email)
      ? 'The same e-mail, and names that agree.'
      : 'E-mails that are probably one mailbox, and names that agree.',
};

/** Two contacts that are probably the same person. */
export interface LikelyPair {
  readonly contact: ContactRecord;
  readonly duplicate: ContactRecord;
  readonly reasons: readonly PairReason[];
}

const shown = Object.keys(PairedContact.shape()) as (keyof PairedContact)[];

export const pairToResource = ({ contact, duplicate, reasons }: LikelyPair): DuplicatePair => ({
  Contact: pick(contact, ...shown),
  Duplicate: pick(duplicate, ...shown),
  Reasons: [...reasons],
  Why: reasons.map((reason) => sentences[reason](contact, duplicate)).join(' '),
});
