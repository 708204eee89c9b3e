import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import type { NamedTaxRate } from '../../lib/resources/taxes.ts';
import { readSettings } from '../../lib/store/settings.ts';

export const namedtaxrates = operation({
  name: 'settings/namedtaxrates',
  summary: 'The tax rates of the account, by id, in NamedTaxRates; TaxRate is a percentage.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: settingsFields,
  failures: [],
  example: {},
  async run(_, { caller, table }) {
    const entries = await readSettings<NamedTaxRate>(table, caller.accountId, 'NamedTaxRate');
    return { ...noSettings, NamedTaxRates: entries.map(({ Value }) => Value) };
  },
});
