import { IdName } from '../resources/addresses.ts';
import { CustomField } from '../resources/custom-fields.ts';
import * as contract from '../resources/fields.ts';
import type { Output } from '../resources/fields.ts';
import { CLIENT_LINK } from '../resources/sentences.ts';
import { startOfDate } from '../shared/time/time.ts';
import { Contact } from './contacts.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import {
  bytes,
  customValue,
  date,
  decimal,
  double,
  flag,
  given,
  numbered,
  quantity,
  history,
  id,
  listOf,
  moment,
  number,
  numbers,
  object,
  text,
  texts,
} from './declaration/fields.ts';
import { eventDataOf, resourceOf } from './declaration/resource.ts';
import { AccountingClassPostalCodes, postalClass } from './postal-codes.ts';
import {
  ProposalLine,
  ProposalNote,
  ProposalSummary,
  childProposal,
  option,
  proposalLine,
  proposalNote,
  quotedBook,
} from './proposal-parts.ts';
import { PROPOSAL_STATUSES, ProposalStatus, isOpenProposal } from './proposal-status.ts';
import { NamedTaxRate, TaxPart, namedTaxRate } from './tax-rates.ts';

/** Stands for "never" in the index: later than any moment that a query may ask for. */
const NEVER = 1e14;

/** The moment from which it counts as expired; an open proposal expires without a write. */
function expiredFrom(status: number, expiresAt: number | null): number {
  if (status === ProposalStatus.Expired) return 0;
  return status === ProposalStatus.Open ? (expiresAt ?? NEVER) : NEVER;
}

/** The part of a deposit that an invoice deducts; above 0. */
const depositCredit = { InvoiceId: id(), Amount: number({ required: true }) };

/**
 * A proposal as stored. Dates are in the organization's zone; money has 2 decimals, BasePrice and UnitPrice have 4.
 * BasePrice + UnitPrice × Quantity is the price of the service, including MinimumCharge; BasePrice includes flat and
 * overage bands. Quantity is after overrides and formula. Subtotal is the service and every line that counts, after
 * discounts and before tax. Duration is in minutes.
 */
