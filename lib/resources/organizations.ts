import { Address } from './addresses.ts';
import { CustomField } from './custom-fields.ts';
import { datetime, described, flag, id, int32, nullable, text } from './fields.ts';
import { many, nested, resource, type Input, type Output } from './resource.ts';
import { ServiceAgent } from './service-agents.ts';
import { Service } from './services.ts';
import { User } from './users.ts';

/** A location of the account, as organizations/query lists it. */
export const OrganizationDetails = resource('OrganizationDetails', () => ({
  Id: id(),
  PublicName: text(200),
  InternalName: text(200),
  LegalEntityName: text(200),
  TaxpayerID: text(100),
  PrimaryPhone: text(50),
  Email: text(254),
  Website: text(2048),
  Timezone: described(text(64), 'An IANA name: America/New_York.'),
  StartAddress: described(nested(Address), 'Where the day of an agent begins.'),
  Radius: described(int32(0), 'Miles from StartAddress.'),
  BillingAddress: nested(Address),
  OpenTimeGranularity: nullable(described(int32(1, 1440), 'Minutes between the starts that are offered; null for 30.')),
  PostalCodes: described(text(100_000), 'Comma-separated.'),
  LocationID: text(100),
  CancelDate: nullable(datetime()),
  TrialExpirationDate: nullable(datetime()),
  Suspended: flag(),
  BillingPlan: text(100),
  BillingMethod: described(int32(0, 2), '0 Invoice, 1 Card, 2 Bank debit.'),
  Users: many(User),
  CustomFields: many(CustomField),
  AccountManager: nested(User),
  Region: text(100),
}));
export type OrganizationDetails = Output<typeof OrganizationDetails>;

/**
 * An organization with its people and services, as organizations/create, update, details and cancel take and answer it.
 */
export const OrganizationForm = resource('OrganizationForm', () => ({
  OrganizationId: nullable(id()),
  LocationId: described(text(100), 'Your own id of the organization, unique in the account.'),
  Name: text(200),
  InternalName: text(200),
  LegalEntityName: text(200),
  TaxpayerID: text(100),
  OpenSince: nullable(described(datetime(), 'Reopens a canceled organization.')),
  PrimaryPhone: text(50),
  Email: text(254),
  Website: text(2048),
  Timezone: described(text(64), 'An IANA name: America/New_York.'),
  StartAddress: described(nested(Address), 'Where the day of an agent begins.'),
  Radius: described(int32(0), 'Miles from StartAddress.'),
  SlotSearchWindowDays: described(int32(0, 60), 'Days a slot search looks ahead; 0 for 14.'),
  BillingAddress: nested(Address),
  OpenTimeGranularity: nullable(described(int32(1, 1440), 'Minutes between the starts that are offered; null for 30.')),
  PostalCodes: described(text(100_000), 'Comma-separated; a code belongs to one organization.'),
  ServiceAgents: many(ServiceAgent),
  Services: many(Service),
  Users: many(User),
  CustomFields: many(CustomField),
}));
export type OrganizationForm = Output<typeof OrganizationForm>;
export type OrganizationInput = Input<typeof OrganizationForm>;
