/** Currency by the organization's country; all its amounts are in this currency. */
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

/** The ISO 4217 code for an organization's country. All these currencies have 2 decimals. */
export const currencyOf = (country: string): string => CURRENCIES.get(country) ?? 'USD';
