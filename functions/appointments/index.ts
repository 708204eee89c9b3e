import { group } from '../../lib/api/group.ts';
import { addtip } from './addtip.ts';
import { cancel } from './cancel.ts';
import { feedback } from './feedback.ts';
import { find } from './find.ts';
import { query } from './query.ts';

export const appointments = group('appointments', [find, query, cancel, addtip, feedback]);
export const { handler } = appointments;
