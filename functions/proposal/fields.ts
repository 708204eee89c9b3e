import { Proposal } from '../../lib/resources/proposals.ts';

/** The answer of details, create and update: the whole proposal. */
export const proposalAnswer = () => Proposal.shape();
