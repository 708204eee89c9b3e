import { group } from '../../lib/api/group.ts';
import { all } from './all.ts';

export const serviceagents = group('serviceagents', 'The people and crews who do the work, with their weekly hours.', {
  all,
});
export const { handler } = serviceagents;
