import { ProposalTemplate } from '../../lib/entities/price-book.ts';
import { operation } from '../../lib/api/operation.ts';
import { many } from '../../lib/resources/fields.ts';
import { listProposalTemplates } from '../../lib/store/pricebook/price-book.ts';

export const alltemplates = operation({
  title: 'List proposal templates',
  summary: 'Lists the proposal templates by id.',
  rules: [
    'Inactive templates (IsActive false) are included.',
    'A key of one organization sees its templates and those of all organizations (OrganizationId 0); a key of the ' +
      'account sees every template.',
    'A change shows within a second.',
  ],
  access: 'read',
  response: () => ({ Templates: many(ProposalTemplate) }),
  run: async (_, { store }) => ({ Templates: await listProposalTemplates(store) }),
});
