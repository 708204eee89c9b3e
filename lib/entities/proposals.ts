import { IdName } from '../resources/addresses.ts';
import { CustomField } from '../resources/custom-fields.ts';
import * as contract from '../resources/fields.ts';
import type { Output } from '../resources/fields.ts';
import { Part } from '../resources/parts.ts';
import { CLIENT_LINK } from '../resources/sentences.ts';
import { AccountingClassPostalCodes, NamedTaxRate, TaxPart } from '../resources/settings.ts';
import { startOfDate } from '../shared/time/time.ts';
import { Contact } from './contacts.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import {
  type ObjectOf,
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
  json,
  listOf,
  moment,
  number,
  numbers,
  object,
  optional,
  text,
  texts,
} from './declaration/fields.ts';
import { eventDataOf, resourceOf } from './declaration/resource.ts';
import { partEntity } from './parts.ts';
import { postalClass } from './postal-codes.ts';
import { partTemplateEntity } from './price-book.ts';
import { serviceEntity } from './services.ts';
import { taxRatePart } from './tax-parts.ts';

/** Statuses of a proposal, by their number (interface, section 7). */
export const PROPOSAL_STATUSES = [
  'Internal',
  'Open',
  'Accepted',
  'Declined',
  'Invoiced',
  'Scheduled',
  'Complete',
  'Expired',
] as const;
export type ProposalStatusName = (typeof PROPOSAL_STATUSES)[number];
export const ProposalStatus = {
  Internal: 0,
  Open: 1,
  Accepted: 2,
  Declined: 3,
  Invoiced: 4,
  Scheduled: 5,
  Complete: 6,
  Expired: 7,
} as const satisfies Record<ProposalStatusName, number>;

/** Not answered yet. One that is open beyond its time stays here until a worker stores it as expired. */
export const isOpenProposal = (status: number | undefined): boolean =>
  status === ProposalStatus.Internal || status === ProposalStatus.Open;

/** Stands for "never" in the index: later than any moment that a query may ask for. */
const NEVER = 1e14;

/** The moment from which it counts as expired; an open proposal expires without a write. */
function expiredFrom(status: number, expiresAt: number | null): number {
  if (status === ProposalStatus.Expired) return 0;
  return status === ProposalStatus.Open ? (expiresAt ?? NEVER) : NEVER;
}

/** A group of lines that a client can select; the lines count only if it is selected. */
const option = {
  Id: id({ resource: true }),
  Name: text({ max: 200, resource: true }),
  Selected: flag({ resource: true }),
};
export type OptionRecord = ObjectOf<typeof option>;

/**
 * A line as it is stored: what was requested, and what that came to when it was priced. ExtendedTotal is what the line
 * adds after its discount, or would add if it counted.
 */
export const proposalLine = {
  Id: id({ resource: true }),
  /** As priced, as is UnitPrice: after overrides, formulas and quantity prices. */
  Quantity: quantity({ resource: true, shownNullable: true, description: 'In an update, 0 removes the line.' }),
  UnitPrice: decimal({ resource: true, shownNullable: true }),
  UnitCost: decimal({ nullable: true, resource: true }),
  RatePercent: double({
    nullable: true,
    resource: true,
    description: 'The price of the line is this percentage of the other lines.',
  }),
  MaxDiscount: decimal({ nullable: true, resource: true }),
  ExtendedTotal: decimal({ resource: true, readOnly: true }),
  LineTax: decimal({ resource: true, readOnly: true }),
  Taxable: flag({ resource: true }),
  /** Its own flag; an item of an internal line is internal too (lib/domain/proposals/record.ts). */
  IsInternal: flag({
    resource: true,
    shownNullable: true,
    description: 'Has a cost, but is not printed and not added to the total.',
  }),
  Discount: decimal({ nullable: true, resource: true }),
  LineDescription: text({ resource: true, personal: 'named' }),
  Notes: text({ resource: true, personal: 'written' }),
  SortIndex: number({ resource: true }),
  AssemblyLineId: id({
    nullable: true,
    resource: true,
    description: 'The line of the assembly that this line belongs to.',
  }),
  Part: given(),
  ProposalOption: given(),
  CustomFields: listOf(customValue, { personal: 'written' }),
  /** 0: a line without a part, at its own price. */
  PartId: id({ absent: 0 }),
  /** As requested; `null` leaves it to part and service. The line is priced again from these, not from its results. */
  RequestedQuantity: number({ nullable: true }),
  RequestedPrice: number({ nullable: true }),
  /** Minutes. */
  Duration: number(),
  IsZeroPrice: flag(),
  /** Whether it is in the totals: not internal, and of no option or of a selected one. */
  Counts: flag(),
  /** Its own; `null`: for an item, that of the assembly's line. */
  OptionId: id({ nullable: true }),
};
export type ProposalLineRecord = ObjectOf<typeof proposalLine>;

export const proposalNote = {
  Id: id({ resource: true }),
  ProposalId: given(id()),
  Note: text({ resource: true }),
  CreatedAt: moment({ required: true, resource: true, shownNullable: true }),
};
export type ProposalNoteRecord = ObjectOf<typeof proposalNote>;

/** The part of a deposit that an invoice takes off; above 0. */
const depositCredit = { InvoiceId: id(), Amount: number({ required: true }) };

