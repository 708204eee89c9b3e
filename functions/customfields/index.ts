import { group } from '../../lib/api/group.ts';
import { all } from './all.ts';

export const customfields = group('customfields', [all]);
export const { handler } = customfields;
