import { operation } from '../../lib/api/operation.ts';
import { accountingClassToResource, matchesClass } from '../../lib/domain/accounting-classes.ts';
import { accountingClassFields, accountingClassMatches } from '../../lib/resources/settings.ts';
import { listClasses } from '../../lib/store/organizations/accounting-classes.ts';
import { findClassOrganization } from '../../lib/workflows/accounting-classes/save-accounting-class.ts';

export const get = operation({
  title: 'List accounting classes',
  summary: 'Lists the accounting classes of an organization with their postal codes, by id.',
  rules: ['AccountingClassId, NameSearch, Name, TerritoryID and PostalCodes narrow the list.'],
  access: 'read',
  request: accountingClassFields,
  response: accountingClassMatches,
  document: () => ({
    fields: {
      OrganizationId: 'Required if the account has several organizations and the key belongs to none of them.',
    },
  }),
  example: { OrganizationId: 1, NameSearch: 'Denver' },
  async run(request, context) {
    const organizationId = await findClassOrganization(request, context);
    const classes = await listClasses(context.store, organizationId);
    return { Matches: classes.filter((each) => matchesClass(each, request)).map(accountingClassToResource) };
  },
});
