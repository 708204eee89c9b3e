/**
 * The one pricing engine: a service at a quantity with its lines, discounts, tax and options, exact to the cent and the
 * same wherever a price is shown. The rules are a file each in `pricing/`; docs/decisions/0009-pricing.md has them in words.
 */
export { price } from './pricing/price.ts';
export type {
  LineRequest,
  OptionTotals,
  Priced,
  PricedField,
  PricedLine,
  PriceError,
  PriceRequest,
  Totals,
} from './pricing/types.ts';
