import { group } from '../../lib/api/group.ts';
import { echo } from './echo.ts';

export const test = group('test', 'Try an API key.', [echo]);
export const { handler } = test;
