import type { NamedTaxRate } from '../../lib/resources/settings.ts';
import { listSettingsWithVersions } from '../../lib/store/settings.ts';
import { settingsAnswer } from '../../lib/workflows/settings/list-settings.ts';

export const namedtaxrates = settingsAnswer({
  name: 'settings/namedtaxrates',
  summary: 'The tax rates of the account, by id, in NamedTaxRates; TaxRate is a percentage.',
  async fill({ caller, table }) {
    const entries = await listSettingsWithVersions<NamedTaxRate>(table, caller.accountId, 'NamedTaxRate');
    return { NamedTaxRates: entries.map(({ Value }) => Value) };
  },
});
