import { updateProposal } from '../../lib/workflows/proposals/update-proposal.ts';
import { operation } from '../../lib/api/operation.ts';
import { changedProposalFields, proposalAnswer } from '../../lib/resources/proposal-fields.ts';

export const update = operation({
  name: 'proposal/update',
  summary: 'Changes a proposal: an absent field stays as it is, null clears it.',
  description:
    'Lines are named by Id: those without one are new, those not named stay, and Quantity 0 takes one away with ' +
    'its items. Options are named by Id, else by Name, and notes by Id. What was quoted stays quoted: only a part ' +
    "that is new to the proposal, another service or another tax rate is read from today's price book. A Quantity " +
    'or UnitPrice sent back as it was answered leaves what was asked for, so that sending back what details ' +
    'answered changes nothing. Status moves along its table (409 otherwise); Accepted comes by proposal/accept ' +
    'only. Of a signed proposal only ProposalNotes, OwnerUserId, CustomFields and Status change: anything else is ' +
    '409, and a change order is made instead.',
  access: 'write',
  needs: ['table:write'],
  request: changedProposalFields,
  response: proposalAnswer,
  failures: ['invalid', 'notFound', 'conflict'],
  example: { Id: 1, Title: 'Windows, front and back', ProposalNotes: [{ Note: 'Call before coming.' }] },
  run: async (request, context) => updateProposal(request, context),
});
