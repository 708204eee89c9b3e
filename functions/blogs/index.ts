import { group } from '../../lib/api/group.ts';
import { find } from './find.ts';
import { get } from './get.ts';

export const blogs = group('blogs', [find, get]);
export const { handler } = blogs;
