import type { ContactRecord } from '../../entities/contacts.ts';
import { wordsOf } from '../../shared/text/text.ts';
import { CONNECTORS, isTelling } from './person-words.ts';

/**
 * Whether two contacts with the same e-mail are the same person. Several people share the mailbox of a family, an
 * office or a property manager, so the names must agree.
 */

export type Names = Pick<ContactRecord, 'Name' | 'Nickname' | 'Company'>;

/**
 * Of two contacts: the same whole name; the same first or last name, nickname or company; nothing that both have; or
 * only what differs.
 */
type Agreement = 'whole' | 'part' | 'unknown' | 'none';

export interface PersonName {
  readonly first: string;
  readonly last: string;
}

const wholeOf = (words: readonly string[]): PersonName[] =>
  words.length ? [{ first: words.join(' '), last: words.join(' ') }] : [];

/** First and last name: `Lee, Ann`, `Dr. Ann B. Lee` and `ANN LEE` are `ann`, `lee`. `Unit 12` is one name. */
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

/** The persons of a contact: of `Ann & Bob Lee` each of the two, and each also by the nickname. */
export const personsOf = ({ Name, Nickname }: Names): PersonName[] =>
  [Name, Nickname].flatMap((name) => name.split(CONNECTORS)).flatMap(personName);

const isSamePersonName = (one: PersonName, other: PersonName): boolean =>
  one.first === other.first || one.last === other.last || (one.first === other.last && one.last === other.first);

/** `Acme, Inc.` is `acme`. */
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

/** Whether the names do not show two persons: they agree in a part, or have nothing to compare. */
export const namesAgree = (one: Names, other: Names): boolean => agreementOf(one, other) !== 'none';

/** In this order, of several names of one contact: a name that differs says more than one that is not known. */
const ORDER: readonly Agreement[] = ['whole', 'part', 'none', 'unknown'];

/** How the names of a person agree with those of a contact, and of those that were merged into it. */
function bestAgreement(person: Names, contact: WithMerged): Agreement {
  const found = [contact, ...(contact.MergedContacts ?? [])].map((each) => agreementOf(person, each));
  return ORDER.find((agreement) => found.includes(agreement)) ?? 'unknown';
}

type WithMerged = Names & { readonly MergedContacts?: readonly Names[] };

/**
 * Who of several contacts with one e-mail is a person: those of the whole name; else those of a part of it; else those
 * of which no name is known.
 */
export function findByNames<Contact extends WithMerged>(
  person: Names,
  contacts: readonly Contact[],
): readonly Contact[] {
  const found = Map.groupBy(contacts, (contact) => bestAgreement(person, contact));
  return found.get('whole') ?? found.get('part') ?? found.get('unknown') ?? [];
}

/** Contacts that a remark names. */
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
