import { operation } from '../../lib/api/operation.ts';
import { withVisibleTaxpayer } from '../../lib/domain/organizations.ts';
import { OrganizationForm } from '../../lib/resources/organizations.ts';
import { listOwnServices } from '../../lib/store/pricebook/services.ts';
import { findCalendarUrls } from '../../lib/workflows/organizations/calendar-urls.ts';
import {
  checkSameOrganization,
  loadWholeOrganization,
  requireOrganization,
  wholeOrganizationToForm,
} from '../../lib/workflows/organizations/load-organization.ts';

export const details = operation({
  title: 'Get an organization',
  summary: 'Returns an organization with its service agents, services, users and custom fields.',
  rules: [
    'OrganizationId or LocationId names the organization. Both are optional with a key of one organization, or ' +
      'where the account has only one.',
    'TaxpayerID is empty for every role but Owner and Admin.',
    'BusyFrom of a service agent is empty for every role but Owner, Admin and Office, and for keys of other agents.',
  ],
  access: 'read',
  request: () => {
    const { OrganizationId, LocationId } = OrganizationForm.shape();
    return { OrganizationId, LocationId };
  },
  response: () => OrganizationForm.shape(),
  document: () => ({
    fields: {
      OrganizationId:
        'Required, or LocationId, if the account has several organizations and the key belongs to none of them.',
    },
  }),
  example: { OrganizationId: 1 },
  async run(request, context) {
    const { store, caller } = context;
    const organization = await requireOrganization(context, request);
    checkSameOrganization(organization, request);
    const [whole, services, calendarUrl] = await Promise.all([
      loadWholeOrganization(store, organization),
      listOwnServices(store, organization.Id),
      findCalendarUrls(context),
    ]);
    const form = wholeOrganizationToForm(whole, services, { reader: caller, calendarUrl });
    return withVisibleTaxpayer(form, caller.role);
  },
});
