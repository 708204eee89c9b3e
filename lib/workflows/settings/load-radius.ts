import type { OrganizationRecord } from '../../entities/organizations.ts';
import { type Position, type Postal, loadPostalData } from '../../domain/postal/localities.ts';
import { conflict } from '../../shared/failure.ts';
import { findDefaultOrganization } from '../../store/accounts/accounts.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import type { ReadContext } from '../context.ts';

/**
 * The postal codes of the country, and the centre and radius in miles of the organization's service area. Throws
 * conflict if the organization lacks one of them.
 */
export async function loadRadius(context: ReadContext): Promise<{ codes: Postal; center: Position; radius: number }> {
  const [organization, codes] = await Promise.all([loadCallerOrganization(context), loadPostalData()]);
  const zip = organization?.StartAddress?.Zip ?? '';
  const noun = `organization ${organization?.Id ?? ''} (${organization?.PublicName ?? ''})`;
  if (!zip)
    throw conflict(
      'requirement_missing',
      `StartAddress of ${noun} has no Zip. Set it with organizations/update; Radius starts there.`,
    );
  const center = codes.find(zip)?.position;
  if (!center)
    throw conflict(
      'requirement_missing',
      `The Zip ${JSON.stringify(zip)} in StartAddress of ${noun} is not a known US postal code. ` +
        'Set it with organizations/update.',
    );
  const radius = organization?.Radius ?? 0;
  if (!(radius > 0))
    throw conflict(
      'requirement_missing',
      `Radius of ${noun} is not set. Set it, in miles from its StartAddress, with organizations/update.`,
    );
  return { codes, center, radius };
}

const FIRST_ID = 1;

/** The key's organization, else the default one: nearly always the first, so both are read in one round. */
async function loadCallerOrganization({ store, caller }: ReadContext): Promise<OrganizationRecord | undefined> {
  const { organizationId } = caller;
  if (organizationId !== null) return findOrganization(store, organizationId);
  const [defaultId, first] = await Promise.all([findDefaultOrganization(store), findOrganization(store, FIRST_ID)]);
  return defaultId === FIRST_ID ? first : findOrganization(store, defaultId);
}
