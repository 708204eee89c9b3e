import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { loadSettings } from '../../lib/workflows/settings/load-settings.ts';

export const features = operation({
  title: 'List features',
  summary: "Lists the names of the account's active features, in Features.",
  access: 'read',
  response: settingsFields,
  async run(_, context) {
    const features = await loadSettings('Feature', context);
    return { ...noSettings, Features: features.map(({ Name }) => Name) };
  },
});
