import { operation } from '../../lib/api/operation.ts';
import { serviceAgentToResource } from '../../lib/domain/service-agents.ts';
import { ServiceAgent } from '../../lib/resources/organizations.ts';
import { many } from '../../lib/resources/resource.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { listAgents, listAllAgents } from '../../lib/store/service-agents.ts';

/** With weekly hours an agent is 2 KB; a response takes 6 MB. */
const MAX_AGENTS = 2000;

export const all = operation({
  name: 'serviceagents/all',
  summary: 'Lists the service agents with their weekly hours, by organization and id.',
  description:
    `A key of one organization lists its agents; a key of the account lists all, at most ${MAX_AGENTS}. With more, ` +
    'call with a key of each organization.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: () => ({ Matches: many(ServiceAgent) }),
  failures: ['tooLarge'],
  example: {},
  async run(_, { caller: { accountId, organizationId }, table }) {
    const agents =
      organizationId === null
        ? await listAllAgents(table, accountId, MAX_AGENTS + 1)
        : await listAgents(table, accountId, organizationId);
    if (agents.length <= MAX_AGENTS) return { Matches: agents.map(serviceAgentToResource) };
    const count = `more than ${MAX_AGENTS} service agents`;
    throw new Failure(413, `The account has ${count}. Call with a key of one organization.`);
  },
});
