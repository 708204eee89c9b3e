import { operation } from '../../lib/api/operation.ts';
import { serviceAgentToResource } from '../../lib/domain/service-agents.ts';
import { ServiceAgent } from '../../lib/resources/organizations.ts';
import { many } from '../../lib/resources/fields.ts';
import { listDisplayedAgents } from '../../lib/store/organizations/service-agents.ts';
import { displayable } from '../../lib/workflows/bounded.ts';

export const all = operation({
  title: 'List service agents',
  summary: 'Lists the service agents with their weekly hours, by organization and id.',
  rules: [
    'A key of one organization lists its agents; a key of the account lists all, as long as they are some 1,000 ' +
      '(about 960 KB).',
    'A longer list is 413: organizations/query lists agents page by page.',
    'A change shows within a second.',
  ],
  access: 'read',
  response: () => ({ Matches: many(ServiceAgent) }),
  async run(_, { caller: { accountId, organizationId }, table }) {
    const agents = await displayable('service agents', () => listDisplayedAgents(table, accountId, organizationId));
    return { Matches: agents.map(serviceAgentToResource) };
  },
});
