import { ServiceAgent } from '../../lib/entities/service-agents.ts';
import { operation } from '../../lib/api/operation.ts';
import { serviceAgentToResource } from '../../lib/domain/service-agents.ts';
import { many } from '../../lib/resources/fields.ts';
import { listDisplayedAgents } from '../../lib/store/organizations/service-agents.ts';
import { findCalendarUrls } from '../../lib/workflows/organizations/calendar-urls.ts';

export const all = operation({
  title: 'List service agents',
  summary: 'Lists the service agents with their weekly hours, by organization and id.',
  rules: [
    'A key of one organization lists its agents, a key of the account all, and a key of a service agent that agent.',
    'An answer above 6 MB is 413: list them with a key of each organization.',
    'A change shows within a second.',
    'BusyFrom is empty for every role but Owner, Admin and Office, and for keys of other agents.',
    'CalendarUrl is the address of a feed of the visits of an agent. fs links revoke agent ends it.',
  ],
  access: 'read',
  ifTooLarge: 'Call with a key of each organization.',
  response: () => ({ Matches: many(ServiceAgent) }),
  async run(_, context) {
    const { store, caller } = context;
    const [agents, calendarUrl] = await Promise.all([
      listDisplayedAgents(store, caller.organizationId),
      findCalendarUrls(context),
    ]);
    return { Matches: agents.map((agent) => serviceAgentToResource(agent, { reader: caller, calendarUrl })) };
  },
});
