import { listChannels } from '../../lib/store/channels.ts';
import { settingsAnswer } from '../../lib/workflows/settings/list-settings.ts';

export const channelcampaigns = settingsAnswer({
  name: 'settings/channelcampaigns',
  summary: 'The campaigns of every marketing channel, in Channels, by id of the channel.',
  fill: async ({ caller, table }) => ({ Channels: await listChannels(table, caller.accountId) }),
});
