import { Proposal, proposalInputFields } from '../../lib/entities/proposals.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { updateProposal } from '../../lib/workflows/proposals/update-proposal.ts';

export const update = operation({
  title: 'Change a proposal',
  summary: 'Changes a proposal: an absent field stays as it is, null clears it.',
  rules: [
    'A line with an Id changes that line, a line without an Id is new, and lines that are not listed stay.',
    'Quantity 0 removes a line with its items.',
    'Options are matched by Id, else by Name; notes are matched by Id.',
    'Quoted prices stay. Only a part that is new to the proposal, another service or another tax rate is read from ' +
      "today's price book.",
    'Sending back what proposal/details answered changes nothing.',
    'A status can only become one that may follow it; any other is 409. Accepted is set by proposal/accept only.',
    'A signed proposal changes in ProposalNotes, OwnerUserId, CustomFields and Status only. Any other change is 409 ' +
      'and needs [a change order](/docs#description/change-orders-and-bundles).',
  ],
  access: 'write',
  maxBody: 2 * 1024 * 1024,
  needs: ['table:write', 'expiries:write'],
  request: () => ({ ...proposalInputFields(), Id: required(id()) }),
  response: Proposal.shape,
  example: { Id: 1, Title: 'Windows, front and back', ProposalNotes: [{ Note: 'Call before coming.' }] },
  async run(request, context) {
    const { answer, changes } = await updateProposal(request, context);
    return save(changes, answer);
  },
});
