import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { readChannels } from '../../lib/store/channels.ts';

export const channels = operation({
  name: 'settings/channels',
  summary: 'The marketing channels of the account with their campaigns, by id, in Channels.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: settingsFields,
  failures: [],
  example: {},
  run: async (_, { caller, table }) => ({ ...noSettings, Channels: await readChannels(table, caller.accountId) }),
});
