import { type RecordOf, entity } from './declaration/entity.ts';
import {
  type ObjectOf,
  customValue,
  date,
  flag,
  id,
  listOf,
  moment,
  number,
  numbers,
  object,
  text,
  texts,
} from './declaration/fields.ts';

const address = { Address1: text(), Address2: text(), City: text(), State: text(), Zip: text() };

const holiday = { Date: date({ required: true }), Name: text() };
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
  Id: id({ download: true }),
  /** Its own id, which filters its events. */
  OrganizationId: id(),
  PublicName: text({ required: true, download: true }),
  InternalName: text({ input: true, download: true }),
  LegalEntityName: text({ input: true, download: true }),
  TaxpayerID: text({
    input: true,
    download: true,
    about: 'empty unless an Owner or Admin key started the download',
    secret: true,
  }),
  PrimaryPhone: text({ input: true, download: true }),
  Email: text({ input: true, download: true }),
  Website: text({ input: true, download: true }),
  LocationID: text({ download: true }),
  /** An IANA name. */
  Timezone: text({ absent: 'America/New_York', download: true }),
  /** ISO 3166 country whose phone numbers are written without a prefix. */
  Country: text({ absent: 'US', download: true }),
  OpenSince: moment({ nullable: true, download: true, event: true }),
  StartAddress: object(address, { nullable: true }),
  /** Miles from StartAddress. */
  Radius: number({ download: true, about: 'miles' }),
  /** Days a slot search looks ahead; 0 for the default of 14. */
  SlotSearchWindowDays: number({ download: true, event: true }),
  BillingAddress: object(address, { nullable: true }),
  /** Minutes between the starts that are offered; null for 30. */
  OpenTimeGranularity: number({ nullable: true, download: true }),
  /** Normalised and comma-separated. A code belongs to one organization of the account. */
  PostalCodes: text({ download: true, about: 'comma-separated' }),
  CancelDate: moment({ nullable: true, download: true }),
  /** Rejects its keys. */
  Suspended: flag({ download: true }),
  TrialExpirationDate: moment({ nullable: true, download: true }),
  BillingPlan: text({ download: true }),
  BillingMethod: number(),
  AccountManagerUserId: id({ nullable: true, download: true }),
  Region: text({ download: true }),
  CustomFields: listOf(customValue),
  /** By date; nobody works then. Only the company file sets them. */
  Holidays: listOf(holiday),
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
