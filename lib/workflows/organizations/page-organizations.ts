import type { OrganizationRecord } from '../../entities/organizations.ts';
import { MAX_TAKE } from '../../resources/queries.ts';
import type { CallerScope } from '../../store/requests/caller.ts';
import type { TablePager } from '../../store/dynamodb/client.ts';
import { type OrganizationCriteria, searchOrganizations } from '../../store/organizations/organizations.ts';
import { bounded } from '../bounded.ts';

const everyOpenOrganization: OrganizationCriteria = {
  publicName: undefined,
  internalName: undefined,
  locationId: undefined,
  postalCode: undefined,
  includeInactive: false,
};

/** A page of the organizations that match every criterion, by name, and what Message says about further ones. */
export async function pageOrganizations(
  { table, caller }: { readonly table: TablePager; readonly caller: CallerScope },
  { Skip, Take }: { readonly Skip?: number | null | undefined; readonly Take?: number | null | undefined },
  criteria: Partial<OrganizationCriteria> = {},
): Promise<{ readonly organizations: readonly OrganizationRecord[]; readonly Message: string }> {
  const [skip, take] = [Skip ?? 0, Take ?? MAX_TAKE];
  const { records: organizations, isShort } = await bounded(
    () => searchOrganizations(table, caller, { ...everyOpenOrganization, ...criteria }, { skip, take }),
    ({ criterion }) => ({
      field: criteria.publicName || criteria.internalName ? criterion : 'Skip',
      code: 'limit',
      message: 'goes beyond what one call can read. Request the pages one after another, or add a longer name.',
    }),
  );
  const mayFollow = isShort || organizations.length === take;
  return { organizations, Message: mayFollow ? `More may follow. Repeat the call with Skip ${skip + take}.` : '' };
}
