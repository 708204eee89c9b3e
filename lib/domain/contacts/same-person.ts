import type { ContactRecord } from '../../entities/contacts.ts';
import { wordsOf } from '../../shared/text/text.ts';
import { CONNECTORS, isTelling } from './person-words.ts';

/**
 * Decides whether contacts with the same e-mail are the same person. Families, offices and property managers share
 * mailboxes, so the names must agree.
 */

export type Names = Pick<ContactRecord, 'Name' | 'Nickname' | 'Company'>;

/**
 * Two contacts have: the same full name; a common first or last name, nickname or company; nothing to compare; or only
 * different names.
 */
type Agreement = 'whole' | 'part' | 'unknown' | 'none';

export interface PersonName {
  readonly first: string;
  readonly last: string;
}

const wholeOf = (words: readonly string[]): PersonName[] =>
  words.length ? [{ first: words.join(' '), last: words.join(' ') }] : [];

/** First and last name: `Lee, Ann`, `Dr. Ann B. Lee` and `ANN LEE` are `ann`, `lee`. `Unit 12` is a single name. */
function personName(name: string): PersonName[] {
  const words = name
    .split(',')
    .map(wordsOf)
    .filter((part) => part.some(isTelling))
    .toReversed()
    .flat();
  if (words.some((word) => /\d/.test(word))) return wholeOf(wordsOf(name));
  const telling = words.filter(isTelling);
  const [first, last] = [telling[0], telling.at(-1)];
  return first !== undefined && last !== undefined ? [{ first, last }] : wholeOf(wordsOf(name));
}

/** The people of a contact: both of `Ann & Bob Lee`, and each also by the nickname. */
export const personsOf = ({ Name, Nickname }: Names): PersonName[] =>
  [Name, Nickname].flatMap((name) => name.split(CONNECTORS)).flatMap(personName);

const isSamePersonName = (one: PersonName, other: PersonName): boolean =>
  one.first === other.first || one.last === other.last || (one.first === other.last && one.last === other.first);

/** `Acme, Inc.` → `acme`. */
export function companyOf(name: string): string {
  const words = wordsOf(name);
  return words.filter(isTelling).join(' ') || words.join(' ');
}

const wholeName = ({ Name }: Names): string => wordsOf(Name).join(' ');

function agreementOf(one: Names, other: Names): Agreement {
  const [name, otherName] = [wholeName(one), wholeName(other)];
  if (name !== '' && name === otherName) return 'whole';
  const [persons, others] = [personsOf(one), personsOf(other)];
  const [company, otherCompany] = [companyOf(one.Company), companyOf(other.Company)];
  const isCompany = (name: string, text: string): boolean => name !== '' && name === companyOf(text);
  if (
    persons.some((person) => others.some((each) => isSamePersonName(person, each))) ||
    isCompany(company, other.Company) ||
    isCompany(company, other.Name) ||
    isCompany(otherCompany, one.Name)
  )
    return 'part';
  const isComparable = (name !== '' && otherName !== '') || (company !== '' && otherCompany !== '');
  return isComparable ? 'none' : 'unknown';
}

/** Whether the names may belong to one person: they agree in part, or cannot be compared. */
export const namesAgree = (one: Names, other: Names): boolean => agreementOf(one, other) !== 'none';

/** Preference among several names of one contact: a different name says more than an unknown one. */
const ORDER: readonly Agreement[] = ['whole', 'part', 'none', 'unknown'];

/** The best agreement of a person's names with those of a contact and of the contacts merged into it. */
function bestAgreement(person: Names, contact: WithMerged): Agreement {
  const found = [contact, ...(contact.MergedContacts ?? [])].map((each) => agreementOf(person, each));
  return ORDER.find((agreement) => found.includes(agreement)) ?? 'unknown';
}

type WithMerged = Names & { readonly MergedContacts?: readonly Names[] };

/**
 * Which of several contacts with one e-mail is the person: those with the full name, else those with a part of it, else
 * those without a known name.
 */
export function findByNames<Contact extends WithMerged>(
  person: Names,
  contacts: readonly Contact[],
): readonly Contact[] {
  const found = Map.groupBy(contacts, (contact) => bestAgreement(person, contact));
  return found.get('whole') ?? found.get('part') ?? found.get('unknown') ?? [];
}

/** The most contacts that a remark names. */
const MAX_NAMED = 3;

/** `Contact 9 (Bob Ray) is new: contact 7 (Ann Lee) has the same e-mail, but another name.` */
export function sharedMailbox(
  added: ContactRecord,
  sharing: readonly Pick<ContactRecord, 'Id' | 'Name' | 'Company'>[],
): string {
  const describe = ({ Id, Name, Company }: (typeof sharing)[number]): string => `${Id} (${Name || Company})`;
  const [first, ...others] = sharing.slice(0, MAX_NAMED).map(describe);
  if (first === undefined) return '';
  const start = `Contact ${describe(added)} is new: `;
  if (!others.length) return `${start}contact ${first} has the same e-mail, but another name.`;
  const more = sharing.length - MAX_NAMED;
  const last = more > 0 ? `${more} more` : others.pop();
  return `${start}contacts ${[first, ...others].join(', ')} and ${last} have the same e-mail, but other names.`;
}
