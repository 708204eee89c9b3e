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

/** Between which minutes of the clock an agent arrives. */
const arrivalWindow = { From: number({ required: true }), Through: number({ required: true }) };
export type ArrivalWindow = ObjectOf<typeof arrivalWindow>;

/**
 * Why clients cancel a visit, in the languages of their pages; and the name of the account's reason for it, or `''`.
 */
const clientCancelReason = { En: text({ required: true }), Es: text(), CancelReason: text() };
export type ClientCancelReason = ObjectOf<typeof clientCancelReason>;

const branding = {
  /** `#0b5cad`; `''` for the colour of the pages. */
  Color: text(),
  /** The file name of its logo, `<hash>.png` or `.jpg`; `''` without one. */
  Logo: text(),
};

/** A location of an account. */
export const organizationEntity = entity('Organization', {
  Id: id({ resource: true, download: true }),
  /** Its own id, which filters its events. */
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
  /** Normalised. A code belongs to one organization of the account. */
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
  /** Rejects its keys. */
  Suspended: flag({ resource: true, download: true }),
  BillingPlan: text({ max: 100, resource: true, download: true }),
  BillingMethod: code(['Invoice', 'Card', 'Bank debit'], { resource: true }),
  Users: given(),
  CustomFields: listOf(customValue),
  AccountManager: given(),
  Region: text({ max: 100, resource: true, download: true }),
  /** ISO 3166 country whose phone numbers are written without a prefix. */
  Country: text({ absent: 'US', download: true }),
  OpenSince: moment({ nullable: true, download: true, event: true }),
  /** Days a slot search looks ahead; 0 for the default of 14. */
  SlotSearchWindowDays: number({ min: 0, download: true, event: true }),
  AccountManagerUserId: id({ nullable: true, download: true }),
  /** By date; nobody works then. Only the company file sets them. */
  Holidays: listOf(holiday, { event: true }),
  /** What its clients are offered in place of exact times, by From. Only the company file sets them. */
  ArrivalWindows: listOf(arrivalWindow),
  /** Oldest first. A new user or service agent raises the organization's version, which guards their names. */
  UserIds: numbers(),
  /** What its pages for clients look like. Only the company file sets it. */
  Branding: object(branding, { nullable: true }),
  /** Sites that may show its booking page in a frame. Only the company file sets them. */
  BookingOrigins: texts(),
  /** Hours before a visit until which its client may cancel it; `null`: clients cannot. The company file sets it. */
  CancelHours: number({ nullable: true }),
  /** The reasons that its clients choose from; none: those of lib/domain. Only the company file sets them. */
  ClientCancelReasons: listOf(clientCancelReason),
  /** Hours for which a visit that a stranger books waits to be confirmed; 0: none waits. The company file sets it. */
  ConfirmHours: number({ absent: 2 }),
  /** Percent of each day's working time that strangers may book; 0: they cannot. The company file sets it. */
  StrangerShare: number({ absent: 50 }),
  /** Whether the booking page names who comes at each time. The company file sets it. */
  ShowTechnician: flag(),
  /** Minutes, and working days, that clients book ahead at least; null: none. The company file sets them. */
  MinimumNotice: number({ nullable: true }),
  MinimumNoticeDays: number({ nullable: true }),
  /** Days that clients book ahead at most; null: no more than pages allow. The company file sets it. */
  HorizonDays: number({ nullable: true }),
  /** Keys go by notice and horizon, too. The company file sets it. */
  LimitKeys: flag(),
  /** Drives take time besides the buffers of visits; else agents may drive in them. The company file sets it. */
  DrivesAddToBuffers: flag(),
  /** An amount above which clients confirm their phone to sign or pay; `null`: never. The company file sets it. */
  VerifyAbove: number({ nullable: true }),
  /** Whether the credit of a contact pays its open invoices by itself. Only the company file sets it. */
  ApplyCredit: flag(),
  /** How often its booking link was revoked; absent before the first time. */
  LinksRevoked: number({ optional: true }),
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

/** The revenue targets of an organization, by month. */
export const forecastsEntity = entity('Forecast', {
  OrganizationId: id(),
  Forecasts: listOf({ Year: number({ required: true }), Month: number({ required: true }), Target: number() }),
  V: number(),
});
export type OrganizationForecasts = RecordOf<typeof forecastsEntity>;

/** The numbers that an organization gives its invoices; `Next` is null where their ids are their numbers. */
export const invoiceNumbersEntity = entity('InvoiceNumbers', {
  OrganizationId: id(),
  Prefix: text(),
  Next: number({ nullable: true }),
  V: number(),
});
export type InvoiceNumbersRecord = RecordOf<typeof invoiceNumbersEntity>;

/** A name of an organization from one of its words on (lib/domain/organizations.ts). */
export const organizationNameEntity = entity('OrganizationName', { Id: id(), Shared: number() });
