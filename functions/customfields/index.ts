import { group } from '../../lib/api/group.ts';
import { all } from './all.ts';

export const customfields = group('customfields', 'The definitions of custom fields.', { all });
export const { handler } = customfields;
