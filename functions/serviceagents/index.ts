import { group } from '../../lib/api/group.ts';
import { all } from './all.ts';

export const serviceagents = group('serviceagents', [all]);
export const { handler } = serviceagents;
