import type { OrganizationRecord } from '../../entities/organizations.ts';
import { MAX_TAKE } from '../../resources/queries.ts';
import type { CallerScope, StorePager } from '../../store/store.ts';
import { type OrganizationCriteria, searchOrganizations } from '../../store/organizations/organizations.ts';
import { bounded } from '../bounded.ts';

const everyOpenOrganization: OrganizationCriteria = {
  publicName: undefined,
  internalName: undefined,
  locationId: undefined,
  postalCode: undefined,
  includeInactive: false,
};

interface OrganizationPage {
  readonly organizations: readonly OrganizationRecord[];
  /** What the answer says about further organizations. */
  readonly more: { readonly Message: string; readonly NextSkip: number | undefined };
}

/** A page of the organizations that match every criterion, by name. */
export async function pageOrganizations(
  { store }: { readonly store: StorePager; readonly caller: CallerScope },
  { Skip, Take }: { readonly Skip?: number | null | undefined; readonly Take?: number | null | undefined },
  criteria: Partial<OrganizationCriteria> = {},
): Promise<OrganizationPage> {
  const [skip, take] = [Skip ?? 0, Take ?? MAX_TAKE];
  const { records: organizations, hasMore } = await bounded(
    () => searchOrganizations(store, { ...everyOpenOrganization, ...criteria }, { skip, take }),
    () => ({
      field: criteria.publicName || criteria.internalName ? 'PublicName' : 'Skip',
      code: 'limit',
      message: 'goes beyond what one call reads. Request the pages one after another, or add a longer name.',
    }),
  );
  const NextSkip = hasMore ? skip + take : undefined;
  const Message = NextSkip === undefined ? '' : `More may follow. Repeat the call with Skip ${NextSkip}.`;
  return { organizations, more: { Message, NextSkip } };
}
