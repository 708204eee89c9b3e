import { type OrganizationRecord, organizationEntity } from '../../entities/organizations.ts';
import { InternalError } from '../../shared/failure.ts';
import type { TableReader } from '../dynamodb/table.ts';
import { type Freshness, VerifiedCache } from '../dynamodb/verification.ts';
import { layout } from '../keys.ts';

export async function findOrganization(
  table: TableReader,
  account: string,
  id: number,
): Promise<OrganizationRecord | undefined> {
  const item = await table.get(layout.organization.key({ account, id }));
  return item && organizationEntity.read(item);
}

const organizations = new VerifiedCache<AccountOrganization, OrganizationRecord | undefined, TableReader>({
  name: ({ account, id }) => `${account}#${id}`,
  read:
    ({ account, id }) =>
    (table) =>
      findOrganization(table, account, id),
});

interface AccountOrganization {
  readonly account: string;
  readonly id: number;
}

/** The organization, up to 30 seconds old: nearly every call needs its zone and country. */
export const findRecentOrganization = (
  table: TableReader,
  account: string,
  id: number,
): Promise<OrganizationRecord | undefined> => organizations.read(table, { account, id }, 'recent');

/** The zone of an organization if the container remembers it, as a hint at what a call may read. */
export const rememberedZone = async (account: string, id: number): Promise<string | undefined> =>
  (await organizations.remembered({ account, id }))?.Timezone;

/** The organization of a record, which therefore exists. A write decides by the current one. */
export async function getOrganization(
  table: TableReader,
  account: string,
  id: number,
  freshness: Freshness = 'recent',
): Promise<OrganizationRecord> {
  const organization = await organizations.read(table, { account, id }, freshness);
  if (!organization) throw new InternalError(`account ${account} has no organization ${id}`);
  return organization;
}

/** Removes an organization from this container's cache, before a change of it. */
export const forgetOrganization = (account: string, id: number): void => organizations.forget({ account, id });
