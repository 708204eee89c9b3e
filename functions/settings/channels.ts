import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { loadSettings } from '../../lib/workflows/settings/load-settings.ts';

export const channels = operation({
  title: 'List channels',
  summary: 'Lists the marketing channels of the account with their campaigns, by id, in Channels.',
  access: 'read',
  response: settingsFields,
  run: async (_, context) => ({ ...noSettings, Channels: await loadSettings('Channel', context) }),
});
