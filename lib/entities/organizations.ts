import { customValue } from './custom-values.ts';
import { type RecordOf, entity } from './entity.ts';
import { type ObjectOf, date, flag, id, listOf, moment, number, numbers, object, text } from './fields.ts';

const address = { Address1: text(), Address2: text(), City: text(), State: text(), Zip: text() };

const holiday = { Date: date({ required: true }), Name: text() };
export type Holiday = ObjectOf<typeof holiday>;

/** A location of an account. */
export const organizationEntity = entity('Organization', {
  Id: id(),
  /** Its own id, which filters its events. */
  OrganizationId: id(),
  PublicName: text({ required: true }),
  InternalName: text(),
  LegalEntityName: text(),
  TaxpayerID: text(),
  PrimaryPhone: text(),
  Email: text(),
  Website: text(),
  LocationID: text(),
  /** An IANA name. */
  Timezone: text({ absent: 'America/New_York' }),
  /** ISO 3166 country whose phone numbers are written without a prefix. */
  Country: text({ absent: 'US' }),
  OpenSince: moment({ nullable: true }),
  StartAddress: object(address, { nullable: true }),
  /** Miles from StartAddress. */
  Radius: number(),
  /** Days a slot search looks ahead; 0 for the default of 14. */
  SlotSearchWindowDays: number(),
  BillingAddress: object(address, { nullable: true }),
  /** Minutes between the starts that are offered; null for 30. */
  OpenTimeGranularity: number({ nullable: true }),
  /** Normalised and comma-separated. A code belongs to one organization of the account. */
  PostalCodes: text(),
  CancelDate: moment({ nullable: true }),
  /** Rejects its keys. */
  Suspended: flag(),
  TrialExpirationDate: moment({ nullable: true }),
  BillingPlan: text(),
  BillingMethod: number(),
  AccountManagerUserId: id({ nullable: true }),
  Region: text(),
  CustomFields: listOf(customValue),
  /** By date; nobody works then. Only the company file sets them. */
  Holidays: listOf(holiday),
  /** Oldest first. A new user or service agent raises the organization's version, which guards their names. */
  UserIds: numbers(),
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
