import { operation, save } from '../../lib/api/operation.ts';
import { accountingClassToResource } from '../../lib/domain/accounting-classes.ts';
import { accountingClassFields, accountingClassMatches } from '../../lib/resources/settings.ts';
import { updateAccountingClass } from '../../lib/workflows/accounting-classes/save-accounting-class.ts';

export const update = operation({
  title: 'Change an accounting class',
  summary: 'Changes an accounting class.',
  rules: [
    'AccountingClassId, else Name, names the class. With AccountingClassId, Name is the new name.',
    'PostalCodes are the whole list; absent fields stay as they are.',
    'Contacts take the change when their postal code is next set.',
  ],
  access: 'write',
  request: accountingClassFields,
  ignores: () => ['NameSearch'],
  response: accountingClassMatches,
  document: () => ({
    fields: {
      OrganizationId: 'Required if the account has several organizations and the key belongs to none of them.',
      AccountingClassId: 'Required without Name.',
      Name: 'Required without AccountingClassId; else the new name.',
    },
  }),
  example: { OrganizationId: 1, Name: 'Denver North', PostalCodes: ['80202', '80203', '80204'] },
  async run(request, context) {
    const { record, changes } = await updateAccountingClass(request, context);
    return save(changes, { Matches: [record].map(accountingClassToResource) });
  },
});
