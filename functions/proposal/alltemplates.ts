import { operation } from '../../lib/api/operation.ts';
import { ProposalTemplate } from '../../lib/resources/proposals.ts';
import { many } from '../../lib/resources/resource.ts';
import { listProposalTemplates } from '../../lib/store/price-book.ts';

export const alltemplates = operation({
  name: 'proposal/alltemplates',
  summary: 'The proposal templates, by id.',
  description:
    'Those that are no longer active (IsActive false) are among them. A key of one organization sees its own and ' +
    'those that every organization has (OrganizationId 0); a key of the account sees all.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: () => ({ Templates: many(ProposalTemplate) }),
  failures: [],
  example: {},
  run: async (_, { caller, table }) => ({ Templates: await listProposalTemplates(table, caller) }),
});
