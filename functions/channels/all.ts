import { operation } from '../../lib/api/operation.ts';
import { Channel } from '../../lib/resources/channels.ts';
import { many } from '../../lib/resources/resource.ts';
import { listChannels } from '../../lib/store/channels.ts';

export const all = operation({
  name: 'channels/all',
  summary: 'The marketing channels of the account with all their campaigns, budgets and actuals, by id.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: () => ({ Channels: many(Channel) }),
  failures: [],
  example: {},
  run: async (_, { caller, table }) => ({ Channels: await listChannels(table, caller.accountId) }),
});
