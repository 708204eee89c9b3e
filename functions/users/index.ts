import { group } from '../../lib/api/group.ts';
import { bulkdisablemfa } from './bulkdisablemfa.ts';
import { bulkenablemfa } from './bulkenablemfa.ts';
import { bulkresetmfa } from './bulkresetmfa.ts';

export const users = group('users', 'Two-factor authentication of many users at once.', {
  bulkenablemfa,
  bulkdisablemfa,
  bulkresetmfa,
});
export const { handler } = users;
