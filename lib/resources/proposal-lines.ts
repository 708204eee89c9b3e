import { CustomField } from './custom-fields.ts';
import { decimal, described, double, flag, id, int32, nullable, text } from './fields.ts';
import { Part } from './parts.ts';
import { many, nested, resource, type Output } from './resource.ts';

/** A choice of lines that a client can select; its lines count only when it is selected. */
export const ProposalOption = resource('ProposalOption', () => ({ Id: id(), Name: text(200), Selected: flag() }));
export type ProposalOption = Output<typeof ProposalOption>;

/** A line of a proposal. ExtendedTotal and LineTax are worked out, whatever a request says (interface, section 7). */
export const ProposalLine = resource('ProposalLine', () => ({
  Id: id(),
  Quantity: nullable(described(double(), 'In an update 0 takes the line away.')),
  UnitPrice: nullable(decimal()),
  UnitCost: nullable(decimal()),
  RatePercent: nullable(described(double(), 'The line costs this percentage of the other lines.')),
  MaxDiscount: nullable(decimal()),
  ExtendedTotal: decimal(),
  LineTax: decimal(),
  Taxable: flag(),
  IsInternal: nullable(described(flag(), 'Costs, but neither prints nor adds.')),
  Discount: nullable(decimal()),
  LineDescription: text(),
  Notes: text(),
  SortIndex: int32(),
  AssemblyLineId: nullable(described(id(), 'The line of the assembly that this one was expanded from.')),
  Part: nested(Part),
  ProposalOption: nested(ProposalOption),
  CustomFields: many(CustomField),
}));
export type ProposalLine = Output<typeof ProposalLine>;
