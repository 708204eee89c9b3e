import { group } from '../../lib/api/group.ts';
import { all } from './all.ts';
import { create } from './create.ts';

export const user = group('user', 'The people who use the system, and their roles.', { all, create });
export const { handler } = user;
