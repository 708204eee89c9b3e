import { Address } from './addresses.ts';
import { CustomField } from './custom-fields.ts';
import { datetime, described, flag, id, int32, nullable, text } from './fields.ts';
import { many, nested, resource, type Output } from './resource.ts';
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
