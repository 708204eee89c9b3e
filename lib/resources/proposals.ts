import { Proposal } from '../entities/proposals.ts';
import { described, flag, id, many, nested, required, text } from './fields.ts';
import { SubscriptionDate } from './subscriptions.ts';

/** The request of proposal/quote. */
export const quoteFields = () => ({
  ContactId: required(id()),
  ServiceId: id(),
  ServiceName: text(200),
  ProposalTemplateId: id(),
  ReturnDates: described(flag(), 'Answers the visits of a subscription in ScheduleDates.'),
  ReturnProposal: described(flag(), 'Answers the proposal. The default if neither flag is set.'),
  ScheduleDates: described(many(SubscriptionDate), 'The selected dates of visits: Id and SelectedDate.'),
  Proposal: described(nested(Proposal), 'What differs from the service or template.'),
});
