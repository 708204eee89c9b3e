import { operation, save } from '../../lib/api/operation.ts';
import { OrganizationForm } from '../../lib/resources/organizations.ts';
import { conflict } from '../../lib/shared/failure.ts';
import { toUtc } from '../../lib/shared/format-moments.ts';
import { forgetOrganization } from '../../lib/store/organizations.ts';
import { listOwnServices } from '../../lib/store/services.ts';
import {
  checkSameOrganization,
  toOrganizationAnswer,
  requireOrganization,
} from '../../lib/workflows/organizations/load-organization.ts';
import { loadWholeOrganization, organizationChanges } from '../../lib/workflows/organizations/upsert-organization.ts';

export const cancel = operation({
  name: 'organizations/cancel',
  summary: 'Cancels an organization: its keys are refused within a minute, and nothing is deleted.',
  description:
    'By OrganizationId or LocationId. Its postal codes stay its own. organizations/update with OpenSince, called with a key of the account, reopens it.',
  access: 'admin',
  needs: ['table:write'],
  request: () => {
    const { OrganizationId, LocationId } = OrganizationForm.shape();
    return { OrganizationId, LocationId };
  },
  response: () => OrganizationForm.shape(),
  failures: ['invalid', 'notFound', 'conflict'],
  example: { OrganizationId: 2 },
  async run(request, { caller, table, now }) {
    const { accountId } = caller;
    const before = await requireOrganization(table, caller, request, now);
    checkSameOrganization(before, request);
    if (before.CancelDate !== null)
      throw conflict(`Organization ${before.Id} was canceled at ${toUtc(before.CancelDate)}.`);
    const [whole, services] = await Promise.all([
      loadWholeOrganization(table, accountId, before),
      listOwnServices(table, accountId, before.Id),
    ]);
    const { record, changes } = organizationChanges(accountId, before, {
      ...before,
      CancelDate: now.getTime(),
      Suspended: true,
    });
    forgetOrganization(accountId, before.Id);
    return save(changes, toOrganizationAnswer({ ...whole, organization: record }, services));
  },
});
