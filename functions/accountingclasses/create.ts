import { operation, save } from '../../lib/api/operation.ts';
import { accountingClassToResource, applyClassInput, findClassByName } from '../../lib/domain/accounting-classes.ts';
import { required } from '../../lib/resources/fields.ts';
import { conflict, invalid } from '../../lib/shared/failure.ts';
import { listClasses, classChanges } from '../../lib/store/accounting-classes.ts';
import { reserveIds } from '../../lib/store/dynamodb/ids.ts';
import {
  assignPostalCodes,
  classFields,
  classErrors,
  toMatches,
  classOrganization,
} from '../../lib/workflows/accounting-classes/class-fields.ts';

export const create = operation({
  name: 'accountingclasses/create',
  summary: 'Makes an accounting class of an organization, with the postal codes booked under it.',
  description:
    "Its name is unique in the organization, and a postal code belongs to one of the organization's classes. Contacts there take class and TerritoryID from their postal code.",
  access: 'write',
  needs: ['table:write'],
  request: () => {
    const { Name, ...fields } = classFields();
    return { ...fields, Name: required(Name) };
  },
  response: toMatches,
  failures: ['invalid', 'notFound', 'conflict'],
  example: { OrganizationId: 1, Name: 'Denver North', TerritoryID: 'DEN-N', PostalCodes: ['80202', '80203'] },
  async run({ AccountingClassId, Name, TerritoryID, PostalCodes, ...request }, { caller, table, now }) {
    const { accountId } = caller;
    if (AccountingClassId)
      throw invalid({
        field: 'AccountingClassId',
        message: 'is given to the class; change one there is with accountingclasses/update',
      });
    const OrganizationId = await classOrganization(table, caller, request.OrganizationId, now);
    const [classes, [Id = 0]] = await Promise.all([
      listClasses(table, accountId, OrganizationId),
      reserveIds(table, accountId, 'AccountingClass', 1),
    ]);
    const input = { AccountingClass: Name, TerritoryID, PostalCodes };
    const namesake = findClassByName(classes, input);
    if (namesake)
      throw conflict(
        `Accounting class ${namesake.Id} has the name ${namesake.AccountingClass}. Change it with accountingclasses/update.`,
      );
    const { merged, errors } = applyClassInput(
      { Id, OrganizationId, AccountingClass: '', TerritoryID: '', PostalCodes: [], V: 0 },
      input,
    );
    if (errors.length) throw classErrors(errors);
    const write = await classChanges(table, accountId, undefined, merged);
    if (write.kind === 'taken') throw assignPostalCodes(write.taken);
    return save(write.changes, { Matches: [accountingClassToResource(write.record)] });
  },
});
