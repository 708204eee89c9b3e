import { completeEntry } from '../../lib/domain/settings.ts';
import type { Channel } from '../../lib/resources/channels.ts';
import { readSettings } from '../../lib/store/settings.ts';
import { filled } from '../../lib/workflows/settings/list-settings.ts';

export const leadsourcecategories = filled({
  name: 'settings/leadsourcecategories',
  summary: 'The categories of lead sources, by id, in LeadSourceCategories; they have no campaigns.',
  async fill({ caller, table }) {
    const entries = await readSettings(table, caller.accountId, 'LeadSourceCategory');
    return { LeadSourceCategories: entries.map(({ Value }) => completeEntry<Channel>('LeadSourceCategory', Value)) };
  },
});
