import { IdName } from '../resources/addresses.ts';
import { CustomField } from '../resources/custom-fields.ts';
import { type Output, many, nested } from '../resources/fields.ts';
import type { ObjectOf } from './declaration/field.ts';
import {
  customValue,
  date,
  decimal,
  double,
  flag,
  given,
  id,
  json,
  listOf,
  moment,
  number,
  numbered,
  object,
  optional,
  quantity,
  text,
} from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';
import { Part, partEntity } from './parts.ts';
import { partTemplateEntity } from './price-book.ts';
import { PROPOSAL_STATUSES } from './proposal-status.ts';
import { serviceEntity } from './services.ts';

/** The parts of a proposal besides its own fields. */

/** A group of lines that a client can select; the lines count only if it is selected. */
export const option = {
  Id: id({ resource: true }),
  Name: text({ max: 200, resource: true }),
  Selected: flag({ resource: true }),
};
export type OptionRecord = ObjectOf<typeof option>;

/**
 * A line as stored: the request, and the result of its pricing. ExtendedTotal is what the line adds after its discount,
 * or would add if it counted.
 */
export const proposalLine = {
  Id: id({ resource: true }),
  /** As priced, like UnitPrice: after overrides, formulas and quantity prices. */
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
  /** The line's own flag; items of an internal line are internal too (lib/domain/proposals/record.ts). */
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
  /** 0 for a line without a part, which has its own price. */
  PartId: id({ absent: 0 }),
  /**
   * As requested; `null` leaves it to the part and the service. Repricing starts from the requested values, not from
   * earlier results.
   */
  RequestedQuantity: number({ nullable: true }),
  RequestedPrice: number({ nullable: true }),
  /** Minutes. */
  Duration: number(),
  IsZeroPrice: flag(),
  /** Whether it is in the totals: not internal, and either without an option or with a selected one. */
  Counts: flag(),
  /** The line's own option; for an item, `null` means that of the assembly's line. */
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
  /** Whether a Complete child is still to be invoiced (lib/domain/proposals/record.ts); absent if not. */
  Unbilled: flag({ optional: true }),
  /** The descendants that count in its total (lib/domain/proposals/family.ts); absent if there are none. */
  Below: listOf({ Id: id(), Subtotal: number(), Tax: number() }, { optional: true }),
};
export type ChildProposal = ObjectOf<typeof childProposal>;

/**
 * The part of the price book that prices a proposal, as it was when quoted; later changes of the price book do not
 * affect it. Only differences from a blank service or part are stored.
 */
export const quotedBook = {
  Service: object(optional(serviceEntity.fields)),
  /** Every part that a line names, and the items of assemblies. */
  Parts: listOf({ ...optional(partEntity.fields), Id: id() }),
  /** Those of the parts. */
  Templates: listOf(partTemplateEntity.fields),
  /** The contact's values of the fields that formulas and overrides read. */
  Fields: listOf({ Id: id(), Shortcode: text(), Value: json() }, { personal: 'written' }),
};
export type QuotedBook = ObjectOf<typeof quotedBook>;

export const ProposalNote = /* @__PURE__ */ resourceOf({ name: 'ProposalNote', declared: proposalNote });

/** A change order or bundled proposal, listed in its parent proposal. */
export const ProposalSummary = /* @__PURE__ */ resourceOf(
  { name: 'ProposalSummary', declared: childProposal },
  {},
  () => ({ Service: nested(IdName) }),
);
export type ProposalSummary = Output<typeof ProposalSummary>;

export const ProposalOption = /* @__PURE__ */ resourceOf({ name: 'ProposalOption', declared: option });

/** ExtendedTotal and LineTax are computed, and ignored in requests (interface, section 7). */
export const ProposalLine = /* @__PURE__ */ resourceOf({ name: 'ProposalLine', declared: proposalLine }, {}, () => ({
  Part: nested(Part),
  ProposalOption: nested(ProposalOption),
  CustomFields: many(CustomField),
}));
export type ProposalLine = Output<typeof ProposalLine>;
