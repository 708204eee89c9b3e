import { group } from '../../lib/api/group.ts';
import { echo } from './echo.ts';
import { whoami } from './whoami.ts';

export const test = group('test', 'Try an API key, and see what it may do.', { echo, whoami });
export const { handler } = test;
