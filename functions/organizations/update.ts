import { operation, save } from '../../lib/api/operation.ts';
import { OrganizationForm } from '../../lib/resources/organizations.ts';
import { forgetOrganization } from '../../lib/store/organizations.ts';
import { listOwnServices } from '../../lib/store/services.ts';
import {
  toOrganizationAnswer,
  requireOrganization,
  requireReady,
} from '../../lib/workflows/organizations/load-organization.ts';
import { loadWholeOrganization, upsertOrganization } from '../../lib/workflows/organizations/upsert-organization.ts';

export const update = operation({
  name: 'organizations/update',
  summary: 'Changes an organization, its service agents, services, users and custom fields.',
  description:
    'Named by OrganizationId, else by LocationId. An absent field stays as it is, null clears it. ServiceAgents, Services, Users and CustomFields are found by Id, ' +
    'else by their unique name or e-mail, else made; those not named stay. TimeSlots of a service agent and PostalCodes are the whole list. All is changed, ' +
    'or nothing. OpenSince reopens a canceled organization.',
  access: 'write',
  needs: ['table:write'],
  request: () => OrganizationForm.shape(),
  response: () => OrganizationForm.shape(),
  failures: ['invalid', 'notFound', 'conflict'],
  example: {
    OrganizationId: 1,
    PostalCodes: '62701, 62702',
    ServiceAgents: [
      {
        Name: 'Maria Lopez',
        MobilePhone: '(217) 555-0144',
        TimeSlots: [{ DayOfWeek: 1, StartMinute: 480, Minutes: 540 }],
      },
    ],
  },
  async run(request, { caller, table, now }) {
    const { accountId } = caller;
    const organization = await requireOrganization(table, caller, request, now, { mayRename: true });
    const [whole, services] = await Promise.all([
      loadWholeOrganization(table, accountId, organization),
      listOwnServices(table, accountId, organization.Id),
    ]);
    const upsert = requireReady(
      await upsertOrganization(table, accountId, whole, {
        input: request,
        now,
        accountWide: caller.organizationId === null,
      }),
    );
    forgetOrganization(accountId, organization.Id);
    return save(upsert.changes, toOrganizationAnswer(upsert.whole, upsert.services ?? services));
  },
});
