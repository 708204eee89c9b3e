import { type RecordOf, entity } from './declaration/entity.ts';
import {
  type ObjectOf,
  bytes,
  customValue,
  date,
  decimal,
  flag,
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
import { partEntity } from './parts.ts';
import { postalClass } from './postal-codes.ts';
import { partTemplateEntity } from './price-book.ts';
import { serviceEntity } from './services.ts';
import { taxRatePart } from './tax-parts.ts';

const option = { Id: id(), Name: text(), Selected: flag() };
export type OptionRecord = ObjectOf<typeof option>;

/**
 * A line as it is stored: what was requested, and what that came to when it was priced. ExtendedTotal is what the line
 * adds after its discount, or would add if it counted.
 */
export const proposalLine = {
  Id: id(),
  /** 0: a line without a part, at its own price. */
  PartId: id({ absent: 0 }),
  /** As requested; `null` leaves it to part and service. The line is priced again from these, not from its results. */
  RequestedQuantity: number({ nullable: true }),
  RequestedPrice: number({ nullable: true }),
  /** As priced: after overrides, formulas and quantity prices. */
  Quantity: number(),
  UnitPrice: number(),
  UnitCost: number({ nullable: true }),
  RatePercent: number({ nullable: true }),
  MaxDiscount: number({ nullable: true }),
  Discount: number({ nullable: true }),
  ExtendedTotal: number(),
  LineTax: number(),
  /** Minutes. */
  Duration: number(),
  Taxable: flag(),
  /** Its own flag; an item of an internal line is internal too (lib/domain/proposals/record.ts). */
  IsInternal: flag(),
  IsZeroPrice: flag(),
  /** Whether it is in the totals: not internal, and of no option or of a selected one. */
  Counts: flag(),
  LineDescription: text({ personal: 'named' }),
  Notes: text({ personal: 'written' }),
  SortIndex: number(),
  AssemblyLineId: id({ nullable: true }),
  /** Its own; `null`: for an item, that of the assembly's line. */
  OptionId: id({ nullable: true }),
  CustomFields: listOf(customValue, { personal: 'written' }),
};
export type ProposalLineRecord = ObjectOf<typeof proposalLine>;

const proposalNote = { Id: id(), Note: text(), CreatedAt: moment({ required: true }) };
export type ProposalNoteRecord = ObjectOf<typeof proposalNote>;

/** The part of a deposit that an invoice takes off; above 0. */
const depositCredit = { InvoiceId: id(), Amount: number({ required: true }) };

/** A change order or bundled proposal as its parent lists it; updated whenever the child changes. */
const child = {
  Id: id(),
  ServiceId: id({ absent: 0 }),
  ServiceName: text(),
  Date: date(),
  Status: number({ required: true }),
  Subtotal: number(),
  Tax: number(),
  /** Whether a Complete one is still to be invoiced (lib/domain/proposals/record.ts); absent if not. */
  Unbilled: flag({ optional: true }),
  /** The proposals below it that count in its total (lib/domain/proposals/family.ts); absent if none do. */
  Below: listOf({ Id: id(), Subtotal: number(), Tax: number() }, { optional: true }),
};
export type ChildProposal = ObjectOf<typeof child>;

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
export const proposalEntity = entity('Proposal', {
  Id: id({ resource: true, download: true }),
  OrganizationId: id(),
  ContactId: id({ resource: true }),
  /** See lib/domain/proposals/record.ts. */
  Status: number({ required: true }),
  Zone: text({ required: true }),
  Date: date({ required: true, resource: true, download: true }),
  /** When it last became Open; `null` if it never was. */
  OpenedAt: moment({ nullable: true, download: true }),
  /** When it expires if it is not answered; `null`: never. */
  ExpiresAt: moment({ nullable: true, download: true, event: true }),
  AcceptedAt: moment({ nullable: true, download: true }),
  ServiceId: id({ absent: 0, resource: true, download: true }),
  ServiceName: text({ resource: true, download: true, personal: 'named' }),
  Description: text({ resource: true, download: true, personal: 'named' }),
  Title: text({ resource: true, download: true, personal: 'named' }),
  CustomerNotes: text({ resource: true, download: true, personal: 'written' }),
  DeliveryUri: text({ resource: true, personal: 'private' }),
  OwnerUserId: id({ nullable: true, resource: true, download: true }),
  ServiceAgentId: id({ nullable: true, resource: true, download: true }),
  /** As requested; `null` is 1. */
  RequestedQuantity: number({ nullable: true }),
  Taxable: flag({ resource: true }),
  /** As it was when the proposal was priced. */
  NamedTaxRate: object(
    { Id: id(), Name: text(), TaxRate: number(), Parts: listOf(taxRatePart) },
    { nullable: true, resource: true },
  ),
  /** Percent of the total. */
  DepositRate: decimal({ nullable: true, resource: true, download: true }),
  DepositRequired: flag({ nullable: true, resource: true, download: true }),
  Options: listOf(option, { personal: 'named' }),
  Lines: listOf(proposalLine),
  Book: object(quotedBook),
  ProposalNotes: listOf(proposalNote, { personal: 'written' }),
  ChangeOrderForProposalId: id({ nullable: true, resource: true, download: true }),
  BundleWithProposalId: id({ nullable: true, resource: true, download: true }),
  ChangeOrders: listOf(child),
  BundledProposals: listOf(child),
  IncludePaymentPlans: flag({ resource: true }),
  PaymentPlanRequired: flag({ nullable: true, resource: true }),
  DistributeParts: flag({ resource: true }),
  CustomFields: listOf(customValue, { personal: 'written' }),
  /** The contact's, with its postal code, as of the last change of the proposal. */
  AccountingClass: object(
    { ...postalClass, PostalCodes: texts() },
    { nullable: true, resource: true, personal: 'private' },
  ),
  ProposalTemplateId: id({ nullable: true, download: true }),
  DepositInvoiceId: id({ nullable: true, download: true }),
  /** What invoices that are not voided have taken off for its deposit; absent if none. */
  DepositCredits: listOf(depositCredit, { optional: true }),
  /**
   * The invoices that bill it and are not voided, and its status before they made it Invoiced (`null`: they did not). A
   * Complete proposal without such invoices is still to be invoiced if `Was` is not `null`.
   */
  Billed: object({ Invoices: numbers(), Was: number({ nullable: true }) }, { optional: true }),
  EvidenceSha256: text({ event: true }),
  /** Visits of an accepted subscription that are still to be queued as appointments. */
  VisitsToQueue: number(),
  BasePrice: decimal({ resource: true, download: true }),
  UnitPrice: decimal({ resource: true, download: true }),
  Quantity: decimal({ resource: true, download: true }),
  Duration: number({ resource: true, download: 'DurationMinutes' }),
  Subtotal: decimal({ resource: true, download: true }),
  Tax: decimal({ resource: true, download: true }),
  /** The taxed part of Subtotal. */
  TaxableSubtotal: number(),
  /** The service's own part of Tax; Taxable is whether the service itself is taxed. */
  ServiceTax: number(),
  /** How often its links were revoked; absent before the first time. */
  LinksRevoked: number({ optional: true }),
  ...history,
});
export type ProposalRecord = RecordOf<typeof proposalEntity>;

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
