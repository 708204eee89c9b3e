import { operation } from '../../lib/api/operation.ts';
import { serviceAgentToResource } from '../../lib/domain/service-agents.ts';
import { ServiceAgent } from '../../lib/resources/organizations.ts';
import { many } from '../../lib/resources/resource.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { listAgents, listAllAgents } from '../../lib/store/service-agents.ts';

/** With weekly hours an agent is 2 KB; an answer takes 6 MB. */
const MOST = 2000;

export const all = operation({
  name: 'serviceagents/all',
  summary: 'The service agents with their weekly hours, by organization and id.',
  description: `Those of the key's organization; with a key of the account those of all, at most ${MOST}: where there are more, ask with a key of each organization.`,
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: () => ({ Matches: many(ServiceAgent) }),
  failures: ['tooLarge'],
  example: {},
  async run(_, { caller: { accountId, organizationId }, table }) {
    const agents =
      organizationId === null
        ? await listAllAgents(table, accountId, MOST + 1)
        : await listAgents(table, accountId, organizationId);
    if (agents.length > MOST)
      throw new Failure(
        413,
        `There are more than ${MOST} service agents. Ask with a key of one organization for those of that one.`,
      );
    return { Matches: agents.map(serviceAgentToResource) };
  },
});
