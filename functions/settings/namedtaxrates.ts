import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { loadSettings } from '../../lib/workflows/settings/load-settings.ts';

export const namedtaxrates = operation({
  title: 'List tax rates',
  summary: 'Lists the tax rates of the account, by id, in NamedTaxRates; TaxRate is a percentage.',
  access: 'read',
  response: settingsFields,
  run: async (_, context) => ({ ...noSettings, NamedTaxRates: await loadSettings('NamedTaxRate', context) }),
});
