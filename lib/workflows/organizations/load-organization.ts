import type { Caller } from '../../store/caller.ts';
import { type OrganizationRecord, organizationToDetails, organizationToForm } from '../../domain/organizations.ts';
import type { ServiceRecord } from '../../domain/pricebook/record.ts';
import { serviceToResource } from '../../domain/pricebook/service-to-resource.ts';
import { serviceAgentToResource } from '../../domain/service-agents.ts';
import { userToResource } from '../../domain/users.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { OrganizationDetails, OrganizationForm } from '../../resources/organizations.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import { toKeyText } from '../../shared/text.ts';
import { findOnlyOrganization } from '../../store/accounts.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { findLocation, findOrganization } from '../../store/organizations.ts';
import { listRecentSettings } from '../../store/settings.ts';
import { listUsers } from '../../store/users.ts';
import type { OrganizationUpsert, WholeOrganization } from './upsert-organization.ts';

/** Organizations as organizations/query lists them, with all their users, which are read side by side. */
export async function loadOrganizationDetails(
  table: TableReader,
  account: string,
  records: readonly OrganizationRecord[],
  now: Date,
): Promise<OrganizationDetails[]> {
  const managers = records.flatMap(({ AccountManagerUserId }) => AccountManagerUserId ?? []);
  const ids = [...records.flatMap(({ UserIds }) => UserIds), ...managers];
  const [users, customFields] = await Promise.all([
    listUsers(table, account, ids),
    listRecentSettings<CustomField>(table, account, 'CustomField', now),
  ]);
  const byId = new Map(users.map((user) => [user.Id, user]));
  return records.map((record) => organizationToDetails(record, { users: byId, customFields }));
}

/** What names an organization in a request. */
interface Named {
  readonly OrganizationId?: number | null | undefined;
  readonly LocationId?: string | null | undefined;
}

/** The key's own organization, or the only one there is. */
const implied = async (
  table: TableReader,
  { accountId, organizationId }: Caller,
  now: Date,
): Promise<number | undefined> => organizationId ?? (await findOnlyOrganization(table, accountId, now));

async function idOf(
  table: TableReader,
  caller: Caller,
  { OrganizationId, LocationId }: Named,
  now: Date,
  mayRename: boolean,
): Promise<number> {
  if (OrganizationId) return OrganizationId;
  const located = LocationId ? await findLocation(table, caller.accountId, LocationId) : undefined;
  if (located !== undefined && (caller.organizationId ?? located) === located) return located;
  if (LocationId && (located !== undefined || !mayRename)) throw notFound('organization', 'LocationId', LocationId);
  const id = await implied(table, caller, now);
  if (id !== undefined) return id;
  if (LocationId) throw notFound('organization', 'LocationId', LocationId);
  throw invalid({
    field: 'OrganizationId',
    message: 'is required, or LocationId, because the account has several organizations',
  });
}

/**
 * The organization a request names: by OrganizationId, else by LocationId, else the key's own or the only one there is. With `mayRename` a LocationId that is
 * nobody's is a new one for the organization that is meant anyway.
 */
export async function requireOrganization(
  table: TableReader,
  caller: Caller,
  named: Named,
  now: Date,
  { mayRename = false } = {},
): Promise<OrganizationRecord> {
  const id = await idOf(table, caller, named, now, mayRename);
  const visible = caller.organizationId === null || caller.organizationId === id;
  const organization = visible ? await findOrganization(table, caller.accountId, id) : undefined;
  if (!organization) throw notFound('organization', 'OrganizationId', id);
  return organization;
}

/** An organization that a request names twice must be the same one. */
export function checkSameOrganization(organization: OrganizationRecord, { OrganizationId, LocationId }: Named): void {
  if (OrganizationId && LocationId && toKeyText(organization.LocationID) !== toKeyText(LocationId))
    throw notFound('organization', 'LocationId', LocationId);
}

/** The complete answer of create, update, details and cancel. What parts go with a service, services/all answers. */
export const toOrganizationAnswer = (
  { organization, agents, users, fields }: WholeOrganization,
  services: readonly ServiceRecord[],
): OrganizationForm =>
  organizationToForm(organization, {
    agents: agents.map(serviceAgentToResource),
    services: services.map((service) => serviceToResource(service, [])),
    users: users.map(userToResource),
    customFields: fields.map(({ Value }) => Value),
  });

/** An upsert that can be stored; the failure it is, otherwise. */
export function requireReady(upsert: OrganizationUpsert): Extract<OrganizationUpsert, { kind: 'ready' }> {
  if (upsert.kind === 'invalid') throw invalid(...upsert.errors);
  if (upsert.kind === 'taken') throw conflict(upsert.message);
  return upsert;
}
