import { Proposal, proposalInputFields } from '../../lib/entities/proposals.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { described, id, required, text, numbered } from '../../lib/resources/fields.ts';
import { createProposal } from '../../lib/workflows/proposals/create-proposal.ts';

export const create = operation({
  title: 'Create a proposal',
  summary: 'Creates a priced proposal for a contact: a service with lines. Status is Internal by default.',
  rules: [
    'ServiceId or ServiceName is the offered service. Quantity is 1 by default, and Date is today.',
    'A line names a part that is sold with the service, by Id or Name, or has its own price without a part. ' +
      'Assemblies become lines with AssemblyLineId.',
    'Lines with a ProposalOption count only if it is selected, by SelectedSolution or by Selected of the lines.',
    'Totals in the request are ignored; they are calculated.',
    'Fields that are not given come from the price book: Description and Taxable from the service, those of a line ' +
      'from its part, NamedTaxRate (by Id or Name) from the contact.',
    "Ids of lines and options are the request's own numbers, so the answer of proposal/quote can be sent as it is.",
    'ChangeOrderForProposalId makes it a change order of a signed proposal; BundleWithProposalId bundles it with ' +
      'one that is not signed: [change orders and bundles](/docs#description/change-orders-and-bundles).',
  ],
  access: 'write',
  maxBody: 2 * 1024 * 1024,
  needs: ['table:write', 'expiries:write'],
  request: () => ({
    ...proposalInputFields(),
    Id: described(id(), 'The id of the created proposal; not allowed in a request.'),
    ContactId: required(id()),
    Status: described(numbered(['Internal', 'Open']), 'Of a new proposal.'),
    ServiceName: described(text(200), 'The name of the service, instead of ServiceId.'),
  }),
  response: Proposal.shape,
  document: () => ({ fields: { ServiceId: 'Required without ServiceName.' } }),
  example: {
    ContactId: 1,
    ServiceId: 1,
    Status: 'Open',
    DepositRate: 10,
    DepositRequired: true,
    ProposalLines: [{ Part: { Id: 1 }, Quantity: 2, ProposalOption: { Name: 'Better', Selected: true } }],
  },
  async run(request, context) {
    const { answer, changes } = await createProposal(request, context);
    return save(changes, answer);
  },
});
