import { datetime, decimal, described, dictionary, flag, id, int32, list, nullable, text } from './fields.ts';
import { Part } from './parts.ts';
import { PricingBand } from './pricing.ts';
import { many, resource, type Output } from './resource.ts';

/**
 * Something the company does: what it costs and how long it takes. Durations are minutes; pricing: interface, section
 * 7.
 */
export const Service = resource('Service', () => ({
  Id: id(),
  Name: text(200),
  Description: text(),
  BasePrice: decimal(),
  UnitPrice: decimal(),
  UnitOfMeasure: text(50),
  UnitDuration: nullable(described(int32(0), 'Minutes a unit, besides Duration.')),
  Category: text(200),
  MinimumCharge: nullable(decimal()),
  Duration: described(int32(0), 'Minutes.'),
  SelfSelect: nullable(described(flag(), 'Clients may book it themselves.')),
  Subscription: flag(),
  Prorating: described(flag(), 'Priced by the part of the season that is left.'),
  SubscriptionVisits: int32(0),
  SubscriptionInterval: nullable(described(int32(0), 'Days between visits.')),
  SeasonStart: nullable(datetime()),
  SeasonExpiration: nullable(datetime()),
  RecurringDescription: text(1000),
  AvailableParts: many(Part),
  PartCategories: list(text(200)),
  PricingBands: many(PricingBand),
  QuantityOverrideCustomFieldId: nullable(described(id(), 'The custom field whose value is the quantity.')),
  UnitPriceOverrideCustomFieldId: nullable(id()),
  DurationOverrideCustomFieldId: nullable(id()),
  // Spelled as in the contract; ServiceDetailed has it right.
  CapacityDemandOverrdieCustomFieldId: nullable(id()),
  MinimumOptions: nullable(described(int32(0), 'Options that must be selected to accept.')),
  MinimumSubtotal: nullable(described(decimal(), 'Subtotal that must be reached to accept.')),
  QuantityFormula: text(500),
  RecordWeatherData: flag(),
  CustomProperties: dictionary(),
}));
export type Service = Output<typeof Service>;
