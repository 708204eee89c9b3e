import { group } from '../../lib/api/group.ts';
import { cancel } from './cancel.ts';
import { create } from './create.ts';
import { details } from './details.ts';
import { figures } from './figures.ts';
import { query } from './query.ts';
import { update } from './update.ts';

export const organizations = group(
  'organizations',
  'The locations of the account, with service agents, services, users and custom fields.',
  { create, update, details, query, cancel, figures },
);
export const { handler } = organizations;
