import type { CustomField } from '../../resources/custom-fields.ts';
import type { OrganizationDetails, OrganizationForm } from '../../resources/organizations.ts';
import { customFieldsOf } from '../custom-fields.ts';
import { toUtc } from '../moments-out.ts';
import type { OrganizationRecord } from '../organizations.ts';
import { userOf, type UserRecord } from '../users.ts';

const momentOf = (at: number | null): string | null => (at === null ? null : toUtc(at));

/** What belongs to an organization and is kept beside it. */
export interface Belongings {
  readonly agents: OrganizationForm['ServiceAgents'];
  readonly services: OrganizationForm['Services'];
  readonly users: OrganizationForm['Users'];
  readonly customFields: readonly CustomField[];
}

/** An organization with its people and services, as organizations/create, update, details and cancel answer it. */
export function formOf(record: OrganizationRecord, { agents, services, users, customFields }: Belongings): OrganizationForm {
  const { InternalName, LegalEntityName, TaxpayerID, PrimaryPhone, Email, Website, Timezone, StartAddress, Radius, SlotSearchWindowDays, BillingAddress } = record;
  return {
    OrganizationId: record.Id, LocationId: record.LocationID, Name: record.PublicName, InternalName, LegalEntityName, TaxpayerID, OpenSince: momentOf(record.OpenSince),
    PrimaryPhone, Email, Website, Timezone, StartAddress, Radius, SlotSearchWindowDays, BillingAddress, OpenTimeGranularity: record.OpenTimeGranularity,
    PostalCodes: record.PostalCodes, ServiceAgents: agents, Services: services, Users: users, CustomFields: customFieldsOf(record.CustomFields, customFields),
  };
}

/** An organization as organizations/query lists it; `users` are those of all the organizations listed. */
export function detailsOf(record: OrganizationRecord, { users, customFields }: { users: ReadonlyMap<number, UserRecord>; customFields: readonly CustomField[] }): OrganizationDetails {
  const { OrganizationId: _, V: __, Created: ___, Country: ____, OpenSince: _____, SlotSearchWindowDays: ______, UserIds, AccountManagerUserId, ...details } = record;
  const manager = AccountManagerUserId === null ? undefined : users.get(AccountManagerUserId);
  return {
    ...details,
    CancelDate: momentOf(record.CancelDate),
    TrialExpirationDate: momentOf(record.TrialExpirationDate),
    Users: UserIds.flatMap((id) => users.get(id) ?? []).map(userOf),
    CustomFields: customFieldsOf(record.CustomFields, customFields),
    AccountManager: manager ? userOf(manager) : null,
  };
}
