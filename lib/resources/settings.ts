import type * as z from 'zod';
import { City } from './addresses.ts';
import { Channel } from './channels.ts';
import {
  type Output,
  type Shape,
  type Unchanged,
  described,
  double,
  id,
  list,
  many,
  nullable,
  resource,
  text,
} from './fields.ts';

/** The answer of channels/campaigns and the settings operations: each fills its own list only. */
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

export const NamedTaxRate = resource('NamedTaxRate', () => ({
  Id: id(),
  Name: text(100),
  TaxRate: described(double(), 'Percent: 8.875 adds 8.88 to 100.00.'),
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
