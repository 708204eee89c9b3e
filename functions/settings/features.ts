import type { IdName } from '../../lib/resources/addresses.ts';
import { readSettings } from '../../lib/store/settings.ts';
import { filled } from '../../lib/workflows/settings/list-settings.ts';

export const features = filled({
  name: 'settings/features',
  summary: 'The names of the features that the account has on, in Features.',
  async fill({ caller, table }) {
    const entries = await readSettings<IdName>(table, caller.accountId, 'Feature');
    return { Features: entries.map(({ Value }) => Value.Name) };
  },
});
