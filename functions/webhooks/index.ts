import { group } from '../../lib/api/group.ts';
import { calls } from './calls.ts';
import { create } from './create.ts';
import { del } from './delete.ts';
import { list } from './list.ts';
import { replay } from './replay.ts';
import { rotatesecret } from './rotatesecret.ts';
import { test } from './test.ts';
import { update } from './update.ts';

export const webhooks = group('webhooks', 'Addresses that are called with the events of the account.', {
  create,
  list,
  update,
  rotatesecret,
  test,
  calls,
  replay,
  delete: del,
});
export const { handler } = webhooks;
