import { described, id, required, text } from './fields.ts';
import { Proposal } from './proposals.ts';
import { without } from './resource.ts';

/** The answer of details, create and update: the whole proposal. */
export const proposalAnswer = () => Proposal.shape();

/** What a request may say of a proposal: all of it but what is worked out. */
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
  Id: described(id(), 'The proposal made; not for requests.'),
  ContactId: required(id()),
  ServiceName: described(text(200), 'The service, where ServiceId is not given.'),
});

export const changedProposalFields = () => ({ ...proposalFields(), Id: required(id()) });
