import type { IdName } from '../../lib/resources/addresses.ts';
import { listSettingsWithVersions } from '../../lib/store/settings.ts';
import { settingsAnswer } from '../../lib/workflows/settings/list-settings.ts';

export const features = settingsAnswer({
  name: 'settings/features',
  summary: 'The names of the features that the account has on, in Features.',
  async fill({ caller, table }) {
    const entries = await listSettingsWithVersions<IdName>(table, caller.accountId, 'Feature');
    return { Features: entries.map(({ Value }) => Value.Name) };
  },
});
