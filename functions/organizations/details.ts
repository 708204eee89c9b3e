import { operation } from '../../lib/api/operation.ts';
import { OrganizationForm } from '../../lib/resources/organizations.ts';
import { listOwnServices } from '../../lib/store/services.ts';
import {
  checkSameOrganization,
  toOrganizationAnswer,
  requireOrganization,
} from '../../lib/workflows/organizations/load-organization.ts';
import { loadWholeOrganization } from '../../lib/workflows/organizations/upsert-organization.ts';

export const details = operation({
  name: 'organizations/details',
  summary: 'An organization with its service agents, services, users and custom fields.',
  description:
    'By OrganizationId or LocationId; neither is needed with a key of one organization, or where the account has only one.',
  access: 'read',
  needs: ['table:read'],
  request: () => {
    const { OrganizationId, LocationId } = OrganizationForm.shape();
    return { OrganizationId, LocationId };
  },
  response: () => OrganizationForm.shape(),
  failures: ['invalid', 'notFound'],
  example: { OrganizationId: 1 },
  async run(request, { caller, table, now }) {
    const organization = await requireOrganization(table, caller, request, now);
    checkSameOrganization(organization, request);
    const { accountId } = caller;
    return toOrganizationAnswer(
      ...(await Promise.all([
        loadWholeOrganization(table, accountId, organization),
        listOwnServices(table, accountId, organization.Id),
      ])),
    );
  },
});
