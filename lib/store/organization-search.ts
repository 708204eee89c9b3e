import { keyText } from '../domain/key-text.ts';
import type { OrganizationRecord } from '../domain/organizations.ts';
import { startsWith, type NamedBy } from '../domain/organizations/names.ts';
import type { Range, TablePager, TableReader } from './client.ts';
import { layout } from './layout.ts';
import { findLocation, findOrganization, findPostalOwner, namePartition, readOrganizations } from './organizations.ts';
import { walk } from './walk.ts';
import type { Viewer } from './viewer.ts';

/**
 * What to look for; every criterion given must hold. Names are as `nameText` gives them, the postal code is normalised.
 */
export interface OrganizationCriteria {
  readonly publicName: string | undefined;
  readonly internalName: string | undefined;
  readonly locationId: string | undefined;
  readonly postalCode: string | undefined;
  /** Canceled ones too. */
  readonly includeInactive: boolean;
}

const meets = (
  organization: OrganizationRecord,
  { publicName, internalName, locationId, postalCode, includeInactive }: OrganizationCriteria,
): boolean =>
  (includeInactive || !organization.Suspended) &&
  (publicName === undefined || startsWith(organization, 'PublicName', publicName)) &&
  (internalName === undefined || startsWith(organization, 'InternalName', internalName)) &&
  (locationId === undefined || keyText(organization.LocationID) === keyText(locationId)) &&
  (postalCode === undefined || organization.PostalCodes.split(',').includes(postalCode));

/**
 * The one organization that the criteria leave: that of a LocationId or of a postal code; `null` when there is none.
 */
async function onlyOne(
  table: TableReader,
  account: string,
  { locationId, postalCode }: OrganizationCriteria,
): Promise<OrganizationRecord | null | undefined> {
  if (locationId === undefined && postalCode === undefined) return undefined;
  const id =
    locationId === undefined
      ? (await findPostalOwner(table, account, postalCode ?? ''))?.OrganizationId
      : await findLocation(table, account, locationId);
  return id == null ? null : ((await findOrganization(table, account, id)) ?? null);
}

function rangesOf(
  account: string,
  field: NamedBy | 'Name',
  { text, includeInactive }: { text: string | undefined; includeInactive: boolean },
): Range[] {
  const words = text === undefined ? {} : { from: text, to: `${text}\u{10FFFF}` };
  return [false, ...(includeInactive ? [true] : [])].map((canceled) => {
    const partition = layout.organizationName.of({ account, field: namePartition(field, canceled) });
    return { partition, ...words, consistent: true };
  });
}

/**
 * The organizations that meet the criteria, `take` of them from the `skip`-th on: by name, or where a name is looked
 * for by the name from the word on that begins as asked. Only index entries are passed over.
 */
export async function searchOrganizations(
  table: TablePager,
  { accountId, organizationId }: Viewer,
  criteria: OrganizationCriteria,
  { skip, take }: { skip: number; take: number },
): Promise<OrganizationRecord[]> {
  const one =
    organizationId === null
      ? await onlyOne(table, accountId, criteria)
      : ((await findOrganization(table, accountId, organizationId)) ?? null);
  if (one !== undefined) return one && meets(one, criteria) ? [one].slice(skip) : [];
  const { publicName, internalName, includeInactive } = criteria;
  const text = publicName ?? internalName;
  const field = publicName !== undefined ? 'PublicName' : internalName !== undefined ? 'InternalName' : 'Name';
  return walk(table, {
    account: accountId,
    ranges: rangesOf(accountId, field, { text, includeInactive }),
    name: JSON.stringify(['organizations', criteria]),
    skip,
    take,
    exact: publicName === undefined || internalName === undefined,
    counts: ({ Shared }) => (text ?? '').length > (Shared as number),
    read: async (ids) =>
      (await readOrganizations(table, accountId, ids)).filter((organization) => meets(organization, criteria)),
  });
}
