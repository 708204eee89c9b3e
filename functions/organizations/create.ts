import { operation, save } from '../../lib/api/operation.ts';
import { described, required } from '../../lib/resources/fields.ts';
import { OrganizationForm } from '../../lib/resources/organizations.ts';
import { calendarRules } from '../../lib/secrets/held-secret.ts';
import { forbidden, invalid } from '../../lib/shared/failure.ts';
import { createOrganization } from '../../lib/workflows/organizations/upsert-organization.ts';
import { remarkOnSignIn } from '../../lib/workflows/users/remark-on-sign-in.ts';

export const create = operation({
  title: 'Create an organization',
  summary: 'Creates an organization with its service agents, services, users and custom fields.',
  rules: [
    'Everything in the request is created, or nothing.',
    'Without Timezone the zone follows from State and Zip of StartAddress, else it is that of the account.',
    'LocationId is unique in the account.',
    'A postal code belongs to one organization: 409 names the owner.',
    'A custom field with a new name is defined for all organizations.',
  ],
  access: 'admin',
  needs: ['table:write', 'sign-in:expect', 'callbacks:sign'],
  maxBody: 1 * 1024 * 1024,
  request: () => {
    const form = OrganizationForm.shape();
    return {
      ...form,
      OrganizationId: described(form.OrganizationId, 'Leave it out: the service assigns it.'),
      Name: required(form.Name),
    };
  },
  response: () => OrganizationForm.shape(),
  document: () => ({
    fields: {
      ServiceAgents: 'Name is required in each.',
      Services: 'Name is required in each.',
      Users: 'Name and Email are required in each.',
    },
  }),
  failures: [],
  example: {
    Name: 'Green Lawn Denver',
    PrimaryPhone: '(303) 555-0143',
    StartAddress: { Address1: '1 Market Street', City: 'Denver', State: 'CO', Zip: '80202' },
  },
  async run(request, context) {
    const { organizationId } = context.caller;
    if (organizationId !== null)
      throw forbidden(
        'organization_forbidden',
        `This key belongs to organization ${organizationId} and cannot create another. Use a key of the account.`,
      );
    if (request.OrganizationId) {
      const message = 'must be absent: the service assigns it. Use organizations/update for an existing organization';
      throw invalid({ field: 'OrganizationId', code: 'fixed', message });
    }
    const { organization, changes, signIns } = await createOrganization(request, {
      ...context,
      calendars: calendarRules(),
    });
    remarkOnSignIn(signIns, context);
    return save(changes, organization);
  },
});
