import { operation } from '../../lib/api/operation.ts';
import { CancelReason } from '../../lib/resources/appointments.ts';
import { id } from '../../lib/resources/fields.ts';
import { many } from '../../lib/resources/resource.ts';
import { notFound } from '../../lib/shared/failure.ts';
import { findSettings, listSettingsWithVersions } from '../../lib/store/settings.ts';

export const all = operation({
  name: 'cancelreasons/all',
  summary: 'The reasons for which appointments are cancelled, by id; with Id that one alone.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({ Id: id() }),
  response: () => ({ Matches: many(CancelReason) }),
  failures: ['notFound'],
  example: {},
  async run({ Id }, { caller, table }) {
    const { accountId } = caller;
    const found = Id
      ? await findSettings<CancelReason>(table, accountId, 'CancelReason', [Id])
      : await listSettingsWithVersions<CancelReason>(table, accountId, 'CancelReason');
    if (Id && !found.length) throw notFound('cancel reason', 'Id', Id);
    return { Matches: found.map(({ Value }) => Value) };
  },
});
