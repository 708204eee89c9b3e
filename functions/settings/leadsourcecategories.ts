import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { loadSettings } from '../../lib/workflows/settings/load-settings.ts';

export const leadsourcecategories = operation({
  title: 'List lead source categories',
  summary: 'Lists the categories of lead sources, by id, in LeadSourceCategories; they have no campaigns.',
  access: 'read',
  response: settingsFields,
  run: async (_, context) => ({
    ...noSettings,
    LeadSourceCategories: await loadSettings('LeadSourceCategory', context),
  }),
});
