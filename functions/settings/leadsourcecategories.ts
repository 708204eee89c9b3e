import { operation } from '../../lib/api/operation.ts';
import { completeEntry } from '../../lib/domain/settings/kinds.ts';
import type { Channel } from '../../lib/resources/channels.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { readSettings } from '../../lib/store/settings.ts';

export const leadsourcecategories = operation({
  name: 'settings/leadsourcecategories',
  summary: 'The categories of lead sources, by id, in LeadSourceCategories; they have no campaigns.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: settingsFields,
  failures: [],
  example: {},
  async run(_, { caller, table }) {
    const entries = await readSettings(table, caller.accountId, 'LeadSourceCategory');
    return { ...noSettings, LeadSourceCategories: entries.map(({ Value }) => completeEntry<Channel>('LeadSourceCategory', Value)) };
  },
});
