import type { Caller } from '../../lib/api/context.ts';
import { conflict, faulty, invalid, notFound } from '../../lib/api/failure.ts';
import { keyText } from '../../lib/domain/key-text.ts';
import type { OrganizationRecord } from '../../lib/domain/organizations.ts';
import { formOf } from '../../lib/domain/organizations/resource.ts';
import type { ServiceRecord } from '../../lib/domain/pricebook/records.ts';
import { serviceOf } from '../../lib/domain/pricebook/service-view.ts';
import { agentOf } from '../../lib/domain/service-agents.ts';
import { userOf } from '../../lib/domain/users.ts';
import type { OrganizationForm } from '../../lib/resources/organizations.ts';
import { onlyOrganization } from '../../lib/store/accounts.ts';
import type { TableReader } from '../../lib/store/client.ts';
import type { OrganizationUpsert, WholeOrganization } from '../../lib/store/organization-upsert.ts';
import { findLocation, findOrganization } from '../../lib/store/organizations.ts';

/** What names an organization in a request. */
interface Named {
  readonly OrganizationId?: number | null | undefined;
  readonly LocationId?: string | null | undefined;
}

/** The key's own organization, or the only one there is. */
const implied = async (table: TableReader, { accountId, organizationId }: Caller, now: Date): Promise<number | undefined> =>
  organizationId ?? (await onlyOrganization(table, accountId, now));

async function idOf(table: TableReader, caller: Caller, { OrganizationId, LocationId }: Named, now: Date, mayRename: boolean): Promise<number> {
  if (OrganizationId) return OrganizationId;
  const located = LocationId ? await findLocation(table, caller.accountId, LocationId) : undefined;
  if (located !== undefined && (caller.organizationId ?? located) === located) return located;
  if (LocationId && (located !== undefined || !mayRename)) throw notFound('organization', 'LocationId', LocationId);
  const id = await implied(table, caller, now);
  if (id !== undefined) return id;
  if (LocationId) throw notFound('organization', 'LocationId', LocationId);
  throw invalid({ Field: 'OrganizationId', Message: 'is required, or LocationId, because the account has several organizations' });
}

/**
 * The organization a request names: by OrganizationId, else by LocationId, else the key's own or the only one there is. With `mayRename` a LocationId that is
 * nobody's is a new one for the organization that is meant anyway.
 */
export async function namedOrganization(table: TableReader, caller: Caller, named: Named, now: Date, { mayRename = false } = {}): Promise<OrganizationRecord> {
  const id = await idOf(table, caller, named, now, mayRename);
  const visible = caller.organizationId === null || caller.organizationId === id;
  const organization = visible ? await findOrganization(table, caller.accountId, id) : undefined;
  if (!organization) throw notFound('organization', 'OrganizationId', id);
  return organization;
}

/** An organization that a request names twice must be the same one. */
export function agree(organization: OrganizationRecord, { OrganizationId, LocationId }: Named): void {
  if (OrganizationId && LocationId && keyText(organization.LocationID) !== keyText(LocationId)) throw notFound('organization', 'LocationId', LocationId);
}

/** The complete answer of create, update, details and cancel. What parts go with a service, services/all answers. */
export const answerOf = ({ organization, agents, users, fields }: WholeOrganization, services: readonly ServiceRecord[]): OrganizationForm =>
  formOf(organization, { agents: agents.map(agentOf), services: services.map((service) => serviceOf(service, [])), users: users.map(userOf), customFields: fields.map(({ Value }) => Value) });

/** An upsert that can be stored; the failure it is, otherwise. */
export function ready(upsert: OrganizationUpsert): Extract<OrganizationUpsert, { kind: 'ready' }> {
  if (upsert.kind === 'faults') throw faulty(upsert.faults);
  if (upsert.kind === 'taken') throw conflict(upsert.message);
  return upsert;
}
