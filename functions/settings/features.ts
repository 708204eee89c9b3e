import { operation } from '../../lib/api/operation.ts';
import type { IdName } from '../../lib/resources/names.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { readSettings } from '../../lib/store/settings.ts';

export const features = operation({
  name: 'settings/features',
  summary: 'The names of the features that the account has on, in Features.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: settingsFields,
  failures: [],
  example: {},
  async run(_, { caller, table }) {
    const entries = await readSettings<IdName>(table, caller.accountId, 'Feature');
    return { ...noSettings, Features: entries.map(({ Value }) => Value.Name) };
  },
});