export const proposalEntity = entity(
  'Proposal',
  {
    Id: id({ resource: true, download: true }),
    OrganizationId: id(),
    ContactId: id({ resource: true }),
    Contact: given(),
    ClientUrl: given(text({ max: 2048, description: `The page on which the client signs. ${CLIENT_LINK}` })),
    Date: date({ required: true, resource: true, download: true }),
    Status: numbered(PROPOSAL_STATUSES, { required: true, resource: true }),
    AcceptedDate: given(date()),
    ServiceId: id({ absent: 0, resource: true, download: true }),
    ServiceName: text({ max: 200, resource: true, download: true, personal: 'named' }),
    Description: text({ resource: true, download: true, personal: 'named' }),
    Duration: number({ min: 0, resource: true, download: 'DurationMinutes', description: 'Minutes.' }),
    BasePrice: decimal({ resource: true, download: true }),
    UnitPrice: decimal({ resource: true, download: true }),
    Quantity: quantity({ resource: true, download: true }),
    Subtotal: decimal({ resource: true, download: true }),
    Tax: decimal({ resource: true, download: true }),
    /** The named tax rate at the time of pricing. */
    NamedTaxRate: object(namedTaxRate, { nullable: true, resource: true }),
    TaxParts: given(),
    Taxable: flag({ resource: true }),
    Title: text({ max: 500, resource: true, download: true, personal: 'named' }),
    DeliveryUri: text({
      max: 2048,
      resource: true,
      personal: 'private',
      description: 'Called when the proposal is opened, accepted or declined.',
    }),
    OwnerUserId: id({ nullable: true, resource: true, download: true }),
    ServiceAgentId: id({ nullable: true, resource: true, download: true }),
    DepositRate: double({ nullable: true, resource: true, download: true, description: 'Percent of the total.' }),
    DepositRequired: flag({ nullable: true, resource: true, download: true }),
    SelectedSolution: given(),
    ProposalLines: given(),
    ChangeOrders: listOf(childProposal),
    BundledProposals: listOf(childProposal),
    ProposalNotes: listOf(proposalNote, { personal: 'written' }),
    CustomerNotes: text({ resource: true, download: true, personal: 'written' }),
    ChangeOrderForProposalId: id({ nullable: true, resource: true, download: true }),
    BundleWithProposalId: id({ nullable: true, resource: true, download: true }),
    IncludePaymentPlans: flag({ resource: true }),
    PaymentPlanRequired: flag({ nullable: true, resource: true }),
    DistributeParts: flag({ resource: true, description: 'Distributes the parts over the visits of a subscription.' }),
    CustomFields: listOf(customValue, { personal: 'written' }),
    /** The contact's class and postal code at the last change of the proposal. */
    AccountingClass: object(
      { ...postalClass, PostalCodes: texts() },
      { nullable: true, resource: true, personal: 'private' },
    ),
    Zone: text({ required: true }),
    /** When it last became Open; `null` if never. */
    OpenedAt: moment({ nullable: true, download: true }),
    /** When it expires if it stays unanswered; `null` for never. */
    ExpiresAt: moment({ nullable: true, download: true, event: true }),
    AcceptedAt: moment({ nullable: true, download: true }),
    /** As requested; `null` means 1. */
    RequestedQuantity: number({ nullable: true }),
    Options: listOf(option, { personal: 'named' }),
    Lines: listOf(proposalLine),
    Book: object(quotedBook),
    ProposalTemplateId: id({ nullable: true, download: true }),
    DepositInvoiceId: id({ nullable: true, download: true }),
    /** What invoices that are not voided have deducted for its deposit; absent if none have. */
    DepositCredits: listOf(depositCredit, { optional: true }),
    /**
     * The invoices that bill it and are not voided, and its status before they made it Invoiced (`null` if they did
     * not). A Complete proposal without such invoices is still to be invoiced if `Was` is not `null`.
     */
    Billed: object({ Invoices: numbers(), Was: number({ nullable: true }) }, { optional: true }),
    EvidenceSha256: text({ event: true, description: 'The SHA-256 of the accepted content; empty before.' }),
    /** Visits of an accepted subscription that are still to be queued as appointments. */
    VisitsToQueue: number(),
    /** The taxed part of Subtotal. */
    TaxableSubtotal: number(),
    /** The service's part of Tax; Taxable is whether the service itself is taxed. */
    ServiceTax: number(),
    /** How often its links were revoked; absent until the first time. */
    LinksRevoked: number({ optional: true }),
    ...history,
  },
  {
    listed: {
      facts: { status: 'S', expiresAt: 'X', acceptedAt: 'A', owner: 'W' },
      entry: ({ Date: day, Zone, Status: status, ExpiresAt, AcceptedAt, OwnerUserId }) => ({
        date: startOfDate(day, Zone),
        day,
        open: isOpenProposal(status),
        facts: {
          status,
          expiresAt: expiredFrom(status, ExpiresAt),
          acceptedAt: AcceptedAt ?? undefined,
          owner: OwnerUserId ?? undefined,
        },
      }),
    },
  },
);
export type ProposalRecord = RecordOf<typeof proposalEntity>;

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

/** Subtotal, Tax and line totals are computed, and ignored in requests (interface, section 7). */
export const Proposal = /* @__PURE__ */ resourceOf(proposalEntity, { carriesResult: true, computed: COMPUTED }, () => ({
  Contact: contract.nested(Contact),
  NamedTaxRate: contract.nested(NamedTaxRate),
  TaxParts: contract.extension(
    contract.described(contract.many(TaxPart), 'The parts of Tax, where the rate has several.'),
  ),
  SelectedSolution: contract.described(contract.nested(IdName), 'The selected option.'),
  ProposalLines: contract.many(ProposalLine),
  ChangeOrders: contract.many(ProposalSummary),
  BundledProposals: contract.many(ProposalSummary),
  ProposalNotes: contract.many(ProposalNote),
  CustomFields: contract.many(CustomField),
  AccountingClass: contract.nested(AccountingClassPostalCodes),
}));
export type Proposal = Output<typeof Proposal>;

/** A proposal with the evidence of its acceptance. */
export const ProposalEventData = /* @__PURE__ */ eventDataOf(proposalEntity, Proposal);

/** The fields of a request: all except the computed ones. */
export const proposalInputFields = () => contract.without(Proposal, ...COMPUTED);

/** What was accepted: canonical JSON, compressed. */
export const evidenceEntity = entity('Evidence', { Content: bytes({ required: true }) });

/** An entry in the list of expiries: the proposal may expire at `At`. */
export const proposalExpiryEntity = entity('ProposalExpiry', {
  Account: text({ required: true }),
  Id: id(),
  At: moment({ required: true }),
});

/** The hour since 1970 through which the list of expiries is processed. */
export const expiryProgressEntity = entity('ExpiryProgress', { Hour: number({ optional: true }) });

/** What a proposal contributes to the totals of its parents. */
export type CountedProposal = Pick<ProposalRecord, 'Id' | 'Subtotal' | 'Tax'>;
