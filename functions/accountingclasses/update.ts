import { operation, save } from '../../lib/api/operation.ts';
import { accountingClassOf, mergeClass, namedClass } from '../../lib/domain/accounting-classes.ts';
import { alike } from '../../lib/shared/equality.ts';
import { conflict, invalid, notFound } from '../../lib/shared/failure.ts';
import { listClasses, writeClass } from '../../lib/store/accounting-classes.ts';
import {
  booked,
  classFields,
  faultsOf,
  matches,
  organizationOf,
} from '../../lib/workflows/accounting-classes/class-fields.ts';

export const update = operation({
  name: 'accountingclasses/update',
  summary: 'Changes an accounting class: by AccountingClassId, else by Name.',
  description:
    'With AccountingClassId, Name is its new name. PostalCodes given are the whole list; absent ones stay. Contacts take the change with their next postal code.',
  access: 'write',
  needs: ['table:write'],
  request: classFields,
  response: matches,
  failures: ['invalid', 'notFound', 'conflict'],
  example: { OrganizationId: 1, Name: 'Denver North', PostalCodes: ['80202', '80203', '80204'] },
  async run({ AccountingClassId, Name, TerritoryID, PostalCodes, ...request }, { caller, table, now }) {
    const { accountId } = caller;
    if (!AccountingClassId && !Name) throw invalid({ field: 'AccountingClassId', message: 'is required, or Name' });
    const organizationId = await organizationOf(table, caller, request.OrganizationId, now);
    const classes = await listClasses(table, accountId, organizationId);
    const given = { Id: AccountingClassId, AccountingClass: Name, TerritoryID, PostalCodes };
    const before = namedClass(classes, given);
    if (!before)
      throw notFound('accounting class', AccountingClassId ? 'AccountingClassId' : 'Name', AccountingClassId ?? Name);
    const { merged, faults } = mergeClass(before, given);
    if (faults.length) throw faultsOf(faults);
    const namesake = namedClass(
      classes.filter(({ Id }) => Id !== before.Id),
      { AccountingClass: merged.AccountingClass },
    );
    if (namesake) throw conflict(`Accounting class ${namesake.Id} has the name ${namesake.AccountingClass}.`);
    if (alike(merged, before)) return save([], { Matches: [accountingClassOf(before)] });
    const write = await writeClass(table, accountId, before, merged);
    if (write.kind === 'taken') throw booked(write.taken);
    return save(write.changes, { Matches: [accountingClassOf(write.thing)] });
  },
});
