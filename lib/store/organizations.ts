import type { OrganizationRecord, PostalOwner } from '../domain/organizations.ts';
import type { Change } from './changes.ts';
import type { TableReader } from './client.ts';
import { layout } from './layout.ts';
import { Memory } from './memory.ts';

/** The changes that store a new organization; the time zone is New York's unless said otherwise. */
export function newOrganization(account: string, given: { Id: number; PublicName: string } & Partial<OrganizationRecord>): Change[] {
  const record: OrganizationRecord = { Timezone: 'America/New_York', LocationID: '', Country: 'US', Suspended: false, ...given };
  return [{ put: { ...layout.organization.key({ account, id: given.Id }), ...record }, if: 'absent' }];
}

/** The organization, or `undefined`. */
export async function findOrganization(table: TableReader, account: string, id: number): Promise<OrganizationRecord | undefined> {
  return (await table.get(layout.organization.key({ account, id }))) as OrganizationRecord | undefined;
}

/** The owner of a postal code (normalised), or `undefined`. */
export async function findPostalOwner(table: TableReader, account: string, code: string): Promise<PostalOwner | undefined> {
  return (await table.get(layout.postalOwner.key({ account, code }))) as PostalOwner | undefined;
}

const organizations = new Memory<OrganizationRecord | undefined>();

/** The organization, up to 30 seconds old: nearly every call asks for its zone and country. */
export const cachedOrganization = (table: TableReader, account: string, id: number, now: Date): Promise<OrganizationRecord | undefined> =>
  organizations.recall(`${account}#${id}`, now, () => findOrganization(table, account, id));
