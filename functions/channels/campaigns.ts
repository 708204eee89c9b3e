import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { listChannels } from '../../lib/store/channels.ts';

export const campaigns = operation({
  name: 'channels/campaigns',
  summary: 'The marketing channels of the account with their campaigns, by id, in Channels.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: settingsFields,
  failures: [],
  example: {},
  run: async (_, { caller, table }) => ({ ...noSettings, Channels: await listChannels(table, caller.accountId) }),
});
