import { operation } from '../../lib/api/operation.ts';
import { described, flag, id, required, text } from '../../lib/resources/fields.ts';
import { Proposal } from '../../lib/resources/proposals.ts';
import { many, nested } from '../../lib/resources/resource.ts';
import { SubscriptionDate } from '../../lib/resources/subscriptions.ts';
import { engine } from './engine.ts';

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
    'Nothing is stored. Of ServiceId, ServiceName or ProposalTemplateId; where several say it, also in Proposal, they ' +
    'must agree. Proposal takes what proposal/create does, laid over service or template: lines (by Id those of the ' +
    'template as they were answered, the others new), options, Quantity, DepositRate, NamedTaxRate, CustomFields. ' +
    'Priced by the same rules as create, from a service and template up to 30 seconds old. In the answer Id is 0, ' +
    'ClientUrl empty, and lines, options and visits count from 1; it can be sent to create, which takes Quantity as ' +
    'what is asked for, before a QuantityFormula of the service. Message tells what each option alone comes to. ' +
    'ReturnProposal, or neither flag: the proposal. ReturnDates: the visits of a subscription, which add up to it; a ' +
    'SelectedDate in ScheduleDates, by the visit’s Id, must be its date or one of its AlternateDates; it changes no ' +
    'price.',
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
  run: async (request, context) => (await engine()).quoting(request, context),
});
