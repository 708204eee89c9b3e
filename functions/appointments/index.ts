import { group } from '../../lib/api/group.ts';
import { addtip } from './addtip.ts';
import { book } from './book.ts';
import { cancel } from './cancel.ts';
import { dayplan } from './dayplan.ts';
import { feedback } from './feedback.ts';
import { find } from './find.ts';
import { query } from './query.ts';
import { queue } from './queue.ts';
import { quickbook } from './quickbook.ts';
import { slotsearch } from './slotsearch.ts';
import { update } from './update.ts';

export const appointments = group('appointments', 'Find free times; book, change, cancel and complete appointments.', {
  slotsearch,
  book,
  update,
  cancel,
  find,
  query,
  queue,
  dayplan,
  quickbook,
  addtip,
  feedback,
});
export const { handler } = appointments;
