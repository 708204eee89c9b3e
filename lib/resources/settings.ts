import type * as z from 'zod';
import { Channel } from './channels.ts';
import { City } from './cities.ts';
import { list, text, type Shape } from './fields.ts';
import { many } from './resource.ts';
import { NamedTaxRate } from './taxes.ts';

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
