import { group } from '../../lib/api/group.ts';
import { all } from './all.ts';
import { details } from './details.ts';

export const services = group('services', [all, details]);
export const { handler } = services;
