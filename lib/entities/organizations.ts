import type { ObjectOf } from './declaration/field.ts';
import { Address } from '../resources/addresses.ts';
import { CustomField } from '../resources/custom-fields.ts';
import * as contract from '../resources/fields.ts';
import type { Output } from '../resources/fields.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import {
  code,
  customValue,
  date,
  flag,
  given,
  id,
  listOf,
  moment,
  number,
  numbers,
  object,
  phone,
  text,
  texts,
} from './declaration/fields.ts';
import { eventDataOf, resourceOf } from './declaration/resource.ts';
import { User } from './users.ts';

const address = { Address1: text(), Address2: text(), City: text(), State: text(), Zip: text() };

/** A day on which an organization does not work. */
const holiday = { Date: date({ required: true, resource: true }), Name: text({ resource: true }) };
export type Holiday = ObjectOf<typeof holiday>;

/** The minutes of the day between which an agent arrives. */
const arrivalWindow = { From: number({ required: true }), Through: number({ required: true }) };
export type ArrivalWindow = ObjectOf<typeof arrivalWindow>;

/**
 * A reason why clients cancel visits, in the languages of their pages, with the matching reason of the account, or
 * `''`.
 */
const clientCancelReason = { En: text({ required: true }), Es: text(), CancelReason: text() };
export type ClientCancelReason = ObjectOf<typeof clientCancelReason>;

const branding = {
  /** `#0b5cad`; `''` for the pages' default color. */
  Color: text(),
  /** File name of the logo, `<hash>.png` or `.jpg`; `''` without one. */
  Logo: text(),
};

/** What calendars show of a visit, besides its time, place and client. */
const calendar = { Phones: flag({ absent: true }), Notes: flag() };
export type CalendarSettings = ObjectOf<typeof calendar>;

/** A location of an account. */
export const organizationEntity = entity('Organization', {
  Id: id({ resource: true, download: true }),
  /** Its own id, by which its events are filtered. */
  OrganizationId: id(),
  PublicName: text({ max: 200, required: true, resource: true, download: true }),
  InternalName: text({ max: 200, resource: true, input: true, download: true }),
  LegalEntityName: text({ max: 200, resource: true, input: true, download: true }),
  TaxpayerID: text({
    max: 100,
    resource: true,
    input: true,
    download: true,
    about: 'empty unless an Owner or Admin key started the download',
    secret: true,
  }),
  PrimaryPhone: phone({ resource: true, input: true, download: true }),
  Email: text({ max: 254, resource: true, input: true, download: true }),
  Website: text({ max: 2048, resource: true, input: true, download: true }),
  Timezone: text({
    max: 64,
    absent: 'America/New_York',
    resource: true,
    download: true,
    description: 'An IANA name: America/New_York.',
  }),
  StartAddress: object(address, { nullable: true, resource: true }),
  Radius: number({ min: 0, resource: true, download: true, about: 'miles', description: 'Miles from StartAddress.' }),
  BillingAddress: object(address, { nullable: true, resource: true }),
  OpenTimeGranularity: number({
    min: 1,
    max: 1440,
    nullable: true,
    resource: true,
    download: true,
    description: 'Minutes between offered start times; null means 30.',
  }),
  /** Normalized. A code belongs to only one organization of the account. */
  PostalCodes: text({
    max: 100_000,
    resource: true,
    download: true,
    about: 'comma-separated',
    description: 'Comma-separated.',
  }),
  LocationID: text({ max: 100, resource: true, download: true }),
  CancelDate: moment({ nullable: true, resource: true, download: true }),
  TrialExpirationDate: moment({ nullable: true, resource: true, download: true }),
  /** Whether its keys are refused. */
  Suspended: flag({ resource: true, download: true }),
  BillingPlan: text({ max: 100, resource: true, download: true }),
  BillingMethod: code(['Invoice', 'Card', 'Bank debit'], { resource: true, download: true }),
  Users: given(),
  CustomFields: listOf(customValue),
  AccountManager: given(),
  Region: text({ max: 100, resource: true, download: true }),
  /** ISO 3166 country whose phone numbers are written without a prefix. */
  Country: text({ absent: 'US', download: true }),
  OpenSince: moment({ nullable: true, download: true, event: true }),
  /** Days that a slot search looks ahead; 0 for the default of 14. */
  SlotSearchWindowDays: number({ min: 0, download: true, event: true }),
  AccountManagerUserId: id({ nullable: true, download: true }),
  /** Days on which nobody works, by date. Set only by the company file. */
  Holidays: listOf(holiday, { event: true }),
  /** The windows that clients are offered instead of exact times, by From. Set only by the company file. */
  ArrivalWindows: listOf(arrivalWindow),
  /** Oldest first. A new user or service agent increments the organization's version, which guards their names. */
  UserIds: numbers(),
  /** The appearance of its client pages. Set only by the company file. */
  Branding: object(branding, { nullable: true }),
  /** Sites that may embed its booking page in a frame. Set only by the company file. */
  BookingOrigins: texts(),
  /** Hours before a visit until which its client may cancel; `null` if clients cannot. Set by the company file. */
  CancelHours: number({ nullable: true }),
  /** The reasons that clients choose from; empty for the defaults in lib/domain. Set only by the company file. */
  ClientCancelReasons: listOf(clientCancelReason),
  /** Hours that a stranger's booking waits for confirmation; 0 for no waiting. Set by the company file. */
  ConfirmHours: number({ absent: 2 }),
  /** Percentage of each day's working time that strangers may book; 0 for none. Set by the company file. */
  StrangerShare: number({ absent: 50 }),
  /** Whether the booking page names the agent for each time. Set by the company file. */
  ShowTechnician: flag(),
  /** Minimum notice for clients' bookings in minutes and in working days; null for none. Set by the company file. */
  MinimumNotice: number({ nullable: true }),
  MinimumNoticeDays: number({ nullable: true }),
  /** Days that clients may book ahead; null for the limit of the pages. Set by the company file. */
  HorizonDays: number({ nullable: true }),
  /** Whether notice and horizon apply to keys too. Set by the company file. */
  LimitKeys: flag(),
  /**
   * Whether drives take time in addition to buffers; otherwise agents may drive during them. Set by the company file.
   */
  DrivesAddToBuffers: flag(),
  /** Amount above which clients confirm their phone to sign or pay; `null` for never. Set by the company file. */
  VerifyAbove: number({ nullable: true }),
  /** Whether a contact's credit pays its open invoices automatically. Set only by the company file. */
  ApplyCredit: flag(),
  /** What calendars of its visits show; `null` for the default. Set only by the company file. */
  Calendar: object(calendar, { nullable: true }),
  /** How often its booking link was revoked; absent until the first time. */
  LinksRevoked: number({ optional: true }),
  /** How often the address of its calendar was revoked; absent until the first time. */
  CalendarLinksRevoked: number({ optional: true }),
  Created: moment(),
  V: number(),
});
export type OrganizationRecord = RecordOf<typeof organizationEntity>;

