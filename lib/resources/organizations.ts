import { Service } from '../entities/services.ts';
import { ServiceAgent } from '../entities/service-agents.ts';
import { OrganizationDetails } from '../entities/organizations.ts';
import { pick } from '../shared/objects.ts';
import {
  type Input,
  type Output,
  word,
  moment,
  described,
  extension,
  id,
  int32,
  many,
  nullable,
  resource,
  text,
} from './fields.ts';

/** An organization with its people and services, in organizations/create, update, details and cancel. */
export const OrganizationForm = resource('OrganizationForm', () => {
  const details = OrganizationDetails.shape();
  return {
    OrganizationId: nullable(id()),
    LocationId: described(text(100), 'Your own id for the organization, unique in the account.'),
    Name: details.PublicName,
    ...pick(details, 'InternalName', 'LegalEntityName', 'TaxpayerID'),
    OpenSince: nullable(described(moment(), 'Reopens a canceled organization.')),
    ...pick(details, 'PrimaryPhone', 'Email', 'Website', 'Timezone', 'StartAddress', 'Radius'),
    SlotSearchWindowDays: described(int32(0, 60), 'Days a slot search looks ahead; 0 means 14.'),
    ...pick(details, 'BillingAddress', 'OpenTimeGranularity'),
    PostalCodes: described(text(100_000), 'Comma-separated; a code belongs to one organization.'),
    ServiceAgents: many(ServiceAgent),
    Services: many(Service),
    ...pick(details, 'Users', 'CustomFields'),
  };
});
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
