import { Proposal } from '../entities/proposals.ts';
import {
  type Output,
  described,
  flag,
  id,
  int32,
  many,
  moment,
  nested,
  nullable,
  quantity,
  required,
  resource,
  text,
} from './fields.ts';
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

/** An initial line of proposals created from the template. */
export const ProposalTemplateLine = resource('ProposalTemplateLine', () => ({
  Id: id(),
  Option: described(text(200), 'The name of the option that the line belongs to; empty if the line always counts.'),
  Quantity: nullable(quantity()),
  Name: text(200),
  Description: text(),
  ProposalTemplateId: id(),
  PartId: id(),
  Order: int32(),
  IsInternal: flag(),
  IsZeroPrice: flag(),
  QtyIsPercent: described(flag(), 'Quantity is a percentage of the quantity of the proposal.'),
}));

export const ProposalTemplate = resource('ProposalTemplate', () => ({
  Id: id(),
  Name: text(200),
  IsActive: flag(),
  Quantity: nullable(quantity()),
  ServiceId: id(),
  ServiceDescription: text(),
  CustomerNote: text(),
  OrganizationId: id(),
  CreatedAt: moment(),
  UpdatedAt: moment(),
  ProposalTemplateLines: many(ProposalTemplateLine),
}));
export type ProposalTemplate = Output<typeof ProposalTemplate>;
