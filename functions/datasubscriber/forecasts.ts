import { operation } from '../../lib/api/operation.ts';
import { many } from '../../lib/resources/resource.ts';
import { OrganizationForecast } from '../../lib/resources/settings.ts';
import { findForecastsOf } from '../../lib/store/organizations/organizations.ts';
import { requireAccountKey } from '../../lib/workflows/events/subscriber-queue.ts';
import {
  ORGANIZATION_PAGING,
  organizationPaging,
  pageOrganizations,
} from '../../lib/workflows/organizations/page-organizations.ts';

export const forecasts = operation({
  name: 'datasubscriber/forecasts',
  summary: 'Lists the organizations of the account with their revenue targets by month.',
  description:
    'By name, without canceled organizations; the targets by month. They come from the company file. ' +
    ORGANIZATION_PAGING,
  access: 'read',
  needs: ['table:page'],
  request: organizationPaging,
  response: () => ({ Organizations: many(OrganizationForecast) }),
  example: {},
  async run(request, context) {
    const { caller, table } = context;
    requireAccountKey(caller);
    const { organizations, Message } = await pageOrganizations(context, request);
    const ids = organizations.map(({ Id }) => Id);
    const stored = await findForecastsOf(table, caller.accountId, ids);
    const Organizations = organizations.map(({ Id, PublicName }) => ({
      Organization: { Id, Name: PublicName },
      Forecasts: [...(stored.get(Id) ?? [])],
    }));
    return { Organizations, Message };
  },
});
