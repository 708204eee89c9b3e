import { normalizeEmail, splitWords, streetWords } from '../../shared/text/text.ts';
import { normalizePhone } from '../../shared/text/phones.ts';
import type { ContactInput } from '../contacts/apply-input.ts';
import { type Names, namesAgree } from '../contacts/same-person.ts';
import type { NamedClient } from './read-work.ts';

/** A client with its id in the other system, and the contacts of its properties. */
export interface KnownClient {
  readonly reference: string;
  readonly client: Pick<ContactInput, 'Name' | 'Company' | 'Email' | 'Phone' | 'AltPhone' | 'Address1'>;
  readonly properties: readonly { readonly reference: string; readonly contact: Pick<ContactInput, 'Address1'> }[];
}

interface IndexedClient {
  readonly reference: string;
  readonly names: Names;
  /** Streets and the references of the contacts there: the client itself, and its properties. */
  readonly streets: Map<string, string>;
}

const streetKey = (street: string | null | undefined): string => (street ? streetWords(street).join(' ') : '');
const nameKey = (name: string): string => splitWords(name).join(' ');

/**
 * Clients by what visits and invoices name them with. Some hundred bytes a client: 100,000 are some
 * 50 MB.
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
    const names = { Name: client.Name ?? '', Nickname: '', Company: client.Company ?? '' };
    const entry = known ?? { reference, names, streets: new Map() };
    this.#clients.set(reference, entry);
    const own = streetKey(client.Address1);
    if (!known && own) entry.streets.set(own, reference);
    for (const property of properties) {
      const street = streetKey(property.contact.Address1);
      if (street && !entry.streets.has(street)) entry.streets.set(street, property.reference);
    }
    for (const key of this.#keys([client.Email ?? ''], [client.Phone ?? '', client.AltPhone ?? '']))
      this.#addKey(key, entry);
    for (const name of [client.Name, client.Company]) if (name) this.#addKey(`name ${nameKey(name)}`, entry);
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
   * The client that a row names, and the contact of its street: by its id, else by e-mail and phone where the names
   * agree, of several the one of that name; else by its name, of several the one with that street.
   */
  find(named: NamedClient): { readonly client: string; readonly contact: string } | 'none' | 'several' {
    const street = streetKey(named.street);
    const found = this.#candidates(named, street);
    const [client] = found;
    if (!client) return 'none';
    if (found.length > 1) return 'several';
    return { client: client.reference, contact: client.streets.get(street) ?? client.reference };
  }

  #candidates(named: NamedClient, street: string): readonly IndexedClient[] {
    const own = named.reference ? this.#clients.get(named.reference) : undefined;
    if (named.reference) return own ? [own] : [];
    const name = nameKey(named.name);
    const ofName = [...(this.#byKey.get(`name ${name}`) ?? [])];
    const person = { Name: named.name, Nickname: '', Company: '' };
    const reached = new Set(
      this.#keys(named.emails, named.phones)
        .flatMap((key) => [...(this.#byKey.get(key) ?? [])])
        .filter(({ names }) => namesAgree(person, names)),
    );
    const isThere = (client: IndexedClient) => client.streets.has(street);
    return (
      [ofName.filter((client) => reached.has(client)), ...(reached.size ? [[...reached]] : []), ofName]
        .map((clients) => (clients.length > 1 && clients.some(isThere) ? clients.filter(isThere) : clients))
        .find((clients) => clients.length > 0) ?? []
    );
  }
}
