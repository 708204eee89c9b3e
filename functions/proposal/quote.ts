import { Proposal } from '../../lib/entities/proposals.ts';
import { operation } from '../../lib/api/operation.ts';
import { quoteFields } from '../../lib/resources/proposals.ts';
import { many, nested } from '../../lib/resources/fields.ts';
import { SubscriptionDate } from '../../lib/resources/subscriptions.ts';
import { quoteProposal } from '../../lib/workflows/proposals/quote-proposal.ts';

export const quote = operation({
  title: 'Price work without saving',
  summary: 'Prices a service with its options for a contact, and dates the visits of a subscription. Stores nothing.',
  rules: [
    'ServiceId, ServiceName or ProposalTemplateId is what is quoted. If several are given, also in Proposal, they ' +
      'must agree.',
    'Proposal takes the fields of proposal/create and is applied to the service or template: [quote a ' +
      'template](/docs#description/quote-a-template).',
    'Prices follow the rules of proposal/create, from the service, template and lists as they are stored.',
    'In the answer Id is 0, ClientUrl is empty, and lines, options and visits are numbered from 1.',
    'The answer can be sent to proposal/create, which takes Quantity as the requested one, before a QuantityFormula ' +
      'of the service.',
    'Message has the total with each option alone.',
    'ReturnProposal, or neither flag, answers the proposal. ReturnDates answers the visits of a subscription, which ' +
      'add up to it.',
    'A SelectedDate in ScheduleDates must be the date of the visit with that Id or one of its AlternateDates; it ' +
      'changes no price.',
  ],
  access: 'read',
  isCurrent: true,
  maxBody: 2 * 1024 * 1024,
  request: quoteFields,
  response: () => ({ ScheduleDates: many(SubscriptionDate), Proposal: nested(Proposal) }),
  failures: ['notFound', 'conflict'],
  document: () => ({ fields: { ServiceId: 'Required without ServiceName and ProposalTemplateId.' } }),
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
  async run(request, context) {
    const { dates, proposal, message } = await quoteProposal(request, context);
    return { ScheduleDates: dates, Proposal: proposal, Message: message };
  },
});
