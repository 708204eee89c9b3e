import type * as z from 'zod';
import { City, IdName } from './addresses.ts';
import { Channel } from './channels.ts';
import { type Shape, decimal, described, double, id, list, month, nullable, text, year } from './fields.ts';
import { type Output, many, nested, resource } from './resource.ts';

/** What channels/campaigns and the settings operations answer: each fills its own list and leaves the others empty. */
export const settingsFields = () =>
  ({
    Cities: many(City),
    LeadSourceCategories: many(Channel),
    PostalCodes: list(text(20)),
    Features: list(text(200)),
    Channels: many(Channel),
    NamedTaxRates: many(NamedTaxRate),
  }) satisfies Shape;

/** Those lists, as they are answered. */
export type Settings = {
  readonly [Name in keyof ReturnType<typeof settingsFields>]: z.output<
    ReturnType<typeof settingsFields>[Name]['output']
  >;
};

/** All the lists with nothing in them. */
export const noSettings: Settings = {
  Cities: [],
  LeadSourceCategories: [],
  PostalCodes: [],
  Features: [],
  Channels: [],
  NamedTaxRates: [],
};

/** A tax rate of the account. */
export const NamedTaxRate = resource('NamedTaxRate', () => ({
  Id: id(),
  Name: text(100),
  TaxRate: described(double(), 'Percent: 8.875 adds 8.88 to 100.00.'),
}));
export type NamedTaxRate = Output<typeof NamedTaxRate>;

/** The revenue that an organization aims at in a month. */
export const Forecast = resource('Forecast', () => ({ Year: year(), Month: month(), Target: decimal() }));
export type Forecast = Output<typeof Forecast>;

/** The forecasts of one organization, as datasubscriber/forecasts lists them. */
export const OrganizationForecast = resource('OrganizationForecast', () => ({
  Organization: nested(IdName),
  Forecasts: many(Forecast),
}));
export type OrganizationForecast = Output<typeof OrganizationForecast>;

/**
 * An accounting class and the postal codes booked under it; a code belongs to at most one class an organization
 * (interface, section 4).
 */
export const AccountingClassPostalCodes = resource('AccountingClassPostalCodes', () => ({
  Id: nullable(id()),
  AccountingClass: text(100),
  TerritoryID: text(100),
  PostalCodes: list(text(20)),
}));
export type AccountingClassPostalCodes = Output<typeof AccountingClassPostalCodes>;
