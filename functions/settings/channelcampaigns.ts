import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { loadSettings } from '../../lib/workflows/settings/load-settings.ts';

export const channelcampaigns = operation({
  title: 'List channels with campaigns',
  summary: 'Lists the campaigns of every marketing channel, in Channels, by id of the channel.',
  access: 'read',
  response: settingsFields,
  run: async (_, context) => ({ ...noSettings, Channels: await loadSettings('Channel', context) }),
});
