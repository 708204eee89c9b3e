import { operation } from '../../lib/api/operation.ts';
import { many } from '../../lib/resources/fields.ts';
import { OrganizationForecast } from '../../lib/resources/organization-lists.ts';
import { ORGANIZATION_PAGING, organizationPaging } from '../../lib/resources/queries.ts';
import { requireAccountKey } from '../../lib/workflows/events/subscriber-queue.ts';
import { pageOrganizations } from '../../lib/workflows/organizations/page-organizations.ts';
import { findForecastsOf } from '../../lib/store/organizations/organizations.ts';

export const forecasts = operation({
  title: 'List forecasts',
  summary: 'Lists the organizations of the account with their revenue targets by month.',
  rules: [
    'Organizations are in the order of their names, without canceled ones.',
    'The revenue targets come from the company file.',
    ORGANIZATION_PAGING,
  ],
  access: 'read',
  needs: ['table:page'],
  request: organizationPaging,
  response: () => ({ Organizations: many(OrganizationForecast) }),
  async run(request, context) {
    const { store, caller } = context;
    requireAccountKey(caller);
    const { organizations, more } = await pageOrganizations(context, request);
    const ids = organizations.map(({ Id }) => Id);
    const stored = await findForecastsOf(store, ids);
    const Organizations = organizations.map(({ Id, PublicName }) => ({
      Organization: { Id, Name: PublicName },
      Forecasts: [...(stored.get(Id) ?? [])],
    }));
    return { Organizations, ...more };
  },
});
