import { operation } from '../../lib/api/operation.ts';
import { CancelReason } from '../../lib/resources/appointments.ts';
import { id, many } from '../../lib/resources/fields.ts';
import { loadSettings } from '../../lib/workflows/settings/load-settings.ts';

export const all = operation({
  title: 'List cancel reasons',
  summary: 'Lists the reasons for cancelling an appointment, by id; with Id only that one.',
  access: 'read',
  request: () => ({ Id: id() }),
  response: () => ({ Matches: many(CancelReason) }),
  run: async ({ Id }, context) => ({ Matches: await loadSettings('CancelReason', context, Id) }),
});
