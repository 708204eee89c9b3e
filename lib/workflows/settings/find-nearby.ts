import type { Caller } from '../../store/caller.ts';
import { loadPostalData } from '../../domain/postal/load.ts';
import type { Position, Postal } from '../../domain/postal/places.ts';
import { conflict } from '../../shared/failure.ts';
import { findDefaultOrganization } from '../../store/accounts.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { findOrganization } from '../../store/organizations.ts';

const FIRST = 1;

/** The key's own organization, else the account's default one: nearly always its first, which is read beside the question which it is. */
async function organizationOf(table: TableReader, { accountId, organizationId }: Caller, now: Date) {
  if (organizationId !== null) return findOrganization(table, accountId, organizationId);
  const [id, first] = await Promise.all([
    findDefaultOrganization(table, accountId, now),
    findOrganization(table, accountId, FIRST),
  ]);
  return id === FIRST ? first : findOrganization(table, accountId, id);
}

/** The postal codes of the country, with the centre and the miles within which the organization works; 409 says what it lacks. */
export async function findNearbyPlaces(
  table: TableReader,
  caller: Caller,
  now: Date,
): Promise<{ codes: Postal; center: Position; radius: number }> {
  const [organization, codes] = await Promise.all([organizationOf(table, caller, now), loadPostalData()]);
  const zip = organization?.StartAddress?.Zip ?? '';
  const which = `organization ${organization?.Id ?? ''} (${organization?.PublicName ?? ''})`;
  if (!zip)
    throw conflict(
      `Set StartAddress with its Zip of ${which} with organizations/update; Radius is measured from there.`,
    );
  const center = codes.find(zip)?.position;
  if (!center)
    throw conflict(
      `The Zip ${JSON.stringify(zip)} in StartAddress of ${which} is no US postal code whose place is known. Set it with organizations/update.`,
    );
  const radius = organization?.Radius ?? 0;
  if (!(radius > 0))
    throw conflict(`Set Radius of ${which}, in miles from its StartAddress, with organizations/update.`);
  return { codes, center, radius };
}
