import { group } from '../../lib/api/group.ts';
import { clear } from './clear.ts';
import { fetch } from './fetch.ts';

export const datasubscriber = group('datasubscriber', [clear, fetch]);
export const { handler } = datasubscriber;
