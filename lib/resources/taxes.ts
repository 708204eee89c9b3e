import { described, double, id, text } from './fields.ts';
import { resource, type Output } from './resource.ts';

/** A tax rate of the account. */
export const NamedTaxRate = resource('NamedTaxRate', () => ({
  Id: id(),
  Name: text(100),
  TaxRate: described(double(), 'Percent: 8.875 adds 8.88 to 100.00.'),
}));
export type NamedTaxRate = Output<typeof NamedTaxRate>;
