import type { ContactRecord } from '../../entities/contacts.ts';
import { formatInteger } from '../../shared/limits.ts';
import type { ContactCriteria } from '../../domain/contacts/search.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { searchContacts } from '../../store/contacts/contact-search.ts';
import type { TablePager } from '../../store/dynamodb/client.ts';
import type { RangeTooLarge } from '../../store/dynamodb/errors.ts';
import type { UncountedPage } from '../../store/dynamodb/pagination.ts';
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

/** The contacts that meet every criterion, newest first; 400 names the search field that is too broad. */
export const findMatchingContacts = (
  table: TablePager,
  account: string,
  criteria: ContactCriteria,
  page: Parameters<typeof searchContacts>[3],
): Promise<UncountedPage<ContactRecord>> => bounded(() => searchContacts(table, account, criteria, page), toError);