/** A change order or bundled proposal as its parent lists it; updated whenever the child changes. */
export const childProposal = {
  Id: id({ resource: true }),
  Service: given(),
  Date: date({ resource: true }),
  Status: numbered(PROPOSAL_STATUSES, { required: true, resource: true }),
  ServiceId: id({ absent: 0 }),
  ServiceName: text(),
  Subtotal: number(),
  Tax: number(),
  /** Whether a Complete one is still to be invoiced (lib/domain/proposals/record.ts); absent if not. */
  Unbilled: flag({ optional: true }),
  /** The proposals below it that count in its total (lib/domain/proposals/family.ts); absent if none do. */
  Below: listOf({ Id: id(), Subtotal: number(), Tax: number() }, { optional: true }),
};
export type ChildProposal = ObjectOf<typeof childProposal>;

/**
 * The part of the price book that a proposal is priced by. It stays as it was when quoted, whatever changes in the
 * price book. Only what differs from a blank service or part is stored.
 */
const quotedBook = {
  Service: object(optional(serviceEntity.fields)),
  /** Every part that a line names, and the items of assemblies. */
  Parts: listOf({ ...optional(partEntity.fields), Id: id() }),
  /** Those of the parts. */
  Templates: listOf(partTemplateEntity.fields),
  /** The contact's values of the fields that formulas and overrides read. */
  Fields: listOf({ Id: id(), Shortcode: text(), Value: json() }, { personal: 'written' }),
};
export type QuotedBook = ObjectOf<typeof quotedBook>;

/**
 * A proposal as it is stored. Dates are in the organization's zone, money has 2 decimals, BasePrice and UnitPrice 4.
 * BasePrice + UnitPrice × Quantity is what the service costs, MinimumCharge included; flat and overage bands are in
 * BasePrice. Quantity is after overrides and formula. Subtotal is the service and every line that counts, after
 * discounts, before tax. Duration is in minutes.
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
    /** As it was when the proposal was priced. */
    NamedTaxRate: object(
      { Id: id(), Name: text(), TaxRate: number(), Parts: listOf(taxRatePart) },
      { nullable: true, resource: true },
    ),
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
    /** The contact's, with its postal code, as of the last change of the proposal. */
    AccountingClass: object(
      { ...postalClass, PostalCodes: texts() },
      { nullable: true, resource: true, personal: 'private' },
    ),
    Zone: text({ required: true }),
    /** When it last became Open; `null` if it never was. */
    OpenedAt: moment({ nullable: true, download: true }),
    /** When it expires if it is not answered; `null`: never. */
    ExpiresAt: moment({ nullable: true, download: true, event: true }),
    AcceptedAt: moment({ nullable: true, download: true }),
    /** As requested; `null` is 1. */
    RequestedQuantity: number({ nullable: true }),
    Options: listOf(option, { personal: 'named' }),
    Lines: listOf(proposalLine),
    Book: object(quotedBook),
    ProposalTemplateId: id({ nullable: true, download: true }),
    DepositInvoiceId: id({ nullable: true, download: true }),
    /** What invoices that are not voided have taken off for its deposit; absent if none. */
    DepositCredits: listOf(depositCredit, { optional: true }),
    /**
     * The invoices that bill it and are not voided, and its status before they made it Invoiced (`null`: they did not). A
     * Complete proposal without such invoices is still to be invoiced if `Was` is not `null`.
     */
    Billed: object({ Invoices: numbers(), Was: number({ nullable: true }) }, { optional: true }),
    EvidenceSha256: text({ event: true, description: 'The SHA-256 of the accepted content; empty before.' }),
    /** Visits of an accepted subscription that are still to be queued as appointments. */
    VisitsToQueue: number(),
    /** The taxed part of Subtotal. */
    TaxableSubtotal: number(),
    /** The service's own part of Tax; Taxable is whether the service itself is taxed. */
    ServiceTax: number(),
    /** How often its links were revoked; absent before the first time. */
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

export const ProposalNote = /* @__PURE__ */ resourceOf({ name: 'ProposalNote', declared: proposalNote });

/** A change order or bundled proposal, listed in its parent proposal. */
export const ProposalSummary = /* @__PURE__ */ resourceOf(
  { name: 'ProposalSummary', declared: childProposal },
  {},
  () => ({ Service: contract.nested(IdName) }),
);
export type ProposalSummary = Output<typeof ProposalSummary>;

export const ProposalOption = /* @__PURE__ */ resourceOf({ name: 'ProposalOption', declared: option });

/** ExtendedTotal and LineTax are computed and ignored in requests (interface, section 7). */
export const ProposalLine = /* @__PURE__ */ resourceOf({ name: 'ProposalLine', declared: proposalLine }, {}, () => ({
  Part: contract.nested(Part),
  ProposalOption: contract.nested(ProposalOption),
  CustomFields: contract.many(CustomField),
}));
export type ProposalLine = Output<typeof ProposalLine>;

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

/** The fields of a request: all but the computed ones. */
export const proposalInputFields = () => contract.without(Proposal, ...COMPUTED);

/** What was accepted: the canonical JSON, compressed. */
export const evidenceEntity = entity('Evidence', { Content: bytes({ required: true }) });

/** An entry of the list of expiries: this proposal may expire at `At`. */
export const proposalExpiryEntity = entity('ProposalExpiry', {
  Account: text({ required: true }),
  Id: id(),
  At: moment({ required: true }),
});

/** The hour, since 1970, up to which the list of expiries is done. */
export const expiryProgressEntity = entity('ExpiryProgress', { Hour: number({ optional: true }) });

/** What a proposal adds to the total of its parents. */
export type CountedProposal = Pick<ProposalRecord, 'Id' | 'Subtotal' | 'Tax'>;
