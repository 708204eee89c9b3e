import { operation } from '../../lib/api/operation.ts';
import { Contact } from '../../lib/resources/contacts.ts';
import { many } from '../../lib/resources/resource.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { callerOrganization } from '../../lib/store/accounts.ts';
import { searchContacts } from '../../lib/store/contact-search.ts';
import { loadContactResources } from '../../lib/workflows/contacts/load-contact-resources.ts';
import { requestedCriteria, searchFields } from '../../lib/workflows/contacts/search-criteria.ts';

export const locate = operation({
  name: 'contacts/locate',
  summary: 'Finds the contacts that meet every criterion given, newest first.',
  description:
    'A contact just added is found at once. Skip and Limit (1 to 500, default 100) page through long answers. Where a name or address word begins the ' +
    'words of more than 500 contacts and nothing else is given, they come in the order of the word.',
  access: 'read',
  needs: ['table:page'],
  request: searchFields,
  response: () => ({ Matches: many(Contact) }),
  failures: ['invalid'],
  example: { NameSearch: 'jose garcia' },
  async run(request, { caller, table, now, baseUrl }) {
    const { accountId, organizationId } = caller;
    const criteria = requestedCriteria(request, await callerOrganization(table, caller, now));
    if (Object.keys(criteria).length === 0) {
      throw invalid({
        field: 'NameSearch',
        message: 'or another criterion is required, like PhoneSearch, EmailSearch, AddressSearch or IdSearch',
      });
    }
    const visible = organizationId === null ? criteria : { ...criteria, organizationId };
    const found = await searchContacts(table, accountId, visible, {
      skip: request.Skip ?? 0,
      limit: request.Limit ?? 100,
    });
    return {
      Matches: await loadContactResources(table, found, {
        accountId,
        baseUrl,
        now,
        paymentOnFile: request.ReturnPmtOnFile ?? false,
      }),
    };
  },
});
