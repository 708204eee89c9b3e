import { IdName } from './addresses.ts';
import { decimal, id, list, month, text, year } from './fields.ts';
import { type Output, many, nested, resource } from './resource.ts';

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