/** An organization in organizations/query. */
export const OrganizationDetails = /* @__PURE__ */ resourceOf(
  organizationEntity,
  { title: 'OrganizationDetails' },
  () => ({
    StartAddress: contract.described(contract.nested(Address), 'Where an agent starts the day.'),
    BillingAddress: contract.nested(Address),
    Users: contract.many(User),
    CustomFields: contract.many(CustomField),
    AccountManager: contract.nested(User),
  }),
);
export type OrganizationDetails = Output<typeof OrganizationDetails>;

export const EventHoliday = /* @__PURE__ */ resourceOf({ name: 'EventHoliday', declared: holiday });

/** An organization without its people, who have events of their own. */
export const OrganizationEventData = /* @__PURE__ */ eventDataOf(
  organizationEntity,
  { shape: () => contract.without(OrganizationDetails, 'Users', 'AccountManager') },
  () => ({
    Holidays: contract.described(contract.many(EventHoliday), 'The days without work, from the company file.'),
  }),
);

/** The monthly revenue targets of an organization. */
export const forecastsEntity = entity('Forecast', {
  OrganizationId: id(),
  Forecasts: listOf({ Year: number({ required: true }), Month: number({ required: true }), Target: number() }),
  V: number(),
});
export type OrganizationForecasts = RecordOf<typeof forecastsEntity>;

/** The invoice numbers that an organization assigns; `Next` is null if invoice ids serve as numbers. */
export const invoiceNumbersEntity = entity('InvoiceNumbers', {
  OrganizationId: id(),
  Prefix: text(),
  Next: number({ nullable: true }),
  V: number(),
});
export type InvoiceNumbersRecord = RecordOf<typeof invoiceNumbersEntity>;

/** An organization's name, starting at one of its words (lib/domain/organizations.ts). */
export const organizationNameEntity = entity('OrganizationName', { Id: id(), Shared: number() });
