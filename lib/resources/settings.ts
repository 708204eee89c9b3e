import type * as z from 'zod';
import { City } from './addresses.ts';
import { Channel } from './channels.ts';
import {
  decimal,
  described,
  double,
  extension,
  id,
  list,
  many,
  nullable,
  resource,
  text,
  type Output,
  type Shape,
  type Unchanged,
} from './fields.ts';

/** The response of channels/campaigns and the settings operations: each fills only its own list. */
export const settingsFields = () =>
  ({
    Cities: many(City),
    LeadSourceCategories: many(Channel),
    PostalCodes: list(text(20)),
    Features: list(text(200)),
    Channels: many(Channel),
    NamedTaxRates: many(NamedTaxRate),
  }) satisfies Shape;

export type Settings = {
  readonly [Name in keyof ReturnType<typeof settingsFields>]: Unchanged<
    z.output<ReturnType<typeof settingsFields>[Name]['output']>
  >;
};

export const noSettings: Settings = {
  Cities: [],
  LeadSourceCategories: [],
  PostalCodes: [],
  Features: [],
  Channels: [],
  NamedTaxRates: [],
};

export const MAX_TAX_PARTS = 5;

export const TaxRatePart = resource('TaxRatePart', () => ({
  Name: text(50),
  TaxRate: described(double(), 'Percent.'),
  RegistrationNumber: described(text(50), 'Of the company, for this tax.'),
}));
export type TaxRatePart = Output<typeof TaxRatePart>;

/** A component of the tax on an invoice or a proposal. */
export const TaxPart = resource('TaxPart', () => ({ ...TaxRatePart.shape(), Amount: decimal() }));

export const NamedTaxRate = resource('NamedTaxRate', () => ({
  Id: id(),
  Name: text(100),
  TaxRate: described(double(), 'Percent: 8.875 adds 8.88 to 100.00.'),
  Parts: extension(described(many(TaxRatePart, MAX_TAX_PARTS), 'Taxes that make up the rate; each is rounded itself.')),
}));
export type NamedTaxRate = Output<typeof NamedTaxRate>;

/** A postal code belongs to at most one accounting class of an organization (interface, section 4). */
export const AccountingClassPostalCodes = resource('AccountingClassPostalCodes', () => ({
  Id: nullable(id()),
  AccountingClass: text(100),
  TerritoryID: text(100),
  PostalCodes: list(text(20)),
}));
export type AccountingClassPostalCodes = Output<typeof AccountingClassPostalCodes>;

/** The request of the accounting class operations: one class, or what to search for. */
export const accountingClassFields = () => ({
  NameSearch: described(text(200), 'Words, for get; each must begin a word of the name.'),
  OrganizationId: id(),
  AccountingClassId: id(),
  Name: text(100),
  TerritoryID: text(100),
  PostalCodes: described(list(text(20)), 'The whole list; for get, classes with one of them.'),
});

export const accountingClassMatches = () => ({ Matches: many(AccountingClassPostalCodes) });
