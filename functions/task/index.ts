import { group } from '../../lib/api/group.ts';
import { complete } from './complete.ts';
import { create } from './create.ts';
import { query } from './query.ts';
import { update } from './update.ts';

export const task = group('task', 'To-dos, calls and visits to remember, usually for a contact.', {
  create,
  update,
  complete,
  query,
});
export const { handler } = task;
