import type { ContactRecord } from '../../entities/contacts.ts';
import { formatInteger } from '../../shared/limits.ts';
import { type ContactCriteria, matchesCriteria } from '../../domain/contacts/search.ts';
import type { FieldError } from '../../shared/failure.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import { searchContacts } from '../../store/contacts/contact-search.ts';
import { type CallerScope, listedContacts } from '../../store/requests/caller.ts';
import type { TablePager } from '../../store/dynamodb/table.ts';
import type { RangeTooLarge } from '../../store/dynamodb/errors.ts';
import type { UncountedPage } from '../../store/dynamodb/lists/lists.ts';
import { bounded } from '../bounded.ts';

const NARROW = 'too many contacts for one search';
const NARROWER = 'Add CreatedFrom and CreatedThrough, or a longer NameSearch.';
const WITH_OTHERS = `matches ${NARROW} with the other criteria. ${NARROWER}`;

/** The search field of a criterion that is too broad, and what narrows it. */
function toError({ criterion, max }: RangeTooLarge): FieldError {
  const count = formatInteger(max);
  switch (criterion) {
    case 'names':
      return {
        field: 'NameSearch',
        code: 'too_broad',
        message: `matches ${NARROW}. Add letters, another word, or another criterion.`,
      };
    case 'addresses':
      return {
        field: 'AddressSearch',
        code: 'too_broad',
        message: `matches ${NARROW}. Add the house number, the zip, or another criterion.`,
      };
    case 'email':
      return { field: 'EmailSearch', code: 'too_broad', message: `matches ${NARROW}. Add NameSearch.` };
    case 'phone':
      return { field: 'PhoneSearch', code: 'too_broad', message: `matches ${NARROW}. Add NameSearch.` };
    case 'tracking':
      return { field: 'DigitalTrackingIdSearch', code: 'too_broad', message: `matches ${NARROW}. Add NameSearch.` };
    case 'tags':
      return { field: 'TagSearch', code: 'too_broad', message: WITH_OTHERS };
    case 'category':
      return { field: 'CategorySearch', code: 'too_broad', message: WITH_OTHERS };
    case 'created':
      return {
        field: 'CreatedFrom',
        code: 'too_broad',
        message: `matches ${NARROW}. Shorten the time to CreatedThrough.`,
      };
    case 'contact':
      return {
        field: 'IdSearch',
        code: 'too_broad',
        message: `is required: this key reaches more than ${count} contacts.`,
      };
    case 'skip':
      return {
        field: 'Skip',
        code: 'too_broad',
        message: `can reach ${count} contacts at once. Request the pages one after another, or set CreatedThrough.`,
      };
    default:
      return {
        field: 'Limit',
        code: 'too_broad',
        message: `is too large: too many of these contacts have changed. Repeat the call with ${max}.`,
      };
  }
}

/** A page of the contacts that meet every criterion; 400 names the search field that is too broad. */
export const findMatchingContacts = (
  ...search: Parameters<typeof searchVisibleContacts>
): Promise<UncountedPage<ContactRecord>> => bounded(() => searchVisibleContacts(...search), toError);

/**
 * The contacts of the caller that meet every criterion, newest first. Those of an agent are few: they are read and
 * compared. Throws RangeTooLarge.
 */
export async function searchVisibleContacts(
  table: TablePager,
  { accountId, organizationId, agent, reader }: CallerScope,
  criteria: ContactCriteria,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<UncountedPage<ContactRecord>> {
  const own = organizationId === null ? criteria : { ...criteria, organizationId };
  const ids = agent ? await listedContacts(table, { accountId, agent }, criteria.id) : undefined;
  if (!ids) return searchContacts(table, accountId, own, { skip, limit, reader });
  const contacts = await findContacts(table, accountId, ids, { consistent: false });
  const records = contacts.filter((contact) => matchesCriteria(contact, own)).sort(newestFirst);
  return { records: records.slice(skip, skip + limit), isShort: false, goesOn: records.length > skip + limit };
}

const newestFirst = (one: ContactRecord, other: ContactRecord): number =>
  other.Created - one.Created || other.Id - one.Id;
