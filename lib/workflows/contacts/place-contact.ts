import type { OrganizationRecord } from '../../entities/organizations.ts';
import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import { closedReason } from '../../domain/closed-organizations.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { findOnlyOrganization } from '../../store/accounts/accounts.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';
import { findRecentOrganization } from '../../store/organizations/current-organization.ts';
import type { PlanContext, UpsertContext, Lookup } from './match-contacts.ts';

export async function newContact(
  organization: OrganizationRecord,
  { table, caller, now }: PlanContext,
): Promise<ContactRecord> {
  const [Id = 0] = await reserveIds(table, caller.accountId, 'Contact', 1);
  const { Id: OrganizationId, LocationID } = organization;
  return contactEntity.blank({ Id, OrganizationId, LocationID, Hash: randomHandle(22), Created: now.getTime() });
}

/**
 * The organization of a contact, and for a distributed lead the reason. If it has none, that is an error, and the
 * caller's own organization reads the other fields: so the response has all errors.
 */
export async function resolveOrganization(
  lookup: Lookup,
  context: UpsertContext,
): Promise<{ organization: OrganizationRecord; reason: string; errors: readonly FieldError[] }> {
  const [before] = lookup.matches.candidates;
  const { id, reason = '' } = before ? { id: before.OrganizationId } : await chooseOrganization(lookup, context);
  const { table, caller } = context;
  const organization = id === undefined ? undefined : await findRecentOrganization(table, caller.accountId, id);
  const closed = !before && organization && closedReason(organization);
  if (organization && !closed) return { organization, reason, errors: [] };
  const problem =
    id === undefined
      ? ({ code: 'required', message: 'is required, because the account has several organizations' } as const)
      : closed
        ? ({ code: 'inactive', message: `must be the Id of an existing organization that is open. ${closed}` } as const)
        : ({ code: 'not_found', message: 'must be the Id of an existing organization' } as const);
  return { organization: context.defaultOrganization, reason: '', errors: [{ field: 'OrganizationId', ...problem }] };
}

/**
 * Where a new contact belongs: the key's organization, the one of the input, the owner of its postal code, or the only
 * one of the account.
 */
async function chooseOrganization(
  { upsert: { input, distribute }, postalOwner }: Lookup,
  { table, caller, defaultOrganization }: UpsertContext,
): Promise<{ id: number | undefined; reason?: string }> {
  if (caller.organizationId !== null) return { id: caller.organizationId };
  if (input.OrganizationId) return { id: input.OrganizationId };
  if (!distribute) return { id: await findOnlyOrganization(table, caller.accountId) };
  const code = input.Zip ? `postal code ${input.Zip}` : 'an address without postal code';
  const owner = postalOwner?.OrganizationId;
  const found = owner ? await findRecentOrganization(table, caller.accountId, owner) : undefined;
  const nobody = found ? closedReason(found) : `No organization owns ${code}`;
  if (nobody === undefined) return { id: found?.Id, reason: `Organization ${owner} owns ${code}.` };
  const cause = found ? `${nobody} and owns ${code}` : nobody;
  return { id: defaultOrganization.Id, reason: `${cause}; the lead goes to organization ${defaultOrganization.Id}.` };
}
