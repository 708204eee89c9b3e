import { operation, save } from '../../lib/api/operation.ts';
import { accountingClassToResource } from '../../lib/domain/accounting-classes.ts';
import { required } from '../../lib/resources/fields.ts';
import { accountingClassFields, accountingClassMatches } from '../../lib/resources/settings.ts';
import { createAccountingClass } from '../../lib/workflows/accounting-classes/save-accounting-class.ts';

export const create = operation({
  title: 'Create an accounting class',
  summary: 'Creates an accounting class of an organization, with its postal codes.',
  rules: [
    'The name is unique in the organization.',
    'A postal code belongs to at most one class of the organization.',
    'Contacts take class and TerritoryID from their postal code.',
  ],
  access: 'write',
  request: () => ({ ...accountingClassFields(), Name: required(accountingClassFields().Name) }),
  ignores: () => ['NameSearch'],
  response: accountingClassMatches,
  document: () => ({
    fields: {
      OrganizationId: 'Required if the account has several organizations and the key belongs to none of them.',
    },
  }),
  example: { OrganizationId: 1, Name: 'Denver North', TerritoryID: 'DEN-N', PostalCodes: ['80202', '80203'] },
  async run(request, context) {
    const { record, changes } = await createAccountingClass(request, context);
    return save(changes, { Matches: [record].map(accountingClassToResource) });
  },
});
