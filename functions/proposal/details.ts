import { Proposal } from '../../lib/entities/proposals.ts';
import { operation } from '../../lib/api/operation.ts';
import { describeFamily } from '../../lib/domain/proposals/family.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { orNotFound } from '../../lib/shared/failure.ts';
import { findProposal } from '../../lib/store/sales/proposals.ts';
import { loadProposalResources } from '../../lib/workflows/proposals/load-proposal-resources.ts';

export const details = operation({
  title: 'Get a proposal',
  summary: 'Returns a proposal with its contact.',
  rules: [
    'Subtotal is the service and every line that counts, after discounts. Subtotal + Tax is the total.',
    'BasePrice + UnitPrice × Quantity is what the service costs.',
    'A line does not count if it is internal (IsInternal) or its option is not selected. Its amounts are what it ' +
      'would cost.',
    'The totals are those of the proposal alone. Message has the total with its signed change orders and bundled ' +
      'proposals.',
    'The status of an open proposal is Expired once its time has passed.',
  ],
  access: 'read',
  request: () => ({ Id: required(id()) }),
  response: Proposal.shape,
  example: { Id: 1 },
  async run({ Id }, context) {
    const proposal = orNotFound(await findProposal(context.store, Id), 'proposal', 'Id', Id);
    const [resource] = await loadProposalResources(context, [proposal], { includeContact: true });
    return { ...orNotFound(resource, 'proposal', 'Id', Id), Message: describeFamily(proposal) };
  },
});
