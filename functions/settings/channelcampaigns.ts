import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { readChannels } from '../../lib/store/channels.ts';

export const channelcampaigns = operation({
  name: 'settings/channelcampaigns',
  summary: 'The campaigns of every marketing channel, in Channels, by id of the channel.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: settingsFields,
  failures: [],
  example: {},
  run: async (_, { caller, table }) => ({ ...noSettings, Channels: await readChannels(table, caller.accountId) }),
});
