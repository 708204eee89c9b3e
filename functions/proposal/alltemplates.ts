import { operation } from '../../lib/api/operation.ts';
import { ProposalTemplate } from '../../lib/resources/proposals.ts';
import { many } from '../../lib/resources/resource.ts';
import { listProposalTemplates } from '../../lib/store/pricebook/price-book.ts';

export const alltemplates = operation({
  name: 'proposal/alltemplates',
  title: 'List proposal templates',
  summary: 'Lists the proposal templates by id.',
  rules: [
    'Includes inactive templates (IsActive false).',
    'A key of one organization sees the templates of that organization and those of all organizations ' +
      '(OrganizationId 0).',
    'An account key sees all.',
    'A change shows within a second.',
  ],
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: () => ({ Templates: many(ProposalTemplate) }),
  example: {},
  run: async (_, { caller, table }) => ({ Templates: await listProposalTemplates(table, caller) }),
});
