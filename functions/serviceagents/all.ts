import { operation } from '../../lib/api/operation.ts';
import { serviceAgentToResource } from '../../lib/domain/service-agents.ts';
import { ServiceAgent } from '../../lib/resources/organizations.ts';
import { many } from '../../lib/resources/resource.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { RangeTooLarge } from '../../lib/store/dynamodb/errors.ts';
import { listAgents, listAllAgents } from '../../lib/store/organizations/service-agents.ts';

/** Of the account. With weekly hours an agent is 2 KB. */
const MAX_AGENTS = 2000;
const MAX_PAGES = 4;

export const all = operation({
  name: 'serviceagents/all',
  summary: 'Lists the service agents with their weekly hours, by organization and id.',
  description:
    `A key of one organization lists its agents; a key of the account lists all, at most ${MAX_AGENTS} and 4 MB. ` +
    'With more, call with a key of each organization.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: () => ({ Matches: many(ServiceAgent) }),
  failures: ['tooLarge'],
  example: {},
  async run(_, { caller: { accountId, organizationId }, table }) {
    if (organizationId !== null)
      return { Matches: (await listAgents(table, accountId, organizationId)).map(serviceAgentToResource) };
    const limits = { limit: MAX_AGENTS + 1, maxPages: MAX_PAGES, consistent: false };
    const agents = await listAllAgents(table, accountId, limits).catch((error: unknown) => {
      if (error instanceof RangeTooLarge) return undefined;
      throw error;
    });
    if (agents && agents.length <= MAX_AGENTS) return { Matches: agents.map(serviceAgentToResource) };
    const count = `more than ${MAX_AGENTS} service agents, or 4 MB of them`;
    throw new Failure(413, `The account has ${count}. Call with a key of one organization.`);
  },
});
