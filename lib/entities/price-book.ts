import { type RecordOf, entity } from './declaration/entity.ts';
import { flag, id, listOf, number, numbers, properties, text, texts, word } from './declaration/fields.ts';

/** The versions of a price book and of its parts; earlier versions counted only those of the book. */
export const bookRevisionEntity = entity('BookRevision', { V: number(), Parts: number({ optional: true }) });

/** An entry in a list of the price book; its key names the kind of record. */
export const bookEntryEntity = entity('BookEntry', { Of: properties({ required: true }) });

/** The option that a part represents, if several parts are choices of one template. */
export const partTemplateEntity = entity('PartTemplate', { Id: id(), OptionName: text(), Selected: flag() });

/** A measured attribute of parts. Without PartIds it applies to every part. */
export const dimensionEntity = entity('Dimension', {
  Id: id(),
  Name: text(),
  UnitOfMeasure: text(),
  Minimum: number({ nullable: true }),
  Maximum: number({ nullable: true }),
  Step: number({ nullable: true }),
  Options: texts(),
  PartIds: numbers(),
});
export type DimensionRecord = RecordOf<typeof dimensionEntity>;

/** A revenue category; moments are UTC. */
export const revenueCategoryEntity = entity('BrandingRevenueCategory', {
  Id: id(),
  Name: text(),
  Group: text(),
  Percentage: number(),
  CreatedAt: text({ required: true }),
  UpdatedAt: text({ nullable: true }),
  IsTotalSales: flag(),
  IsExcludedFromMinimum: flag(),
  ExcludeFromTotal: flag(),
  IsActive: flag({ absent: true }),
  PerInvoiceAmount: number({ nullable: true }),
  Maximum: number({ nullable: true }),
  MaximumPeriod: word(['None', 'Month', 'Quarter', 'Year']),
  Minimum: number({ nullable: true }),
});

/** A line of a proposal template: a part, or a text without a part. */
export const proposalTemplateLine = {
  Id: id(),
  Option: text(),
  Quantity: number({ nullable: true }),
  Name: text(),
  Description: text(),
  ProposalTemplateId: id(),
  PartId: id({ absent: 0 }),
  Order: number(),
  IsInternal: flag(),
  IsZeroPrice: flag(),
  QtyIsPercent: flag(),
};

/** A proposal template; moments are UTC. */
export const proposalTemplateEntity = entity('ProposalTemplate', {
  Id: id(),
  Name: text(),
  IsActive: flag({ absent: true }),
  Quantity: number({ nullable: true }),
  ServiceId: id({ absent: 0 }),
  ServiceDescription: text(),
  CustomerNote: text(),
  OrganizationId: id({ absent: 0 }),
  CreatedAt: text({ required: true }),
  UpdatedAt: text({ required: true }),
  ProposalTemplateLines: listOf(proposalTemplateLine),
});
