import { operation, save } from '../../lib/api/operation.ts';
import { blankOrganization } from '../../lib/domain/organizations.ts';
import type { CustomField } from '../../lib/resources/custom-fields.ts';
import { described, required } from '../../lib/resources/fields.ts';
import { OrganizationForm } from '../../lib/resources/organizations.ts';
import { forbidden, invalid } from '../../lib/shared/failure.ts';
import { organizationCountChange, callerOrganization } from '../../lib/store/accounts.ts';
import { reserveIds } from '../../lib/store/dynamodb/ids.ts';
import { listSettingsWithVersions } from '../../lib/store/settings.ts';
import { toOrganizationAnswer, requireReady } from '../../lib/workflows/organizations/load-organization.ts';
import { upsertOrganization } from '../../lib/workflows/organizations/upsert-organization.ts';

export const create = operation({
  name: 'organizations/create',
  summary: 'Makes an organization with its service agents, services, users and custom fields.',
  description:
    'All of it is made, or nothing. Without Timezone it has that of its StartAddress (State and Zip), else that of the account. LocationId is unique in the ' +
    'account, and a postal code belongs to one organization: 409 names the owner. A custom field whose name is new is defined for all organizations.',
  access: 'admin',
  needs: ['table:write'],
  request: () => {
    const form = OrganizationForm.shape();
    return {
      ...form,
      OrganizationId: described(form.OrganizationId, 'Not to be given: it is given to the organization.'),
      Name: required(form.Name),
    };
  },
  response: () => OrganizationForm.shape(),
  failures: ['invalid', 'conflict'],
  example: {
    Name: 'Green Lawn Denver',
    PrimaryPhone: '(303) 555-0143',
    StartAddress: { Address1: '1 Market Street', City: 'Denver', State: 'CO', Zip: '80202' },
  },
  async run(request, { caller, table, now }) {
    const { accountId, organizationId } = caller;
    if (organizationId !== null)
      throw forbidden(
        `This key belongs to organization ${organizationId} and may not make another. Use a key of the account.`,
      );
    if (request.OrganizationId)
      throw invalid({
        field: 'OrganizationId',
        message: 'is given to the organization; change one there is with organizations/update',
      });
    const [home, [Id = 0], fields] = await Promise.all([
      callerOrganization(table, caller, now),
      reserveIds(table, accountId, 'Organization', 1),
      listSettingsWithVersions<CustomField>(table, accountId, 'CustomField'),
    ]);
    const organization = blankOrganization({
      Id,
      PublicName: '',
      Timezone: home.Timezone,
      Country: home.Country,
      Created: now.getTime(),
    });
    const upsert = requireReady(
      await upsertOrganization(
        table,
        accountId,
        { organization, agents: [], users: [], fields },
        { input: request, now },
      ),
    );
    return save(
      [...upsert.changes, organizationCountChange(accountId)],
      toOrganizationAnswer(upsert.whole, upsert.services ?? []),
    );
  },
});
