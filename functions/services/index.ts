import { group } from '../../lib/api/group.ts';
import { all } from './all.ts';
import { details } from './details.ts';

export const services = group('services', 'The price book: what is sold, with prices and durations.', { all, details });
export const { handler } = services;
