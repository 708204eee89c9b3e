import { operation } from '../../lib/api/operation.ts';
import { Contact, contactSearchFields } from '../../lib/resources/contacts.ts';
import { many } from '../../lib/resources/resource.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { searchContacts } from '../../lib/store/contact-search.ts';
import { loadContactResources } from '../../lib/workflows/contacts/load-contact-resources.ts';
import { loadCriteria } from '../../lib/workflows/contacts/load-criteria.ts';

export const locate = operation({
  name: 'contacts/locate',
  summary: 'Finds the contacts that meet every criterion, newest first.',
  description:
    'Finds a contact as soon as it is added. Skip and Limit (1 to 500, default 100) page through long lists. If the ' +
    'only criteria are words that begin words of more than 500 contacts each, contacts come in the order of the word.',
  access: 'read',
  needs: ['table:page'],
  request: contactSearchFields,
  response: () => ({ Matches: many(Contact) }),
  failures: ['invalid'],
  example: { NameSearch: 'jose garcia' },
  async run(request, context) {
    const { caller, table, now } = context;
    const { accountId, organizationId } = caller;
    const criteria = await loadCriteria(request, context);
    if (Object.keys(criteria).length === 0) {
      const message = 'or another criterion is required, like PhoneSearch, EmailSearch, AddressSearch or IdSearch';
      throw invalid({ field: 'NameSearch', message });
    }
    const visible = organizationId === null ? criteria : { ...criteria, organizationId };
    const page = { skip: request.Skip ?? 0, limit: request.Limit ?? 100, reader: caller.reader };
    const found = await searchContacts(table, accountId, visible, page);
    const view = { accountId, now, paymentOnFile: request.ReturnPmtOnFile ?? false };
    return { Matches: await loadContactResources(table, found, view) };
  },
});
