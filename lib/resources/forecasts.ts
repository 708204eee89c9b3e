import { decimal, month, year } from './fields.ts';
import { IdName } from './names.ts';
import { many, nested, resource, type Output } from './resource.ts';

/** The revenue that an organization aims at in a month. */
export const Forecast = resource('Forecast', () => ({ Year: year(), Month: month(), Target: decimal() }));
export type Forecast = Output<typeof Forecast>;

/** The forecasts of one organization, as datasubscriber/forecasts lists them. */
export const OrganizationForecast = resource('OrganizationForecast', () => ({
  Organization: nested(IdName),
  Forecasts: many(Forecast),
}));
export type OrganizationForecast = Output<typeof OrganizationForecast>;
