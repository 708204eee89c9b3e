import type { ContactInput } from '../domain/contacts/merge.ts';
import { blankContact, type ContactRecord } from '../domain/contacts/record.ts';
import { mergeContact } from '../domain/contacts/merge.ts';
import { searchKeys, type ContactCriteria } from '../domain/contacts/search.ts';
import type { OrganizationRecord } from '../domain/organizations.ts';
import { fold, wordsOf } from '../domain/words.ts';
import type { TablePager } from './client.ts';
import { findContactByHash, searchContacts } from './contact-search.ts';
import { guardPartitions, readContacts, takenIn, type Taken } from './contacts.ts';
import type { Viewer } from './viewer.ts';

/** What a request's contact turned out to be, and what its e-mail and phone partitions hold. */
export interface Lookup {
  readonly found: readonly ContactRecord[];
  readonly taken: ReadonlyMap<string, Taken>;
  /** The request named one contact, by Id or Hash: not finding it is an error. */
  readonly named: boolean;
}

/** So many of the contacts that fit are told. */
export const MOST_CANDIDATES = 25;

const sameName = (left: string, right: string): boolean => wordsOf(left).join(' ') === wordsOf(right).join(' ');

/** The keys under which the contact would be found if it were stored as given. */
const preview = (given: ContactInput, organization: OrganizationRecord): ContactRecord =>
  mergeContact(blankContact({ Id: 0, Hash: '', OrganizationId: 0, LocationID: '', Created: 0 }), given, {
    organization,
    postalOwner: undefined,
    at: 0,
  }).contact;

/**
 * Finds the contact a request speaks of: by Id or Hash; else by the search fields; else by e-mail; else by phone
 * together with name; not by Id or Hash, only among those of the organization it names. Two rounds at most. Beside it,
 * what the partitions of its e-mail and phone hold: adding to them is guarded by that.
 */
export async function lookUp(
  table: TablePager,
  viewer: Viewer,
  given: ContactInput,
  { organization, criteria }: { organization: OrganizationRecord; criteria: ContactCriteria | undefined },
): Promise<Lookup> {
  const { accountId } = viewer;
  const likely = preview(given, organization);
  const partitions = guardPartitions(accountId, likely);
  const named = Boolean(given.Id || given.Hash);
  const within = viewer.organizationId ?? (named ? undefined : given.OrganizationId || undefined);
  const visible = (contact: ContactRecord) => within === undefined || contact.OrganizationId === within;

  const reading = Promise.all(
    partitions.map(async (partition): Promise<[string, Taken]> => [partition, await takenIn(table, partition)]),
  );
  const finding = async (): Promise<readonly ContactRecord[]> => {
    if (given.Id) return readContacts(table, accountId, [given.Id]);
    if (given.Hash) {
      const id = await findContactByHash(table, accountId, given.Hash);
      return id === undefined
        ? []
        : (await readContacts(table, accountId, [id])).filter(({ Hash }) => Hash === given.Hash);
    }
    if (criteria) {
      const inside = within === undefined ? criteria : { ...criteria, organizationId: within };
      return searchContacts(table, accountId, inside, { skip: 0, limit: MOST_CANDIDATES });
    }
    const taken = new Map(await reading);
    const keys = searchKeys(likely);
    const candidates = await readContacts(table, accountId, [
      ...new Set([...taken.values()].flatMap(({ ids }) => ids)),
    ]);
    if (keys.email) return candidates.filter((contact) => searchKeys(contact).email === keys.email);
    const isSame = (contact: ContactRecord) =>
      [contact.PhoneKey, contact.AltPhoneKey].includes(keys.phone) && sameName(contact.Name, likely.Name);
    return keys.phone && fold(likely.Name) ? candidates.filter(isSame) : [];
  };
  const [taken, found] = await Promise.all([reading, finding()]);
  return { found: found.filter(visible), taken: new Map(taken), named };
}
