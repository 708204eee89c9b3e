import { operation } from '../../lib/api/operation.ts';
import { describeFamily } from '../../lib/domain/proposals/family.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { proposalAnswer } from '../../lib/resources/proposal-fields.ts';
import { notFound } from '../../lib/shared/failure.ts';
import { findProposal } from '../../lib/store/proposals.ts';
import { toProposalResources } from '../../lib/workflows/proposals/load-proposal-resources.ts';

export const details = operation({
  name: 'proposal/details',
  summary: 'A proposal, whole, with its contact.',
  description:
    'Subtotal is the service and every line that counts, after discounts, and with Tax it is the total; BasePrice ' +
    '+ UnitPrice × Quantity is what the service costs. Amounts of a line that does not count (IsInternal, or of ' +
    'an option that is not selected) are what it would cost. The totals are those of the proposal alone; Message ' +
    'says what it comes to with its signed change orders and its bundled proposals. A proposal that has waited ' +
    'for an answer beyond its time is Expired.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({ Id: required(id()) }),
  response: proposalAnswer,
  failures: ['notFound'],
  example: { Id: 1 },
  async run({ Id }, context) {
    const proposal = await findProposal(context.table, context.caller, Id);
    if (!proposal) throw notFound('proposal', 'Id', Id);
    const [answer] = await toProposalResources(context, [proposal], true);
    if (!answer) throw new TypeError('a proposal that shows as nothing');
    return { ...answer, Message: describeFamily(proposal) };
  },
});
