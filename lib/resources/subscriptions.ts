import { Service } from '../entities/services.ts';
import { Part } from '../entities/parts.ts';
import { IdName } from './addresses.ts';
import {
  type Output,
  moment,
  decimal,
  described,
  flag,
  id,
  int32,
  list,
  many,
  localTime,
  nested,
  nullable,
  quantity,
  resource,
  text,
  without,
} from './fields.ts';

export const ProposalDateLine = resource('ProposalDateLine', () => ({
  Id: id(),
  ProposalOptionId: nullable(id()),
  ProposalScheduleDateId: described(id(), 'The visit, as its SubscriptionDate.Id.'),
  SortOrder: int32(),
  Part: nested(IdName),
  Quantity: quantity(),
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

/** The stored variant, with the whole part. */
export const ProposalDateLineDetailed = resource('ProposalDateLineDetailed', () => ({
  ...without(ProposalDateLine, 'Part', 'Internal'),
  PartId: id(),
  Part: nested(Part),
}));

/** A visit of a subscription with its date and price (interface, section 7). */
export const SubscriptionDate = resource('SubscriptionDate', () => ({
  Id: id(),
  Label: text(200),
  Date: moment(),
  Service: nested(IdName),
  ServiceId: nullable(id()),
  DateIso: described(text(64), 'YYYY-MM-DD.'),
  DateStr: described(text(64), 'M/D/YYYY.'),
  DateFriendly: described(text(64), 'For display: Sun, Mar 8 2026.'),
  BasePrice: nullable(decimal()),
  UnitPrice: nullable(decimal()),
  SelectedDate: localTime(),
  Subtotal: decimal(),
  TaxableSubtotal: decimal(),
  Duration: described(text(50), 'Minutes, as text.'),
  InternalNotes: text(),
  IsExcludeFromProRating: flag(),
  IsRecurringMaster: described(flag(), 'The first visit.'),
  IsRecurringShadow: described(flag(), 'A visit generated from the first.'),
  Lines: many(ProposalDateLine),
  AlternateDates: described(list(moment()), 'Alternative dates of the visit.'),
}));
export type SubscriptionDate = Output<typeof SubscriptionDate>;

/** The stored variant, with the whole service and detailed lines. */
export const SubscriptionDateDetailed = resource('SubscriptionDateDetailed', () => ({
  ...without(SubscriptionDate, 'Service', 'Lines'),
  Service: nested(Service),
  Lines: many(ProposalDateLineDetailed),
}));
