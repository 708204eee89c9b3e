import { listChannels } from '../../lib/store/channels.ts';
import { settingsAnswer } from '../../lib/workflows/settings/list-settings.ts';

export const channels = settingsAnswer({
  name: 'settings/channels',
  summary: 'The marketing channels of the account with their campaigns, by id, in Channels.',
  fill: async ({ caller, table }) => ({ Channels: await listChannels(table, caller.accountId) }),
});
