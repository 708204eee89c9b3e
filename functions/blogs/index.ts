import { group } from '../../lib/api/group.ts';
import { find } from './find.ts';
import { get } from './get.ts';

export const blogs = group('blogs', 'Articles for the websites of the organizations.', { find, get });
export const { handler } = blogs;
