import { operation } from '../../lib/api/operation.ts';
import { CustomField } from '../../lib/resources/custom-fields.ts';
import { id, many } from '../../lib/resources/fields.ts';
import { loadSettings } from '../../lib/workflows/settings/load-settings.ts';

export const all = operation({
  title: 'List custom fields',
  summary: 'Lists the definitions of the custom fields of the account, by id, with Value null; with Id only that one.',
  access: 'read',
  request: () => ({ Id: id() }),
  response: () => ({ Matches: many(CustomField) }),
  run: async ({ Id }, context) => ({ Matches: await loadSettings('CustomField', context, Id) }),
});
