import { completeEntry } from '../../lib/domain/settings.ts';
import type { Channel } from '../../lib/resources/channels.ts';
import { listSettingsWithVersions } from '../../lib/store/settings.ts';
import { settingsAnswer } from '../../lib/workflows/settings/list-settings.ts';

export const leadsourcecategories = settingsAnswer({
  name: 'settings/leadsourcecategories',
  summary: 'The categories of lead sources, by id, in LeadSourceCategories; they have no campaigns.',
  async fill({ caller, table }) {
    const entries = await listSettingsWithVersions(table, caller.accountId, 'LeadSourceCategory');
    return { LeadSourceCategories: entries.map(({ Value }) => completeEntry<Channel>('LeadSourceCategory', Value)) };
  },
});
