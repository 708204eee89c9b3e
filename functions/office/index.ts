import type { Group } from '../../lib/api/group.ts';
import { officeRoute } from '../../lib/api/http/office-route.ts';
import { failedOfficePage, serveOffice } from './serve.ts';

/** The pages for the people of a company, who sign in as its users. They call operations within this process. */
export const handler = officeRoute(serveOffice, failedOfficePage);

export const office: Group = {
  name: 'office',
  description: 'The pages for the people of a company.',
  operations: [],
  paths: ['/office', '/office/{page}', '/office/{page}/{id}'],
  needs: ['table:write', 'expiries:write', 'messages:write', 'sign-in:expect', 'office:open', 'roads:ask'],
  callsOthers: true,
  handler,
};
