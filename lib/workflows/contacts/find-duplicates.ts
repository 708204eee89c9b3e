import { type LikelyPair, reasonsOf } from '../../domain/contacts/likely-pairs.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { LikelyDuplicateReader } from '../../store/contacts/likely-duplicates.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { findMatchingContacts } from './find-contacts.ts';
import { loadContact } from './load-contact.ts';
import { type StorePager, type StoreReader } from '../../store/store.ts';

/**
 * Contacts compared with one contact, the oldest first: beyond this number, most share a mailbox or a house but no
 * name.
 */
const MAX_ALIKE = 100;
/** How many contacts of a page are compared in one step, which takes two rounds. */
const CONTACTS_AT_ONCE = { least: 5, most: 20 } as const;

/**
 * The approximate cost of a page of contacts, in CPU milliseconds: contacts of one household share lists and contacts.
 */
const COST = { list: 0.5, entry: 0.005, contact: 0.05, comparison: 0.05, pair: 0.2 } as const;
/** A page ends with the contacts that reach this cost. */
const MAX_COST = 100;

/** Finds contacts that are probably the same person, oldest first, and caches what it has read. */
class PairFinder {
  readonly #store: StoreReader;
  readonly #alike: LikelyDuplicateReader;
  readonly #contacts = new Map<number, ContactRecord>();
  #comparisons = 0;
  #pairs = 0;

  constructor(store: StoreReader) {
    this.#store = store;
    this.#alike = new LikelyDuplicateReader(store);
  }

  get cost(): number {
    const { lists, entries } = this.#alike;
    const read = COST.list * lists + COST.entry * entries + COST.contact * this.#contacts.size;
    return read + COST.comparison * this.#comparisons + COST.pair * this.#pairs;
  }

  async pairsOf(contacts: readonly ContactRecord[]): Promise<LikelyPair[]> {
    const alike = await Promise.all(
      contacts.map(async (contact) => (await this.#alike.idsOf(contact)).toSorted((a, b) => a - b).slice(0, MAX_ALIKE)),
    );
    await this.#read(alike.flat());
    return contacts.flatMap((contact, index) => this.#compare(contact, alike[index] ?? []));
  }

  async #read(ids: readonly number[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.#contacts.has(id));
    const found = await findContacts(this.#store, missing, { consistent: false });
    for (const contact of found) this.#contacts.set(contact.Id, contact);
  }

  #compare(contact: ContactRecord, ids: readonly number[]): LikelyPair[] {
    const pairs = ids.flatMap((id): LikelyPair[] => {
      const duplicate = this.#contacts.get(id);
      const reasons = duplicate ? reasonsOf(contact, duplicate) : [];
      return duplicate && reasons.length ? [{ contact, duplicate, reasons }] : [];
    });
    this.#comparisons += ids.length;
    this.#pairs += pairs.length;
    return pairs;
  }
}

/** Contacts that are probably the same person as that of a request. */
export async function findDuplicatesOf(
  contactId: number,
  { store, caller }: { readonly store: StoreReader; readonly caller: Caller },
): Promise<LikelyPair[]> {
  const contact = await loadContact({ store, caller }, contactId);
  return new PairFinder(store).pairsOf([contact]);
}

/**
 * The likely pairs of a page of contacts, newest first. A pair is listed with the contact that was added later. A page
 * with many similar contacts ends early; `next` is where the next one begins, absent after the last. Each step takes as
 * many contacts as may follow if they cost as much as those before: five, then the other twenty where few are alike.
 */
export async function findDuplicatesOnPage(
  page: { readonly skip: number; readonly limit: number },
  { store }: { readonly store: StorePager },
): Promise<{ readonly pairs: LikelyPair[]; readonly next: number | undefined }> {
  const { records, hasMore } = await findMatchingContacts(store, {}, page);
  const finder = new PairFinder(store);
  const pairs: LikelyPair[] = [];
  let looked = 0;
  while (looked < records.length && finder.cost < MAX_COST) {
    const affordable = looked ? Math.floor(((MAX_COST - finder.cost) * looked) / finder.cost) : 0;
    const count = Math.min(CONTACTS_AT_ONCE.most, Math.max(CONTACTS_AT_ONCE.least, affordable));
    const contacts = records.slice(looked, looked + count);
    pairs.push(...(await finder.pairsOf(contacts)).filter(({ contact, duplicate }) => duplicate.Id < contact.Id));
    looked += contacts.length;
  }
  return { pairs, next: hasMore || looked < records.length ? page.skip + looked : undefined };
}
