import { group } from '../../lib/api/group.ts';
import { accept } from './accept.ts';
import { alltemplates } from './alltemplates.ts';
import { create } from './create.ts';
import { details } from './details.ts';
import { query } from './query.ts';
import { quote } from './quote.ts';
import { update } from './update.ts';

export const proposal = group(
  'proposal',
  'Quotes and proposals with options, signatures and change orders.',
  { create, update, details, quote, query, alltemplates, accept },
  ['upload'],
);
export const { handler } = proposal;
