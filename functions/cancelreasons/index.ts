import { group } from '../../lib/api/group.ts';
import { all } from './all.ts';

export const cancelreasons = group('cancelreasons', 'The reasons for which appointments are canceled.', { all });
export const { handler } = cancelreasons;
