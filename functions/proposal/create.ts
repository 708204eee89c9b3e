import { createProposal } from '../../lib/workflows/proposals/create-proposal.ts';
import { operation } from '../../lib/api/operation.ts';
import { newProposalFields, proposalAnswer } from '../../lib/resources/proposal-fields.ts';

export const create = operation({
  name: 'proposal/create',
  summary: 'Makes a proposal for a contact: a service with lines, priced, Internal unless Status says Open.',
  description:
    'ServiceId or ServiceName says what is offered; Quantity is 1 unless it is given. Lines name parts sold with ' +
    'the service, by Id or Name, or no part and their own price; assemblies become lines with AssemblyLineId. ' +
    'Lines with a ProposalOption count only when it is selected: by SelectedSolution, or by Selected of the ' +
    'lines. Totals are always worked out, whatever the request says. Description, Taxable and what a line leaves ' +
    "out are the service's and the part's; NamedTaxRate, by Id or Name, is the contact's unless it is given; Date " +
    'is today. Ids of lines and options are numbers of the request, so that what proposal/quote answers can be ' +
    'sent. ChangeOrderForProposalId makes it a change order of a signed proposal, BundleWithProposalId bundles it ' +
    'with one that is not signed.',
  access: 'write',
  needs: ['table:write'],
  request: newProposalFields,
  response: proposalAnswer,
  failures: ['invalid', 'notFound', 'conflict'],
  example: {
    ContactId: 1,
    ServiceId: 1,
    Status: 'Open',
    DepositRate: 10,
    DepositRequired: true,
    ProposalLines: [{ Part: { Id: 1 }, Quantity: 2, ProposalOption: { Name: 'Better', Selected: true } }],
  },
  run: async (request, context) => createProposal(request, context),
});
