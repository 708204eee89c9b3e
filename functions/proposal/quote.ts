import { quoteProposalAnswer } from '../../lib/workflows/proposals/quote-proposal.ts';
import { operation } from '../../lib/api/operation.ts';
import { described, flag, id, required, text } from '../../lib/resources/fields.ts';
import { Proposal } from '../../lib/resources/proposals.ts';
import { many, nested } from '../../lib/resources/resource.ts';
import { SubscriptionDate } from '../../lib/resources/subscriptions.ts';

export const quoteFields = () => ({
  ContactId: required(id()),
  ServiceId: id(),
  ServiceName: text(200),
  ProposalTemplateId: id(),
  ReturnDates: described(flag(), 'Answers the visits of a subscription in ScheduleDates.'),
  ReturnProposal: described(flag(), 'Answers the proposal, as does neither flag.'),
  ScheduleDates: described(many(SubscriptionDate), 'The days chosen for visits: Id and SelectedDate.'),
  Proposal: described(nested(Proposal), 'What is to be said otherwise than service or template say it.'),
});

export const quote = operation({
  name: 'proposal/quote',
  summary: 'What a service with its options would cost a contact, and when a subscription would be done.',
  description:
    'Nothing is stored. What is quoted is named by ServiceId, ServiceName or ProposalTemplateId; where several ' +
    'name it, also in Proposal, they must agree. Proposal takes what proposal/create takes, and is laid over the ' +
    'service or template: lines (those of the template by the Id with which they were answered; all others are ' +
    'new), options, Quantity, DepositRate, NamedTaxRate and CustomFields. Prices follow the same rules as in ' +
    'create, from a service and template up to 30 seconds old. In the answer Id is 0, ClientUrl is empty, and ' +
    'lines, options and visits are numbered from 1. It can be sent to create, which takes Quantity as what is ' +
    'asked for, before a QuantityFormula of the service. Message says what each option alone comes to. With ' +
    'ReturnProposal, or neither flag, the proposal is answered; with ReturnDates the visits of a subscription, ' +
    'which add up to it. A SelectedDate in ScheduleDates must be the date of the visit with that Id or one of its ' +
    'AlternateDates; it changes no price.',
  access: 'read',
  needs: ['table:read'],
  request: quoteFields,
  response: () => ({ ScheduleDates: many(SubscriptionDate), Proposal: nested(Proposal) }),
  failures: ['invalid', 'notFound', 'conflict'],
  example: {
    ContactId: 1,
    ServiceId: 1,
    Proposal: {
      Quantity: 12,
      DepositRate: 10,
      SelectedSolution: { Name: 'Better' },
      ProposalLines: [
        { Part: { Id: 1 }, Quantity: 1, ProposalOption: { Name: 'Good' } },
        { Part: { Id: 1 }, Quantity: 2, ProposalOption: { Name: 'Better' } },
        { Part: { Id: 1 }, Quantity: 3, ProposalOption: { Name: 'Best' } },
      ],
    },
  },
  run: async (request, context) => quoteProposalAnswer(request, context),
});
