import { operation } from '../../lib/api/operation.ts';
import { splitPostalCodes } from '../../lib/domain/postal-ownership.ts';
import { OrganizationPostalCodes } from '../../lib/resources/organizations.ts';
import { many } from '../../lib/resources/resource.ts';
import { requireAccountKey } from '../../lib/workflows/events/subscriber-queue.ts';
import {
  ORGANIZATION_PAGING,
  organizationPaging,
  pageOrganizations,
} from '../../lib/workflows/organizations/page-organizations.ts';

export const postalcodes = operation({
  name: 'datasubscriber/postalcodes',
  summary: 'Lists the organizations of the account with the postal codes that they own.',
  description: `By name, without canceled organizations. ${ORGANIZATION_PAGING}`,
  access: 'read',
  needs: ['table:page'],
  request: organizationPaging,
  response: () => ({ Organizations: many(OrganizationPostalCodes) }),
  example: {},
  async run(request, context) {
    requireAccountKey(context.caller);
    const { organizations, Message } = await pageOrganizations(context, request);
    const Organizations = organizations.map(({ Id, LocationID, PublicName, PostalCodes }) => ({
      OrganizationId: Id,
      LocationID,
      Name: PublicName,
      PostalCodes: splitPostalCodes(PostalCodes).filter(Boolean),
    }));
    return { Organizations, Message };
  },
});
