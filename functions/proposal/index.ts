import { group } from '../../lib/api/group.ts';
import { accept } from './accept.ts';
import { alltemplates } from './alltemplates.ts';
import { details } from './details.ts';
import { query } from './query.ts';

export const proposal = group('proposal', [details, query, alltemplates, accept]);
export const { handler } = proposal;
