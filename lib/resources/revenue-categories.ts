import { datetime, decimal, described, flag, id, nullable, text, word } from './fields.ts';
import { resource, type Output } from './resource.ts';

/**
 * A category of revenue of which the brand takes a share: Percentage of it, or PerInvoiceAmount, within Minimum and
 * Maximum.
 */
export const BrandingRevenueCategory = resource('BrandingRevenueCategory', () => ({
  Id: id(),
  Name: text(200),
  Group: text(200),
  Percentage: decimal(),
  CreatedAt: datetime(),
  UpdatedAt: nullable(datetime()),
  IsTotalSales: described(flag(), 'Reckoned on all sales, not on those of the category.'),
  IsExcludedFromMinimum: flag(),
  ExcludeFromTotal: flag(),
  IsActive: flag(),
  PerInvoiceAmount: nullable(decimal()),
  Maximum: nullable(decimal()),
  // The contract does not show this value set; these are ours, 0 to 3 in this order.
  MaximumPeriod: described(
    word(['None', 'Month', 'Quarter', 'Year']),
    'The time for which Maximum is; None: an invoice.',
  ),
  Minimum: nullable(decimal()),
}));
export type BrandingRevenueCategory = Output<typeof BrandingRevenueCategory>;
