import { AssemblyItem } from './assemblies.ts';
import { datetime, decimal, described, flag, id, int32, nullable, text } from './fields.ts';
import { PartQtyPricing } from './pricing.ts';
import { many, nested, resource, type Output } from './resource.ts';

/** The option that a part stands for, where parts are choices of one template. */
export const PartTemplate = resource('PartTemplate', () => ({ Id: id(), OptionName: text(200), Selected: flag() }));
export type PartTemplate = Output<typeof PartTemplate>;

/**
 * Something sold with a service, or done in it: material, work, an assembly of both. Its pricing: interface, section 7.
 */
export const Part = resource('Part', () => ({
  Id: id(),
  Name: text(200),
  Description: text(),
  Category: text(200),
  Taxable: flag(),
  RequiredForService: nullable(flag()),
  ExcludeFromMinimum: nullable(described(flag(), 'Does not count towards the MinimumCharge of the service.')),
  RangePricing: described(flag(), 'UnitPrice may be chosen, from UnitPrice to UnitPriceMax.'),
  IsActive: flag(),
  SelfSelect: described(flag(), 'Clients may add it themselves.'),
  IsAssembly: flag(),
  IsAssemblySynchronizePricing: described(flag(), 'The assembly costs what its items cost.'),
  IsInternal: described(flag(), 'Costs, but neither prints nor adds.'),
  IsZeroAssemblyItemPrices: described(flag(), 'The items cost nothing beside the assembly.'),
  UnitPrice: decimal(),
  UnitPriceMax: nullable(decimal()),
  UnitCost: nullable(decimal()),
  UnitDuration: nullable(described(int32(0), 'Minutes for DurationForQtyUnits units.')),
  DurationForQtyUnits: nullable(int32(0)),
  UnitOfMeasure: text(50),
  QuantityOverrideCustomFieldId: nullable(described(id(), 'The custom field whose value is the quantity.')),
  QtyPricing: many(PartQtyPricing),
  AssemblyItems: many(AssemblyItem),
  PartTemplate: nested(PartTemplate),
  StoreItemId: nullable(id()),
  DistributionStart: nullable(datetime()),
  DistributionEnd: nullable(datetime()),
}));
export type Part = Output<typeof Part>;
