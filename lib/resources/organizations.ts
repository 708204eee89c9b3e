import { ServiceAgent } from '../entities/service-agents.ts';
import { User } from '../entities/users.ts';
import { Address } from './addresses.ts';
import { CustomField } from './custom-fields.ts';
import {
  type Input,
  type Output,
  word,
  code,
  date,
  moment,
  described,
  extension,
  flag,
  id,
  int32,
  many,
  nested,
  nullable,
  phone,
  resource,
  text,
} from './fields.ts';
import { Service } from './services.ts';

/** An organization in organizations/query. */
export const OrganizationDetails = resource('OrganizationDetails', () => ({
  Id: id(),
  PublicName: text(200),
  InternalName: text(200),
  LegalEntityName: text(200),
  TaxpayerID: text(100),
  PrimaryPhone: phone(),
  Email: text(254),
  Website: text(2048),
  Timezone: described(text(64), 'An IANA name: America/New_York.'),
  StartAddress: described(nested(Address), 'Where an agent starts the day.'),
  Radius: described(int32(0), 'Miles from StartAddress.'),
  BillingAddress: nested(Address),
  OpenTimeGranularity: nullable(described(int32(1, 1440), 'Minutes between offered start times; null means 30.')),
  PostalCodes: described(text(100_000), 'Comma-separated.'),
  LocationID: text(100),
  CancelDate: nullable(moment()),
  TrialExpirationDate: nullable(moment()),
  Suspended: flag(),
  BillingPlan: text(100),
  BillingMethod: code(['Invoice', 'Card', 'Bank debit']),
  Users: many(User),
  CustomFields: many(CustomField),
  AccountManager: nested(User),
  Region: text(100),
}));
export type OrganizationDetails = Output<typeof OrganizationDetails>;

/** An organization with its people and services, in organizations/create, update, details and cancel. */
export const OrganizationForm = resource('OrganizationForm', () => ({
  OrganizationId: nullable(id()),
  LocationId: described(text(100), 'Your own id for the organization, unique in the account.'),
  Name: text(200),
  InternalName: text(200),
  LegalEntityName: text(200),
  TaxpayerID: text(100),
  OpenSince: nullable(described(moment(), 'Reopens a canceled organization.')),
  PrimaryPhone: phone(),
  Email: text(254),
  Website: text(2048),
  Timezone: described(text(64), 'An IANA name: America/New_York.'),
  StartAddress: described(nested(Address), 'Where an agent starts the day.'),
  Radius: described(int32(0), 'Miles from StartAddress.'),
  SlotSearchWindowDays: described(int32(0, 60), 'Days a slot search looks ahead; 0 means 14.'),
  BillingAddress: nested(Address),
  OpenTimeGranularity: nullable(described(int32(1, 1440), 'Minutes between offered start times; null means 30.')),
  PostalCodes: described(text(100_000), 'Comma-separated; a code belongs to one organization.'),
  ServiceAgents: many(ServiceAgent),
  Services: many(Service),
  Users: many(User),
  CustomFields: many(CustomField),
}));
export type OrganizationForm = Output<typeof OrganizationForm>;
export type OrganizationInput = Input<typeof OrganizationForm>;

/** The result of a users/bulk operation for one user. */
export const BulkMfaResult = resource('BulkMfaResult', () => ({
  UserId: id(),
  Status: word(['NotFound', 'Enabled', 'AlreadyEnabled', 'Disabled', 'AlreadyDisabled', 'Reset']),
  SignIn: extension(
    described(
      word(['None', 'Done', 'NotFound', 'Pending']),
      'What the sign-in did: nothing, because none is connected; the same; it has no such person; or not yet, and ' +
        'Message says what repeats it.',
    ),
  ),
}));
export type BulkMfaResult = Output<typeof BulkMfaResult>;
