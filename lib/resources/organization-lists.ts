import { IdName } from './addresses.ts';
import { type Output, decimal, id, list, many, month, nested, resource, text, year } from './fields.ts';

/** The target revenue of an organization in a month. */
export const Forecast = resource('Forecast', () => ({ Year: year(), Month: month(), Target: decimal() }));
export type Forecast = Output<typeof Forecast>;

/** The revenue targets of one organization, by month, in datasubscriber/forecasts. */
export const OrganizationForecast = resource('OrganizationForecast', () => ({
  Organization: nested(IdName),
  Forecasts: many(Forecast),
}));

/** The postal codes of one organization, in datasubscriber/postalcodes. */
export const OrganizationPostalCodes = resource('OrganizationPostalCodes', () => ({
  OrganizationId: id(),
  LocationID: text(100),
  Name: text(200),
  PostalCodes: list(text(20), 50_000),
}));
