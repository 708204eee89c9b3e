import { group } from '../../lib/api/group.ts';
import { all } from './all.ts';
import { create } from './create.ts';

export const user = group('user', [all, create]);
export const { handler } = user;
