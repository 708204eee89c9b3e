import { operation } from '../../lib/api/operation.ts';
import { normalizeName } from '../../lib/domain/organizations.ts';
import { described, flag, int32, text } from '../../lib/resources/fields.ts';
import { OrganizationDetails } from '../../lib/resources/organizations.ts';
import { many } from '../../lib/resources/resource.ts';
import { normalizePostalCode } from '../../lib/shared/addresses.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { searchOrganizations } from '../../lib/store/organizations.ts';
import { loadOrganizationDetails } from '../../lib/workflows/organizations/load-organization.ts';

/** The contract has no paging here: who does not ask for it gets as many as fit. */
const MOST = 500;

export const query = operation({
  name: 'organizations/query',
  summary: 'Organizations that meet every criterion given, by name.',
  description:
    'PublicName and InternalName are the beginning of the name, or of one of its later words; case and accents do not count. Without a criterion all are listed. ' +
    'Canceled ones only with IncludeInactive. Skip and Take (1 to 500, which is the default) page; Message says when there may be more.',
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    PublicName: text(200),
    InternalName: text(200),
    LocationId: text(100),
    PostalCode: described(text(20), 'One that the organization owns.'),
    IncludeInactive: flag(),
    Skip: int32(0),
    Take: int32(1, MOST),
  }),
  response: () => ({ Organizations: many(OrganizationDetails) }),
  failures: ['invalid'],
  example: { PublicName: 'Green' },
  async run(request, { caller, table, now }) {
    const { PublicName, InternalName, LocationId, PostalCode, IncludeInactive } = request;
    const wordless = (['PublicName', 'InternalName'] as const).filter(
      (field) => request[field]?.trim() && !normalizeName(request[field] ?? ''),
    );
    if (wordless.length)
      throw invalid(...wordless.map((Field) => ({ field: Field, message: 'must have a letter or a digit' })));
    const criteria = {
      publicName: normalizeName(PublicName ?? '') || undefined,
      internalName: normalizeName(InternalName ?? '') || undefined,
      locationId: LocationId?.trim() || undefined,
      postalCode: PostalCode ? normalizePostalCode(PostalCode) : undefined,
      includeInactive: IncludeInactive ?? false,
    };
    const take = request.Take ?? MOST;
    const skip = request.Skip ?? 0;
    const found = await searchOrganizations(table, caller, criteria, { skip, take });
    const Organizations = await loadOrganizationDetails(table, caller.accountId, found, now);
    return {
      Organizations,
      Message: found.length === take ? `There may be more: go on with Skip ${skip + take}.` : '',
    };
  },
});
