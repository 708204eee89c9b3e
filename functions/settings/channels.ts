import { readChannels } from '../../lib/store/channels.ts';
import { filled } from '../../lib/workflows/settings/list-settings.ts';

export const channels = filled({
  name: 'settings/channels',
  summary: 'The marketing channels of the account with their campaigns, by id, in Channels.',
  fill: async ({ caller, table }) => ({ Channels: await readChannels(table, caller.accountId) }),
});
