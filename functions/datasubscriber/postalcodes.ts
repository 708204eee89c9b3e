import { operation } from '../../lib/api/operation.ts';
import { OrganizationPostalCodes } from '../../lib/resources/organization-lists.ts';
import { ORGANIZATION_PAGING, organizationPaging } from '../../lib/resources/queries.ts';
import { many } from '../../lib/resources/fields.ts';
import { requireAccountKey } from '../../lib/workflows/events/subscriber-queue.ts';
import { pageOrganizations } from '../../lib/workflows/organizations/page-organizations.ts';
import { splitPostalCodes } from '../../lib/domain/postal-ownership.ts';

export const postalcodes = operation({
  title: 'List postal codes',
  summary: 'Lists the organizations of the account with the postal codes that they own.',
  rules: ['Organizations are in the order of their names, without canceled ones.', ORGANIZATION_PAGING],
  access: 'read',
  needs: ['table:page'],
  request: organizationPaging,
  response: () => ({ Organizations: many(OrganizationPostalCodes) }),
  async run(request, context) {
    requireAccountKey(context.caller);
    const { organizations, more } = await pageOrganizations(context, request);
    const Organizations = organizations.map(({ Id, LocationID, PublicName, PostalCodes }) => ({
      OrganizationId: Id,
      LocationID,
      Name: PublicName,
      PostalCodes: splitPostalCodes(PostalCodes).filter(Boolean),
    }));
    return { Organizations, ...more };
  },
});
