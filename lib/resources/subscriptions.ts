import { IdName } from './addresses.ts';
import { datetime, decimal, described, double, flag, id, int32, list, moment, nullable, text } from './fields.ts';
import { Part } from './parts.ts';
import { type Output, many, nested, resource, without } from './resource.ts';
import { Service } from './services.ts';

/** A line of one visit of a subscription. */
export const ProposalDateLine = resource('ProposalDateLine', () => ({
  Id: id(),
  ProposalOptionId: nullable(id()),
  ProposalScheduleDateId: described(id(), 'The visit, as its SubscriptionDate.Id.'),
  SortOrder: int32(),
  Part: nested(IdName),
  Quantity: double(),
  UnitPrice: decimal(),
  UnitCost: decimal(),
  Extended: decimal(),
  Taxable: flag(),
  Tax: decimal(),
  Duration: nullable(described(int32(0), 'Minutes.')),
  Internal: nullable(flag()),
  Description: text(),
  Notes: text(),
  OptionName: text(200),
}));
export type ProposalDateLine = Output<typeof ProposalDateLine>;

/** The variant with the whole part: what a visit is kept as, where its parts are needed and not only their names. */
export const ProposalDateLineDetailed = resource('ProposalDateLineDetailed', () => ({
  ...without(ProposalDateLine, 'Part', 'Internal'),
  PartId: id(),
  Part: nested(Part),
}));
export type ProposalDateLineDetailed = Output<typeof ProposalDateLineDetailed>;

/** A visit of a subscription, as proposal/quote dates and prices it (interface, section 7). */
export const SubscriptionDate = resource('SubscriptionDate', () => ({
  Id: id(),
  Label: text(200),
  Date: datetime(),
  Service: nested(IdName),
  ServiceId: nullable(id()),
  DateIso: described(text(64), 'YYYY-MM-DD.'),
  DateStr: described(text(64), 'M/D/YYYY.'),
  DateFriendly: described(text(64), 'For people: Sun, Mar 8 2026.'),
  BasePrice: nullable(decimal()),
  UnitPrice: nullable(decimal()),
  SelectedDate: moment(),
  Subtotal: decimal(),
  TaxableSubtotal: decimal(),
  Duration: described(text(50), 'Minutes, as text.'),
  InternalNotes: text(),
  IsExcludeFromProRating: flag(),
  IsRecurringMaster: described(flag(), 'The first visit.'),
  IsRecurringShadow: described(flag(), 'A visit that follows from the first.'),
  Lines: many(ProposalDateLine),
  AlternateDates: described(list(datetime()), 'Other days on which the visit could be.'),
}));
export type SubscriptionDate = Output<typeof SubscriptionDate>;

/** The variant with the whole service: what a visit is kept as. Its lines are of the detailed form too. */
export const SubscriptionDateDetailed = resource('SubscriptionDateDetailed', () => ({
  ...without(SubscriptionDate, 'Service', 'Lines'),
  Service: nested(Service),
  Lines: many(ProposalDateLineDetailed),
}));
export type SubscriptionDateDetailed = Output<typeof SubscriptionDateDetailed>;
