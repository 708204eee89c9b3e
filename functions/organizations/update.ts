import { operation, save } from '../../lib/api/operation.ts';
import { countMissed } from '../../lib/domain/leavers.ts';
import { calendarRules } from '../../lib/secrets/held-secret.ts';
import { OrganizationForm } from '../../lib/resources/organizations.ts';
import { updateOrganization } from '../../lib/workflows/organizations/upsert-organization.ts';
import { remarkOnSignIn } from '../../lib/workflows/users/remark-on-sign-in.ts';

export const update = operation({
  title: 'Change an organization',
  summary: 'Changes an organization, its service agents, services, users and custom fields.',
  rules: [
    'OrganizationId, else LocationId, names the organization.',
    'Everything in the request is changed, or nothing.',
    'An absent field stays as it is; null clears it.',
    'ServiceAgents, Services, Users and CustomFields match by Id, else by their unique name or e-mail; one that ' +
      'matches none is new. Those that the request does not name stay.',
    'TimeSlots of a service agent and PostalCodes replace the whole list.',
    'A service agent with an EndDate, or whose user is deactivated, keeps the visits behind it: Message counts them, ' +
      'and a task lists them.',
    'OpenSince reopens a canceled organization.',
  ],
  access: 'write',
  needs: ['table:write', 'sign-in:expect', 'callbacks:sign'],
  maxBody: 1 * 1024 * 1024,
  request: () => OrganizationForm.shape(),
  response: () => OrganizationForm.shape(),
  document: () => ({
    fields: {
      OrganizationId:
        'Required, or LocationId, if the account has several organizations and the key belongs to none of them.',
      ServiceAgents: 'Name is required in a new one.',
      Services: 'Name is required in a new one.',
      Users: 'Name and Email are required in a new one.',
    },
  }),
  example: {
    OrganizationId: 1,
    Radius: 15,
    ServiceAgents: [
      {
        Name: 'Diego Silva',
        MobilePhone: '(804) 555-0144',
        TimeSlots: [{ DayOfWeek: 1, StartMinute: 480, Minutes: 540 }],
      },
    ],
  },
  async run(request, context) {
    const { organization, changes, signIns, missed } = await updateOrganization(request, {
      ...context,
      calendars: calendarRules(),
    });
    remarkOnSignIn(signIns, context);
    for (const each of missed) context.remark(`${countMissed(each)}. A task lists them.`);
    return save(changes, organization);
  },
});
