import { operation } from '../../lib/api/operation.ts';
import { completeEntry } from '../../lib/domain/settings.ts';
import { CustomField } from '../../lib/resources/custom-fields.ts';
import { id } from '../../lib/resources/fields.ts';
import { many } from '../../lib/resources/resource.ts';
import { notFound } from '../../lib/shared/failure.ts';
import { findSettings, listSettingsWithVersions } from '../../lib/store/settings.ts';

export const all = operation({
  name: 'customfields/all',
  summary: 'The custom fields of the account as they are defined, by id, with Value null; with Id that one alone.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({ Id: id() }),
  response: () => ({ Matches: many(CustomField) }),
  failures: ['notFound'],
  example: {},
  async run({ Id }, { caller, table }) {
    const { accountId } = caller;
    const found = Id
      ? await findSettings(table, accountId, 'CustomField', [Id])
      : await listSettingsWithVersions(table, accountId, 'CustomField');
    if (Id && !found.length) throw notFound('custom field', 'Id', Id);
    return { Matches: found.map(({ Value }) => completeEntry<CustomField>('CustomField', Value)) };
  },
});
