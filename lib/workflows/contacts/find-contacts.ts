import type { ContactRecord } from '../../entities/contacts.ts';
import { formatInteger } from '../../shared/text/text.ts';
import { MAX_BATCH_READS } from '../../shared/limits.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { type ContactCriteria, matchesCriteria } from '../../domain/contacts/search.ts';
import type { FieldError } from '../../shared/failure.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import { searchContacts } from '../../store/contacts/contact-search.ts';
import { listedContacts } from '../../store/visibility.ts';
import { type StorePager } from '../../store/store.ts';
import { chunks } from '../../store/dynamodb/table.ts';
import type { RangeTooLarge } from '../../store/dynamodb/errors.ts';
import type { PageRecords } from '../../store/dynamodb/lists/lists.ts';
import { bounded } from '../bounded.ts';

/**
 * The search field of a criterion. For tags, categories and compared values, the time of creation narrows the search.
 */
const criterionFields: Readonly<Record<string, string>> = {
  names: 'NameSearch',
  addresses: 'AddressSearch',
  email: 'EmailSearch',
  phone: 'PhoneSearch',
  tracking: 'DigitalTrackingIdSearch',
};

const toError = ({ criterion, max }: RangeTooLarge): FieldError => ({
  field: criterionFields[criterion] ?? 'CreatedFrom',
  code: 'too_broad',
  message:
    `must be narrower: the search would read more than ${formatInteger(max)} contacts. ` +
    'Add another criterion, or a shorter time of creation.',
});

/** A page of the contacts that meet every criterion; 400 names the search field that is too broad. */
export const findMatchingContacts = (
  ...search: Parameters<typeof searchVisibleContacts>
): Promise<PageRecords<ContactRecord>> => bounded(() => searchVisibleContacts(...search), toError);

/** Batches of contacts compared at once. */
const READS_AT_ONCE = 5;

/**
 * The contacts visible to the caller that meet every criterion, newest first. An agent's contacts are few, so they are
 * read and compared. Throws RangeTooLarge.
 */
export async function searchVisibleContacts(
  store: StorePager,
  criteria: ContactCriteria,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<PageRecords<ContactRecord>> {
  const { organizationId, agent, reader } = store;
  const own = organizationId === null ? criteria : { ...criteria, organizationId };
  const ids = agent ? await listedContacts(store, criteria.id) : undefined;
  if (!ids) return searchContacts(store, own, { skip, limit, reader });
  const parts = await mapWithConcurrency(chunks(ids, MAX_BATCH_READS), READS_AT_ONCE, async (some) => {
    const found = await findContacts(store, some, { consistent: false });
    return found.filter((contact) => matchesCriteria(contact, own)).map(({ Id, Created }) => ({ Id, Created }));
  });
  const matching = parts.flat().sort(newestFirst).slice(skip);
  const page = matching.slice(0, limit).map(({ Id }) => Id);
  return { records: await findContacts(store, page), hasMore: matching.length > limit };
}

interface Dated {
  readonly Id: number;
  readonly Created: number;
}

const newestFirst = (one: Dated, other: Dated): number => other.Created - one.Created || other.Id - one.Id;
