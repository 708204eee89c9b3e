import type { Change } from './changes.ts';
import type { TableReader } from './client.ts';
import { layout } from './layout.ts';

/** A location of an account, as far as every call needs it. `Timezone` is an IANA name. */
export interface OrganizationRecord {
  readonly Id: number;
  readonly PublicName: string;
  readonly Timezone: string;
  readonly LocationID: string;
  /** ISO 3166 country whose phone numbers are written without a prefix. */
  readonly Country: string;
  readonly Suspended: boolean;
}

/** The changes that store a new organization; the time zone is New York's unless said otherwise. */
export function newOrganization(account: string, given: { Id: number; PublicName: string } & Partial<OrganizationRecord>): Change[] {
  const record: OrganizationRecord = { Timezone: 'America/New_York', LocationID: '', Country: 'US', Suspended: false, ...given };
  return [{ put: { ...layout.organization.key({ account, id: given.Id }), ...record }, if: 'absent' }];
}

/** The organization, or `undefined`. */
export async function findOrganization(table: TableReader, account: string, id: number): Promise<OrganizationRecord | undefined> {
  return (await table.get(layout.organization.key({ account, id }))) as OrganizationRecord | undefined;
}

/** Which organization owns a postal code, and the accounting class it belongs to there. */
export interface PostalOwner {
  readonly OrganizationId: number;
  readonly AccountingClass: { readonly Id: number; readonly Name: string; readonly TerritoryID: string } | null;
}

/** The owner of a postal code (normalised), or `undefined`. */
export async function findPostalOwner(table: TableReader, account: string, code: string): Promise<PostalOwner | undefined> {
  return (await table.get(layout.postalOwner.key({ account, code }))) as PostalOwner | undefined;
}
