import type { UserRecord } from '../../entities/users.ts';
import type { ServiceAgentRecord } from '../../entities/service-agents.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { OrganizationRecord, OrganizationDetails } from '../../entities/organizations.ts';
import { organizationToDetails, organizationToForm } from '../../domain/organizations.ts';
import { serviceToResource } from '../../domain/pricebook/service-to-resource.ts';
import { type AgentView, serviceAgentToResource } from '../../domain/service-agents.ts';
import { userToResource } from '../../domain/users.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { OrganizationForm } from '../../resources/organizations.ts';
import { type Failure, invalid, notFound } from '../../shared/failure.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';
import { toKeyText } from '../../shared/text/text.ts';
import { findOnlyOrganization } from '../../store/accounts/accounts.ts';
import {
  findLocation,
  findOrganization,
  findOrganizations,
  listLocationIds,
} from '../../store/organizations/organizations.ts';
import { listAgents } from '../../store/organizations/service-agents.ts';
import { type Setting, settingsOf, listSettingsWithVersions } from '../../store/settings.ts';
import { findUsersWithVersion, listUsers } from '../../store/organizations/users.ts';
import type { ReadContext } from '../context.ts';
import type { StoreReader } from '../../store/store.ts';

/** How a request names an organization. */
interface OrganizationReference {
  readonly OrganizationId?: number | null | undefined;
  readonly LocationId?: string | null | undefined;
}

/** An organization, everything that belongs to it, and the definitions of the account's custom fields. */
export interface WholeOrganization {
  readonly organization: OrganizationRecord;
  readonly agents: readonly ServiceAgentRecord[];
  readonly users: readonly UserRecord[];
  readonly fields: readonly Setting<CustomField>[];
}

/**
 * The organization of a request: by OrganizationId, else by LocationId, else the key's own or the only one of the
 * account. With `mayRename` an unknown LocationId is a new one for the key's own or only organization.
 */
export async function requireOrganization(
  { store, caller }: Pick<ReadContext, 'store' | 'caller'>,
  reference: OrganizationReference,
  { mayRename = false } = {},
): Promise<OrganizationRecord> {
  const id = reference.OrganizationId || (await resolveOrganizationId(store, reference, mayRename));
  const visible = caller.organizationId === null || caller.organizationId === id;
  const organization = visible ? await findOrganization(store, id) : undefined;
  if (!organization) throw notFound('organization', 'OrganizationId', id);
  return organization;
}

async function resolveOrganizationId(
  store: StoreReader,
  { LocationId }: OrganizationReference,
  mayRename: boolean,
): Promise<number> {
  const { organizationId } = store;
  const located = LocationId ? await findLocation(store, LocationId) : undefined;
  if (located !== undefined && (organizationId ?? located) === located) return located;
  if (LocationId && (located !== undefined || !mayRename)) throw await locationNotFound(store, LocationId);
  const id = organizationId ?? (await findOnlyOrganization(store));
  if (id !== undefined) return id;
  if (LocationId) throw await locationNotFound(store, LocationId);
  const message = 'is required, or LocationId, because the account has several organizations';
  throw invalid({ field: 'OrganizationId', code: 'required', message });
}

/** 404 for a LocationId that no organization has; a key of one organization learns nothing about others. */
async function locationNotFound(store: StoreReader, LocationId: string): Promise<Failure> {
  const { organizationId } = store;
  const known =
    organizationId === null
      ? await listLocationIds(store)
      : (await findOrganizations(store, [organizationId])).map(({ LocationID }) => LocationID);
  const advice = didYouMean(LocationId, known.filter(Boolean)) || 'organizations/query lists them.';
  return notFound('organization', 'LocationId', LocationId, { advice });
}

/** Requires OrganizationId and LocationId of a request to name the same organization. */
export function checkSameOrganization(
  organization: OrganizationRecord,
  { OrganizationId, LocationId }: OrganizationReference,
): void {
  if (OrganizationId && LocationId && toKeyText(organization.LocationID) !== toKeyText(LocationId))
    throw notFound('organization', 'LocationId', LocationId);
}

/** Reads everything that belongs to an organization, in one round. */
export async function loadWholeOrganization(
  store: StoreReader,
  organization: OrganizationRecord,
): Promise<WholeOrganization> {
  const [agents, users, fields] = await Promise.all([
    listAgents(store, organization.Id),
    findUsersWithVersion(store, organization.UserIds),
    listSettingsWithVersions<CustomField>(store, 'CustomField'),
  ]);
  return { organization, agents, users, fields };
}

/**
 * The answer of create, update, details and cancel. Services have no parts here: services/all has them. Only details
 * has the addresses of calendars.
 */
export const wholeOrganizationToForm = (
  { organization, agents, users, fields }: WholeOrganization,
  services: readonly ServiceRecord[],
  view: AgentView = {},
): OrganizationForm =>
  organizationToForm(organization, {
    agents: agents.map((agent) => serviceAgentToResource(agent, view)),
    services: services.map((service) => serviceToResource(service, [])),
    users: users.map(userToResource),
    customFields: fields.map(({ Value }) => Value),
  });

/** Organizations as organizations/query lists them, with all their users. */
export async function loadOrganizationDetails(
  store: StoreReader,
  records: readonly OrganizationRecord[],
): Promise<OrganizationDetails[]> {
  const managers = records.flatMap(({ AccountManagerUserId }) => AccountManagerUserId ?? []);
  const [users, customFields] = await Promise.all([
    listUsers(store, [...records.flatMap(({ UserIds }) => UserIds), ...managers]),
    settingsOf<CustomField>(store, 'CustomField'),
  ]);
  const byId = new Map(users.map((user) => [user.Id, user]));
  return records.map((record) => organizationToDetails(record, { users: byId, customFields }));
}
