import { type OrganizationRecord, organizationEntity } from '../../entities/organizations.ts';
import { InternalError } from '../../shared/failure.ts';
import { CachedValues } from '../dynamodb/cached-values.ts';
import type { TableReader } from '../dynamodb/table.ts';
import { layout } from '../keys.ts';

export async function findOrganization(
  table: TableReader,
  account: string,
  id: number,
  options?: { readonly consistent: boolean },
): Promise<OrganizationRecord | undefined> {
  const item = await table.get(layout.organization.key({ account, id }), options);
  return item && organizationEntity.read(item);
}

const organizations = new CachedValues<AccountOrganization, OrganizationRecord | undefined>({
  name: ({ account, id }) => `${account}#${id}`,
  read: (table, { account, id }, options) => findOrganization(table, account, id, options),
});

interface AccountOrganization {
  readonly account: string;
  readonly id: number;
}

/** The organization, whose zone and country nearly every call needs: current for a write, else up to 30 seconds old. */
export const findRecentOrganization = (
  table: TableReader,
  account: string,
  id: number,
): Promise<OrganizationRecord | undefined> => organizations.read(table, { account, id });

/** The organization as it is now, where a recent one is not what the caller expects. */
export const findCurrentOrganization = (
  table: TableReader,
  account: string,
  id: number,
): Promise<OrganizationRecord | undefined> => organizations.readCurrent(table, { account, id });

/** The organization of a record, which therefore exists: current for a write, else up to 30 seconds old. */
export async function getOrganization(table: TableReader, account: string, id: number): Promise<OrganizationRecord> {
  const organization = await organizations.read(table, { account, id });
  if (!organization) throw new InternalError(`account ${account} has no organization ${id}`);
  return organization;
}

/** Removes an organization from this container's cache, before a change of it. */
export const forgetOrganization = (account: string, id: number): void => organizations.forget({ account, id });
