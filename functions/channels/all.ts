import { operation } from '../../lib/api/operation.ts';
import { Channel } from '../../lib/resources/channels.ts';
import { many } from '../../lib/resources/fields.ts';
import { loadSettings } from '../../lib/workflows/settings/load-settings.ts';

export const all = operation({
  title: 'List channels',
  summary: 'Lists the marketing channels of the account with all their campaigns, budgets and actuals, by id.',
  access: 'read',
  response: () => ({ Channels: many(Channel) }),
  run: async (_, context) => ({ Channels: await loadSettings('Channel', context) }),
});
