import { AccountingClassPostalCodes } from './accounting-classes.ts';
import { Contact } from './contacts.ts';
import { CustomField } from './custom-fields.ts';
import { date, datetime, decimal, described, double, flag, id, int32, nullable, text, word } from './fields.ts';
import { IdName } from './names.ts';
import { ProposalLine } from './proposal-lines.ts';
import { many, nested, resource, type Output } from './resource.ts';
import { NamedTaxRate } from './taxes.ts';

const status = () => word(['Internal', 'Open', 'Accepted', 'Declined', 'Invoiced', 'Scheduled', 'Complete', 'Expired']);

/** A remark kept with a proposal. */
export const ProposalNote = resource('ProposalNote', () => ({
  Id: id(),
  ProposalId: id(),
  Note: text(),
  CreatedAt: nullable(datetime()),
}));
export type ProposalNote = Output<typeof ProposalNote>;

/** A change order or bundled proposal, as the proposal that it belongs to lists it. */
export const ProposalSummary = resource('ProposalSummary', () => ({
  Id: id(),
  Service: nested(IdName),
  Date: date(),
  Status: status(),
}));
export type ProposalSummary = Output<typeof ProposalSummary>;

/** A quote. Subtotal, Tax and the totals of lines are worked out, whatever a request says (interface, section 7). */
export const Proposal = resource(
  'Proposal',
  () => ({
    Id: id(),
    ContactId: id(),
    Contact: nested(Contact),
    ClientUrl: text(2048),
    Date: date(),
    Status: status(),
    AcceptedDate: date(),
    ServiceId: id(),
    ServiceName: text(200),
    Description: text(),
    Duration: described(int32(0), 'Minutes.'),
    BasePrice: decimal(),
    UnitPrice: decimal(),
    Quantity: double(),
    Subtotal: decimal(),
    Tax: decimal(),
    NamedTaxRate: nested(NamedTaxRate),
    Taxable: flag(),
    Title: text(500),
    DeliveryUri: described(text(2048), 'Called when the proposal is opened, accepted or declined.'),
    OwnerUserId: nullable(id()),
    ServiceAgentId: nullable(id()),
    DepositRate: nullable(described(double(), 'Percent of the total.')),
    DepositRequired: nullable(flag()),
    SelectedSolution: described(nested(IdName), 'The option that is selected.'),
    ProposalLines: many(ProposalLine),
    ChangeOrders: many(ProposalSummary),
    BundledProposals: many(ProposalSummary),
    ProposalNotes: many(ProposalNote),
    CustomerNotes: text(),
    ChangeOrderForProposalId: nullable(id()),
    BundleWithProposalId: nullable(id()),
    IncludePaymentPlans: flag(),
    PaymentPlanRequired: nullable(flag()),
    DistributeParts: described(flag(), 'Spreads the parts over the visits of a subscription.'),
    CustomFields: many(CustomField),
    AccountingClass: nested(AccountingClassPostalCodes),
  }),
  { carriesResult: true },
);
export type Proposal = Output<typeof Proposal>;
