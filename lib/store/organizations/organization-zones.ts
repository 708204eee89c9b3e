import { organizationEntity } from '../../entities/organizations.ts';
import type { TableReader } from '../dynamodb/table.ts';
import { findOnlyOrganization, findRecentMovedZones } from '../accounts/accounts.ts';
import { RangeTooLarge } from '../dynamodb/errors.ts';
import { listRange } from '../dynamodb/records.ts';
import { layout } from '../keys.ts';
import { findOrganizations } from './organizations.ts';

const zone = organizationEntity.part('Id', 'Timezone');

/** Zones by organization. */
export type OrganizationZones = ReadonlyMap<number, string>;

/** The zones of the organizations that a call sees. */
export interface Zones {
  /** Whether they have one zone and had no other. */
  readonly only: boolean;
  /** Of the organizations that had another one before. */
  readonly moved: OrganizationZones;
  /** Of any organizations: of at most 100, so that the read stays small. */
  readonly find: (table: TableReader, organizations: readonly number[]) => Promise<OrganizationZones>;
}

/** Zones that one call reads. */
export const MAX_ZONES = 100;

export async function findZones(
  table: TableReader,
  { accountId, organizationId }: { readonly accountId: string; readonly organizationId: number | null },
): Promise<Zones> {
  const moved = await findRecentMovedZones(table, accountId);
  const only = organizationId ?? (await findOnlyOrganization(table, accountId));
  return {
    only: only !== undefined && !moved.has(only),
    moved,
    async find(reader, organizations) {
      const ids = [...new Set(organizations)].slice(0, MAX_ZONES);
      const found = await findOrganizations(reader, accountId, ids);
      return new Map(found.map(({ Id, Timezone }) => [Id, Timezone]));
    },
  };
}

/** The zones of all organizations of an account. Throws RangeTooLarge where they are more than 100. */
export async function listZones(table: TableReader, accountId: string): Promise<OrganizationZones> {
  const range = { partition: layout.organization.of({ account: accountId }), consistent: false };
  const items = await listRange(table, { ...range, attributes: zone.names }, { limit: MAX_ZONES + 1 });
  if (items.length > MAX_ZONES) throw new RangeTooLarge('organization', MAX_ZONES);
  return new Map(items.map(zone.read).map(({ Id, Timezone }) => [Id, Timezone]));
}
