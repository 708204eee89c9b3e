import { Proposal } from '../../lib/resources/proposals.ts';
import { without } from '../../lib/resources/resource.ts';

/** The answer of details, create and update: the whole proposal. */
export const proposalAnswer = () => Proposal.shape();

/** What create and update take of a proposal: all of it but what is worked out. */
export const proposalFields = () =>
  without(
    Proposal, 'Contact', 'ClientUrl', 'AcceptedDate', 'Duration', 'BasePrice', 'UnitPrice', 'Subtotal', 'Tax', 'ChangeOrders', 'BundledProposals', 'AccountingClass',
  );
