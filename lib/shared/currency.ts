/** Currencies by country of the organization; all amounts are in it. */
const CURRENCIES = new Map([
  ['US', 'USD'],
  ['CA', 'CAD'],
  ['GB', 'GBP'],
  ['AU', 'AUD'],
  ['NZ', 'NZD'],
  ['MX', 'MXN'],
  ['IE', 'EUR'],
  ['ES', 'EUR'],
  ['DE', 'EUR'],
  ['FR', 'EUR'],
]);

/** ISO 4217, of an organization's country. Each of them has 2 decimals. */
export const currencyOf = (country: string): string => CURRENCIES.get(country) ?? 'USD';
