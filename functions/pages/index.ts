import type { Group } from '../../lib/api/group.ts';
import { clientRoute } from '../../lib/api/http/client-route.ts';
import { failedPage, servePage } from './serve.ts';

/** The pages that clients open by a link, and their forms. */
export const handler = clientRoute('pages', servePage, failedPage);

export const pages: Group = {
  name: 'pages',
  description: 'The pages that clients of a company open by a link.',
  operations: [],
  // Stripe's webhook has its own route, and so its own rate: a flood of pages does not hold up payments.
  paths: ['/c/{page}/{handle}', '/c/{page}/{handle}/{file}', '/c/stripe/{handle}'],
  needs: ['table:write', 'expiries:write', 'messages:write', 'payments:take', 'uploads:read', 'pdfs:keep'],
  isForClients: true,
  handler,
};
