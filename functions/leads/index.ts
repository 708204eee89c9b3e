import type { Group } from '../../lib/api/group.ts';
import { openRoute } from '../../lib/api/http/open-route.ts';
import { receive } from './receive.ts';

/** Receives what forms of other sites send. */
export const handler = openRoute('leads', receive);

export const leads: Group = {
  name: 'leads',
  description: 'Leads from forms of other sites.',
  operations: [],
  paths: ['/api/leads/{token}'],
  needs: ['table:write'],
  isForClients: true,
  handler,
};
