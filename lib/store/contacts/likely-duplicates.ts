import { mailboxOf } from '../../domain/contacts/likely-pairs.ts';
import { searchKeys } from '../../domain/contacts/search.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { normalizeEmail, streetWords } from '../../shared/text/text.ts';
import type { Range } from '../dynamodb/table.ts';
import { layout, padded } from '../keys.ts';
import { type Entry, addressRange, nameRange, parseEntry } from './contact-index.ts';
import type { StoreAccount, StoreReader } from '../store.ts';

/** The newest entries of an e-mail, phone or word that are read, some 150 bytes each. */
const MAX_ENTRIES = 200;

interface AlikeList {
  readonly range: Pick<Range, 'partition' | 'from' | 'to'>;
  /** Whether an entry's facts allow that its contact matches. */
  readonly mayBe?: (entry: Entry) => boolean;
}

/** The longest word: short ones are part of many other names. */
const longest = (words: readonly string[]): string | undefined =>
  words.toSorted((a, b) => b.length - a.length || a.localeCompare(b))[0];

/** The lists that contain every possible duplicate of the contact in its organization. */
function alikeLists({ account }: StoreAccount, contact: ContactRecord): AlikeList[] {
  const { OrganizationId: organization, Email, Address1, Address2 } = contact;
  const { phone, altPhone, names } = searchKeys(contact);
  const own = { from: `${padded(organization)}#`, to: `${padded(organization)}#~` };
  const emails = new Set(Email ? [normalizeEmail(Email), mailboxOf(Email)] : []);
  const street = streetWords(Address1, Address2);
  const [name, road] = [longest(names), longest(streetWords(Address1))];
  /** Long names and addresses are not in the keys of entries, so their contacts are compared. */
  const hasWords = (words: readonly string[], count: number) => (entry: Entry) =>
    entry.words === undefined || words.filter((word) => entry.words?.includes(word)).length >= count;
  return [
    ...[...emails].map((email) => ({ range: { partition: layout.contactEmail.of({ account, email }), ...own } })),
    ...[phone, altPhone]
      .filter(Boolean)
      .map((each) => ({ range: { partition: layout.contactPhone.of({ account, phone: each }), ...own } })),
    ...(name === undefined
      ? []
      : [{ range: nameRange(account, name, organization), mayBe: hasWords(names, Math.min(2, names.length)) }]),
    ...(road === undefined
      ? []
      : [{ range: addressRange(account, road, organization), mayBe: hasWords(street, street.length) }]),
  ];
}

/**
 * Finds the ids of contacts that may be the same person: with the contact's e-mail or mailbox, a phone, two words of
 * its name, or its street. At most 6 requests of at most 200 entries, regardless of the size of the account; a list
 * that several contacts share is read once.
 */
export class LikelyDuplicateReader {
  readonly #store: StoreReader;
  readonly #lists = new Map<string, Promise<readonly Entry[]>>();
  #entries = 0;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** Number of lists that were read. */
  get lists(): number {
    return this.#lists.size;
  }

  /** Number of entries compared, counted for each contact. */
  get entries(): number {
    return this.#entries;
  }

  async idsOf(contact: ContactRecord): Promise<number[]> {
    const found = await Promise.all(
      alikeLists(this.#store, contact).map(async ({ range, mayBe = () => true }) => {
        const entries = await this.#list(range);
        this.#entries += entries.length;
        return entries.filter(mayBe).map(({ id }) => id);
      }),
    );
    return [...new Set(found.flat())].filter((id) => id !== contact.Id);
  }

  #list(range: AlikeList['range']): Promise<readonly Entry[]> {
    const name = `${range.partition}\n${range.from}`;
    const known = this.#lists.get(name);
    if (known) return known;
    const reading = this.#store.table
      .query({ ...range, descending: true, limit: MAX_ENTRIES })
      .then(({ items }) => items.map(parseEntry));
    this.#lists.set(name, reading);
    return reading;
  }
}
