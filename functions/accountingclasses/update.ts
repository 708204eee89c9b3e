import { operation, save } from '../../lib/api/operation.ts';
import { accountingClassToResource, applyClassInput, findClassByName } from '../../lib/domain/accounting-classes.ts';
import { isEqual } from '../../lib/shared/equality.ts';
import { conflict, invalid, notFound } from '../../lib/shared/failure.ts';
import { listClasses, classChanges } from '../../lib/store/accounting-classes.ts';
import {
  assignPostalCodes,
  classFields,
  classErrors,
  toMatches,
  classOrganization,
} from '../../lib/workflows/accounting-classes/class-fields.ts';

export const update = operation({
  name: 'accountingclasses/update',
  summary: 'Changes an accounting class: by AccountingClassId, else by Name.',
  description:
    'With AccountingClassId, Name is its new name. PostalCodes given are the whole list; absent ones stay. Contacts take the change with their next postal code.',
  access: 'write',
  needs: ['table:write'],
  request: classFields,
  response: toMatches,
  failures: ['invalid', 'notFound', 'conflict'],
  example: { OrganizationId: 1, Name: 'Denver North', PostalCodes: ['80202', '80203', '80204'] },
  async run({ AccountingClassId, Name, TerritoryID, PostalCodes, ...request }, { caller, table, now }) {
    const { accountId } = caller;
    if (!AccountingClassId && !Name) throw invalid({ field: 'AccountingClassId', message: 'is required, or Name' });
    const organizationId = await classOrganization(table, caller, request.OrganizationId, now);
    const classes = await listClasses(table, accountId, organizationId);
    const input = { Id: AccountingClassId, AccountingClass: Name, TerritoryID, PostalCodes };
    const before = findClassByName(classes, input);
    if (!before)
      throw notFound('accounting class', AccountingClassId ? 'AccountingClassId' : 'Name', AccountingClassId ?? Name);
    const { merged, errors } = applyClassInput(before, input);
    if (errors.length) throw classErrors(errors);
    const namesake = findClassByName(
      classes.filter(({ Id }) => Id !== before.Id),
      { AccountingClass: merged.AccountingClass },
    );
    if (namesake) throw conflict(`Accounting class ${namesake.Id} has the name ${namesake.AccountingClass}.`);
    if (isEqual(merged, before)) return save([], { Matches: [accountingClassToResource(before)] });
    const write = await classChanges(table, accountId, before, merged);
    if (write.kind === 'taken') throw assignPostalCodes(write.taken);
    return save(write.changes, { Matches: [accountingClassToResource(write.record)] });
  },
});
