import { operation, save } from '../../lib/api/operation.ts';
import { OrganizationForm } from '../../lib/resources/organizations.ts';
import { conflict } from '../../lib/shared/failure.ts';
import { toUtc } from '../../lib/shared/time/time.ts';
import { organizationChanges } from '../../lib/store/organizations/organizations.ts';
import { listOwnServices } from '../../lib/store/pricebook/services.ts';
import {
  checkSameOrganization,
  loadWholeOrganization,
  requireOrganization,
  wholeOrganizationToForm,
} from '../../lib/workflows/organizations/load-organization.ts';

export const cancel = operation({
  title: 'Cancel an organization',
  summary: 'Cancels an organization and deletes nothing.',
  rules: [
    'OrganizationId or LocationId names the organization.',
    'Keys of the organization stop working.',
    'A canceled organization keeps its postal codes.',
    'organizations/update with OpenSince and a key of the account reopens it.',
  ],
  access: 'admin',
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
  example: { OrganizationId: 2 },
  async run(request, context) {
    const { store, caller, now } = context;
    const before = await requireOrganization(context, request);
    checkSameOrganization(before, request);
    if (before.CancelDate !== null)
      throw conflict('wrong_state', `Organization ${before.Id} was canceled at ${toUtc(before.CancelDate)}.`);
    const [whole, services] = await Promise.all([
      loadWholeOrganization(store, before),
      listOwnServices(store, before.Id),
    ]);
    const after = { ...before, CancelDate: now.getTime(), Suspended: true };
    const { record, changes } = organizationChanges(store, before, after);
    return save(changes, wholeOrganizationToForm({ ...whole, organization: record }, services, { reader: caller }));
  },
});
