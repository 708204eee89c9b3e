import { readChannels } from '../../lib/store/channels.ts';
import { filled } from '../../lib/workflows/settings/list-settings.ts';

export const channelcampaigns = filled({
  name: 'settings/channelcampaigns',
  summary: 'The campaigns of every marketing channel, in Channels, by id of the channel.',
  fill: async ({ caller, table }) => ({ Channels: await readChannels(table, caller.accountId) }),
});
