import type { NamedTaxRate } from '../../lib/resources/settings.ts';
import { readSettings } from '../../lib/store/settings.ts';
import { filled } from '../../lib/workflows/settings/list-settings.ts';

export const namedtaxrates = filled({
  name: 'settings/namedtaxrates',
  summary: 'The tax rates of the account, by id, in NamedTaxRates; TaxRate is a percentage.',
  async fill({ caller, table }) {
    const entries = await readSettings<NamedTaxRate>(table, caller.accountId, 'NamedTaxRate');
    return { NamedTaxRates: entries.map(({ Value }) => Value) };
  },
});
