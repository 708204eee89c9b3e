import { Contact } from '../entities/contacts.ts';
import { CLIENT_LINK } from './sentences.ts';
import { IdName } from './addresses.ts';
import { CustomField } from './custom-fields.ts';
import {
  type Output,
  date,
  moment,
  decimal,
  described,
  extension,
  double,
  flag,
  id,
  int32,
  many,
  nested,
  nullable,
  quantity,
  required,
  resource,
  text,
  without,
  numbered,
} from './fields.ts';
import { Part } from './parts.ts';
import { AccountingClassPostalCodes, NamedTaxRate, TaxPart } from './settings.ts';
import { SubscriptionDate } from './subscriptions.ts';

const status = () =>
  numbered(['Internal', 'Open', 'Accepted', 'Declined', 'Invoiced', 'Scheduled', 'Complete', 'Expired']);

export const ProposalNote = resource('ProposalNote', () => ({
  Id: id(),
  ProposalId: id(),
  Note: text(),
  CreatedAt: nullable(moment()),
}));

/** A change order or bundled proposal, listed in its parent proposal. */
export const ProposalSummary = resource('ProposalSummary', () => ({
  Id: id(),
  Service: nested(IdName),
  Date: date(),
  Status: status(),
}));
export type ProposalSummary = Output<typeof ProposalSummary>;

const COMPUTED = [
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
  'TaxParts',
] as const;

/** Subtotal, Tax and the totals of lines are computed and ignored in requests (interface, section 7). */
export const Proposal = resource(
  'Proposal',
  () => ({
    Id: id(),
    ContactId: id(),
    Contact: nested(Contact),
    ClientUrl: described(text(2048), `The page on which the client signs. ${CLIENT_LINK}`),
    Date: date(),
    Status: status(),
    AcceptedDate: date(),
    ServiceId: id(),
    ServiceName: text(200),
    Description: text(),
    Duration: described(int32(0), 'Minutes.'),
    BasePrice: decimal(),
    UnitPrice: decimal(),
    Quantity: quantity(),
    Subtotal: decimal(),
    Tax: decimal(),
    NamedTaxRate: nested(NamedTaxRate),
    TaxParts: extension(described(many(TaxPart), 'The parts of Tax, where the rate has several.')),
    Taxable: flag(),
    Title: text(500),
    DeliveryUri: described(text(2048), 'Called when the proposal is opened, accepted or declined.'),
    OwnerUserId: nullable(id()),
    ServiceAgentId: nullable(id()),
    DepositRate: nullable(described(double(), 'Percent of the total.')),
    DepositRequired: nullable(flag()),
    SelectedSolution: described(nested(IdName), 'The selected option.'),
    ProposalLines: many(ProposalLine),
    ChangeOrders: many(ProposalSummary),
    BundledProposals: many(ProposalSummary),
    ProposalNotes: many(ProposalNote),
    CustomerNotes: text(),
    ChangeOrderForProposalId: nullable(id()),
    BundleWithProposalId: nullable(id()),
    IncludePaymentPlans: flag(),
    PaymentPlanRequired: nullable(flag()),
    DistributeParts: described(flag(), 'Distributes the parts over the visits of a subscription.'),
    CustomFields: many(CustomField),
    AccountingClass: nested(AccountingClassPostalCodes),
  }),
  { carriesResult: true, computed: COMPUTED },
);
export type Proposal = Output<typeof Proposal>;

/** The fields of a request: all but the computed ones. */
export const proposalInputFields = () => without(Proposal, ...COMPUTED);

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

/** A group of lines that a client can select; the lines count only if it is selected. */
export const ProposalOption = resource('ProposalOption', () => ({ Id: id(), Name: text(200), Selected: flag() }));

/** ExtendedTotal and LineTax are computed and ignored in requests (interface, section 7). */
export const ProposalLine = resource(
  'ProposalLine',
  () => ({
    Id: id(),
    Quantity: nullable(described(quantity(), 'In an update, 0 removes the line.')),
    UnitPrice: nullable(decimal()),
    UnitCost: nullable(decimal()),
    RatePercent: nullable(described(double(), 'The price of the line is this percentage of the other lines.')),
    MaxDiscount: nullable(decimal()),
    ExtendedTotal: decimal(),
    LineTax: decimal(),
    Taxable: flag(),
    IsInternal: nullable(described(flag(), 'Has a cost, but is not printed and not added to the total.')),
    Discount: nullable(decimal()),
    LineDescription: text(),
    Notes: text(),
    SortIndex: int32(),
    AssemblyLineId: nullable(described(id(), 'The line of the assembly that this line belongs to.')),
    Part: nested(Part),
    ProposalOption: nested(ProposalOption),
    CustomFields: many(CustomField),
  }),
  { computed: ['ExtendedTotal', 'LineTax'] },
);
export type ProposalLine = Output<typeof ProposalLine>;

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
