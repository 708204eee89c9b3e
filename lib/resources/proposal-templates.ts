import { datetime, described, double, flag, id, int32, nullable, text } from './fields.ts';
import { many, resource, type Output } from './resource.ts';

/** A line that a proposal made from the template begins with. */
export const ProposalTemplateLine = resource('ProposalTemplateLine', () => ({
  Id: id(),
  Option: described(text(200), 'The name of the option that the line belongs to; empty when it always counts.'),
  Quantity: nullable(double()),
  Name: text(200),
  Description: text(),
  ProposalTemplateId: id(),
  PartId: id(),
  Order: int32(),
  IsInternal: flag(),
  IsZeroPrice: flag(),
  QtyIsPercent: described(flag(), 'Quantity is a percentage of the quantity of the proposal.'),
}));
export type ProposalTemplateLine = Output<typeof ProposalTemplateLine>;

/** A proposal prepared for a service. */
export const ProposalTemplate = resource('ProposalTemplate', () => ({
  Id: id(),
  Name: text(200),
  IsActive: flag(),
  Quantity: nullable(double()),
  ServiceId: id(),
  ServiceDescription: text(),
  CustomerNote: text(),
  OrganizationId: id(),
  CreatedAt: datetime(),
  UpdatedAt: datetime(),
  ProposalTemplateLines: many(ProposalTemplateLine),
}));
export type ProposalTemplate = Output<typeof ProposalTemplate>;
