import { described, id, required, text } from './fields.ts';
import { Proposal } from './proposals.ts';
import { without } from './resource.ts';

export const proposalAnswer = () => Proposal.shape();

/** The fields of a request: all but the computed ones. */
const proposalFields = () =>
  without(
    Proposal,
    'Contact',
    'ClientUrl',
    'AcceptedDate',
    'Duration',
    'BasePrice',
    'UnitPrice',
    'Subtotal',
    'Tax',
    'ChangeOrders',
    'BundledProposals',
    'AccountingClass',
  );

export const newProposalFields = () => ({
  ...proposalFields(),
  Id: described(id(), 'The id of the created proposal; not allowed in a request.'),
  ContactId: required(id()),
  ServiceName: described(text(200), 'The name of the service, instead of ServiceId.'),
});

export const changedProposalFields = () => ({ ...proposalFields(), Id: required(id()) });
