import type * as z from 'zod';
import { AccountingClassPostalCodes } from '../entities/postal-codes.ts';
import { NamedTaxRate } from '../entities/tax-rates.ts';
import { City } from './addresses.ts';
import { Channel } from './channels.ts';
import { described, id, list, many, text, type Shape, type Unchanged } from './fields.ts';

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
