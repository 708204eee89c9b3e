import { readName } from '../../shared/text/people.ts';
import { normalizeEmail, splitWords, streetWords } from '../../shared/text/text.ts';
import { normalizePhone } from '../../shared/text/phones.ts';
import type { ContactInput } from '../contacts/apply-input.ts';
import { type Names, namesAgree } from '../contacts/same-person.ts';
import { CONNECTORS } from '../contacts/person-words.ts';
import { isPhone } from './contact-cells.ts';
import type { NamedClient } from './named-client.ts';

/** A client with its id in the other system, and the contacts of its properties. */
export interface KnownClient {
  readonly reference: string;
  readonly client: Pick<ContactInput, 'Name' | 'Nickname' | 'Company' | 'Email' | 'Phone' | 'AltPhone' | 'Address1'>;
  readonly properties: readonly { readonly reference: string; readonly contact: Pick<ContactInput, 'Address1'> }[];
}

interface IndexedClient {
  readonly reference: string;
  readonly names: Names;
  /** Its e-mail and phones. */
  readonly channels: readonly string[];
  /** Streets and the references of the contacts there: the client itself, or one of its properties. */
  readonly streets: Map<string, string>;
}

const streetKey = (street: string | null | undefined): string => (street ? streetWords(street).join(' ') : '');
/** `Bob & Ann` and `Bob and Ann` have the same key, and so do `Lee, Ann` and `Ann Lee`. */
const nameKey = (name: string): string => splitWords(readName(name).split(CONNECTORS).join(' ')).join(' ');

/** The contact that a row means, or why it is unknown. */
type Found =
  | { readonly client: string; readonly contact: string }
  | { readonly problem: string; readonly isNone: boolean; readonly references: readonly string[] };

/** The most clients that a message names. */
const MAX_NAMED = 4;

/**
 * An index of clients by what visits and invoices name them with. Takes a few hundred bytes per client: about 50 MB for
 * 100,000.
 */
export class ClientIndex {
  readonly #clients = new Map<string, IndexedClient>();
  readonly #byKey = new Map<string, Set<IndexedClient>>();
  readonly #country: string;

  constructor(country: string) {
    this.#country = country;
  }

  get size(): number {
    return this.#clients.size;
  }

  add({ reference, client, properties }: KnownClient): void {
    const known = this.#clients.get(reference);
    const names = { Name: client.Name ?? '', Nickname: client.Nickname ?? '', Company: client.Company ?? '' };
    const channels = this.#keys([client.Email ?? ''], [client.Phone ?? '', client.AltPhone ?? '']);
    const entry = known ?? { reference, names, channels, streets: new Map() };
    this.#clients.set(reference, entry);
    const own = streetKey(client.Address1);
    if (!known && own) entry.streets.set(own, reference);
    for (const property of properties) {
      const street = streetKey(property.contact.Address1);
      if (street && !entry.streets.has(street)) entry.streets.set(street, property.reference);
    }
    for (const key of channels) this.#addKey(key, entry);
    for (const name of Object.values(names)) if (name) this.#addKey(`name ${nameKey(name)}`, entry);
    for (const street of entry.streets.keys()) this.#addKey(`street ${street}`, entry);
  }

  #keys(emails: readonly string[], phones: readonly string[]): string[] {
    return [
      ...emails.filter(Boolean).map((email) => `e-mail ${normalizeEmail(email)}`),
      ...phones.flatMap((phone) => {
        const key = phone && phone.length <= 50 ? normalizePhone(phone, this.#country) : null;
        return key ? [`phone ${key}`] : [];
      }),
    ];
  }

  #addKey(key: string, entry: IndexedClient): void {
    const entries = this.#byKey.get(key);
    if (entries) entries.add(entry);
    else this.#byKey.set(key, new Set([entry]));
  }

  /**
   * Finds the client that a row names, and the contact at its street: by its id; else by e-mail and phone if the names
   * agree, preferring the one with that name, and e-mail over phone; else by name, unless everything else belongs to
   * somebody else; else by the street if the names agree. Among several, the one with that street. Nothing is guessed.
   */
  find(named: NamedClient): Found {
    const isNumber = isPhone(named.name, this.#country);
    const row = isNumber ? { ...named, phones: [...named.phones, named.name] } : named;
    const streets = streetKeys(row.street);
    const found = this.#candidates(row, streets);
    const [client] = found;
    if (!client) {
      const others = this.#ofName(row.name).map(describe).join(', ');
      const problem = others
        ? `has the name of ${others}, but another e-mail or phone and another street`
        : 'is no client of the files, nor of an earlier import';
      return { problem, isNone: true, references: [] };
    }
    if (found.length > 1) {
      const more = found.length > MAX_NAMED ? ` or ${found.length - MAX_NAMED} more` : '';
      const problem = `may be ${found.slice(0, MAX_NAMED).map(describe).join(' or ')}${more}`;
      return { problem, isNone: false, references: found.map(({ reference }) => reference) };
    }
    const street = streets.find((key) => client.streets.has(key)) ?? '';
    return { client: client.reference, contact: client.streets.get(street) ?? client.reference };
  }

  #ofName(name: string): readonly IndexedClient[] {
    return [...(this.#byKey.get(`name ${nameKey(name)}`) ?? [])];
  }

  #candidates(named: NamedClient, streets: readonly string[]): readonly IndexedClient[] {
    const own = named.reference ? this.#clients.get(named.reference) : undefined;
    if (named.reference) return own ? [own] : [];
    const person = { Name: named.name, Nickname: '', Company: '' };
    const channels = this.#keys(named.emails, named.phones);
    const agreeing = (keys: readonly string[]) =>
      new Set(
        keys.flatMap((key) => [...(this.#byKey.get(key) ?? [])]).filter(({ names }) => namesAgree(person, names)),
      );
    const reached = agreeing(channels);
    // Namesakes in one household share a phone, so the e-mail says more.
    const mailed = agreeing(this.#keys(named.emails, []));
    const isThere = (client: IndexedClient) => streets.some((street) => client.streets.has(street));
    const isNamesake = (client: IndexedClient) =>
      channels.length > 0 &&
      client.channels.length > 0 &&
      streets.length > 0 &&
      client.streets.size > 0 &&
      !isThere(client) &&
      !reached.has(client);
    const ofName = this.#ofName(named.name).filter((client) => !isNamesake(client));
    const ofStreet = named.name ? [...agreeing(streets.map((street) => `street ${street}`))] : [];
    return (
      [
        ofName.filter((client) => mailed.has(client)),
        ofName.filter((client) => reached.has(client)),
        [...mailed],
        [...reached],
        ofName,
        ofStreet,
      ]
        .map((clients) => (clients.length > 1 && clients.some(isThere) ? clients.filter(isThere) : clients))
        .find((clients) => clients.length > 0) ?? []
    );
  }
}

/** `jobber:1001 (Ana Archer)`. */
const describe = ({ reference, names }: IndexedClient): string => {
  const name = names.Name || names.Company;
  return name ? `${reference} (${name})` : reference;
};

/**
 * The keys of a street and of the beginnings of a whole address: `1 Main St, Apt 4, Richmond` may be just `1 Main St`.
 */
function streetKeys(address: string): string[] {
  const parts = address.split(/[•,\n]/);
  const beginnings = parts.map((_, index) => streetKey(parts.slice(0, index + 1).join(' '))).filter(Boolean);
  return [...new Set([streetKey(address), ...beginnings])].filter(Boolean);
}
