import { operation } from '../../lib/api/operation.ts';
import { accountingClassToResource, matchesClass } from '../../lib/domain/accounting-classes.ts';
import { listClasses } from '../../lib/store/accounting-classes.ts';
import { classFields, toMatches, classOrganization } from '../../lib/workflows/accounting-classes/class-fields.ts';

export const get = operation({
  name: 'accountingclasses/get',
  summary: 'The accounting classes of an organization with their postal codes, by id.',
  description: 'All of them, or those that AccountingClassId, NameSearch, Name, TerritoryID and PostalCodes leave.',
  access: 'read',
  needs: ['table:read'],
  request: classFields,
  response: toMatches,
  failures: ['invalid', 'notFound'],
  example: { OrganizationId: 1, NameSearch: 'Denver' },
  async run({ AccountingClassId, OrganizationId, ...criteria }, { caller, table, now }) {
    const classes = await listClasses(
      table,
      caller.accountId,
      await classOrganization(table, caller, OrganizationId, now),
    );
    return {
      Matches: classes
        .filter((each) => (!AccountingClassId || each.Id === AccountingClassId) && matchesClass(each, criteria))
        .map(accountingClassToResource),
    };
  },
});
