import { organizationEntity } from '../../entities/organizations.ts';
import type { Item } from '../dynamodb/changes.ts';
import { findOnlyOrganization, findRecentMovedZones } from './accounts.ts';
import { listRange } from '../dynamodb/records.ts';
import { layout } from '../keys.ts';
import type { StoreReader } from '../store.ts';

const zone = organizationEntity.part('Id', 'Timezone');

export type OrganizationZones = ReadonlyMap<number, string>;

/** The zones of the organizations that a call sees. */
export interface Zones {
  /** Whether they share one zone and never had another. */
  readonly only: boolean;
  /** The former zones of organizations whose zone has changed. */
  readonly moved: OrganizationZones;
  /** Finds the zones of any organizations. */
  readonly find: (organizations: readonly number[]) => Promise<OrganizationZones>;
}

export async function findZones(store: StoreReader): Promise<Zones> {
  const moved = await findRecentMovedZones(store);
  const only = store.organizationId ?? (await findOnlyOrganization(store));
  return {
    only: only !== undefined && !moved.has(only),
    moved,
    find: (organizations) => findZonesOf(store, organizations),
  };
}

/** The zones of some organizations. */
export async function findZonesOf(
  { account, table }: StoreReader,
  organizations: readonly number[],
): Promise<OrganizationZones> {
  const keys = [...new Set(organizations)].map((id) => layout.organization.key({ account, id }));
  return toZones(await table.getMany(keys, { consistent: false, attributes: zone.names }));
}

/** The zones of all organizations of an account. */
export async function listZones({ account, table }: StoreReader): Promise<OrganizationZones> {
  const range = { partition: layout.organization.of({ account }), consistent: false };
  return toZones(await listRange(table, { ...range, attributes: zone.names }));
}

const toZones = (items: readonly Item[]): OrganizationZones =>
  new Map(items.map(zone.read).map(({ Id, Timezone }) => [Id, Timezone]));
