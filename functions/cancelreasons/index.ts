import { group } from '../../lib/api/group.ts';
import { all } from './all.ts';

export const cancelreasons = group('cancelreasons', [all]);
export const { handler } = cancelreasons;
