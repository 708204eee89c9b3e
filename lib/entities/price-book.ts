import * as contract from '../resources/fields.ts';
import type { Output } from '../resources/fields.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import {
  decimal,
  flag,
  id,
  listOf,
  number,
  numbers,
  properties,
  quantity,
  text,
  texts,
  word,
} from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

/** The versions of a price book and of its parts; earlier versions counted only those of the book. */
export const bookRevisionEntity = entity('BookRevision', { V: number(), Parts: number({ optional: true }) });

/** An entry in a list of the price book; its key names the kind of record. */
export const bookEntryEntity = entity('BookEntry', { Of: properties({ required: true }) });

/** The option that a part represents, if several parts are choices of one template. */
export const partTemplateEntity = entity('PartTemplate', {
  Id: id({ resource: true }),
  OptionName: text({ max: 200, resource: true }),
  Selected: flag({ resource: true }),
});

/**
 * A measured attribute of parts (length, voltage): within Minimum and Maximum in steps of Step, or one of Options.
 * Without PartIds it applies to every part.
 */
export const dimensionEntity = entity('Dimension', {
  Id: id({ resource: true }),
  Name: text({ max: 200, resource: true }),
  UnitOfMeasure: text({ max: 50, resource: true }),
  Minimum: decimal({ nullable: true, resource: true }),
  Maximum: decimal({ nullable: true, resource: true }),
  Step: decimal({ nullable: true, resource: true }),
  Options: texts({ max: 200, resource: true }),
  PartIds: numbers(),
});
export type DimensionRecord = RecordOf<typeof dimensionEntity>;

const PERIODS = ['None', 'Month', 'Quarter', 'Year'] as const;

/** A revenue category with the brand's share: Percentage or PerInvoiceAmount, within Minimum and Maximum. */
export const revenueCategoryEntity = entity('BrandingRevenueCategory', {
  Id: id({ resource: true }),
  Name: text({ max: 200, resource: true }),
  Group: text({ max: 200, resource: true }),
  Percentage: decimal({ resource: true }),
  /** Moments are stored in UTC, as in the resource. */
  CreatedAt: text({ required: true }),
  UpdatedAt: text({ nullable: true }),
  IsTotalSales: flag({ resource: true, description: 'Computed from all sales, not from those of the category.' }),
  IsExcludedFromMinimum: flag({ resource: true }),
  ExcludeFromTotal: flag({ resource: true }),
  IsActive: flag({ absent: true, resource: true }),
  PerInvoiceAmount: decimal({ nullable: true, resource: true }),
  Maximum: decimal({ nullable: true, resource: true }),
  MaximumPeriod: word(PERIODS),
  Minimum: decimal({ nullable: true, resource: true }),
});

/** An initial line of proposals created from the template: a part, or a text without a part. */
export const proposalTemplateLine = {
  Id: id({ resource: true }),
  Option: text({
    max: 200,
    resource: true,
    description: 'The name of the option that the line belongs to; empty if the line always counts.',
  }),
  Quantity: quantity({ nullable: true, resource: true }),
  Name: text({ max: 200, resource: true }),
  Description: text({ resource: true }),
  ProposalTemplateId: id({ resource: true }),
  PartId: id({ absent: 0, resource: true }),
  Order: number({ resource: true }),
  IsInternal: flag({ resource: true }),
  IsZeroPrice: flag({ resource: true }),
  QtyIsPercent: flag({ resource: true, description: 'Quantity is a percentage of the quantity of the proposal.' }),
};

/** A proposal template. */
export const proposalTemplateEntity = entity('ProposalTemplate', {
  Id: id({ resource: true }),
  Name: text({ max: 200, resource: true }),
  IsActive: flag({ absent: true, resource: true }),
  Quantity: quantity({ nullable: true, resource: true }),
  ServiceId: id({ absent: 0, resource: true }),
  ServiceDescription: text({ resource: true }),
  CustomerNote: text({ resource: true }),
  OrganizationId: id({ absent: 0, resource: true }),
  /** Moments are stored in UTC, as in the resource. */
  CreatedAt: text({ required: true }),
  UpdatedAt: text({ required: true }),
  ProposalTemplateLines: listOf(proposalTemplateLine),
});

export const PartTemplate = /* @__PURE__ */ resourceOf(partTemplateEntity);
export type PartTemplate = Output<typeof PartTemplate>;

export const Dimension = /* @__PURE__ */ resourceOf(dimensionEntity);
export type Dimension = Output<typeof Dimension>;

/** The contract does not list the values of MaximumPeriod; they are defined here, and requests may send their index. */
export const BrandingRevenueCategory = /* @__PURE__ */ resourceOf(revenueCategoryEntity, {}, () => ({
  CreatedAt: contract.moment(),
  UpdatedAt: contract.nullable(contract.moment()),
  MaximumPeriod: contract.described(contract.numbered(PERIODS), 'The period of Maximum; None means per invoice.'),
}));
export type BrandingRevenueCategory = Output<typeof BrandingRevenueCategory>;

export const ProposalTemplateLine = /* @__PURE__ */ resourceOf({
  name: 'ProposalTemplateLine',
  declared: proposalTemplateLine,
});

export const ProposalTemplate = /* @__PURE__ */ resourceOf(proposalTemplateEntity, {}, () => ({
  CreatedAt: contract.moment(),
  UpdatedAt: contract.moment(),
  ProposalTemplateLines: contract.many(ProposalTemplateLine),
}));
export type ProposalTemplate = Output<typeof ProposalTemplate>;
