import { OrganizationDetails } from '../../lib/entities/organizations.ts';
import { operation } from '../../lib/api/operation.ts';
import { normalizeName, withVisibleTaxpayer } from '../../lib/domain/organizations.ts';
import { described, flag, many, text } from '../../lib/resources/fields.ts';
import { normalizePostalCode } from '../../lib/shared/text/text.ts';
import { collectErrors, invalid } from '../../lib/shared/failure.ts';
import { loadOrganizationDetails } from '../../lib/workflows/organizations/load-organization.ts';
import { ORGANIZATION_PAGING, organizationPaging } from '../../lib/resources/queries.ts';
import { pageOrganizations } from '../../lib/workflows/organizations/page-organizations.ts';

export const query = operation({
  title: 'List organizations',
  summary: 'Lists the organizations that match every criterion, by name.',
  rules: [
    'PublicName and InternalName match the beginning of the name, or of one of its later words, ignoring case and ' +
      'accents.',
    'Without criteria all organizations are listed; canceled ones only with IncludeInactive.',
    ORGANIZATION_PAGING,
  ],
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    PublicName: text(200),
    InternalName: text(200),
    LocationId: text(100),
    PostalCode: described(text(20), 'A code that the organization owns.'),
    IncludeInactive: flag(),
    ...organizationPaging(),
  }),
  response: () => ({ Organizations: many(OrganizationDetails) }),
  example: { PublicName: 'Green' },
  async run(request, { store, caller }) {
    const publicName = normalizeName(request.PublicName ?? '');
    const internalName = normalizeName(request.InternalName ?? '');
    const message = 'must contain a letter or a digit';
    const errors = collectErrors(
      ['PublicName', !publicName && request.PublicName?.trim() && message, 'required'],
      ['InternalName', !internalName && request.InternalName?.trim() && message, 'required'],
    );
    if (errors.length) throw invalid(...errors);
    const criteria = {
      publicName: publicName || undefined,
      internalName: internalName || undefined,
      locationId: request.LocationId?.trim() || undefined,
      postalCode: request.PostalCode ? normalizePostalCode(request.PostalCode) : undefined,
      includeInactive: request.IncludeInactive ?? false,
    };
    const { organizations, more } = await pageOrganizations({ store, caller }, request, criteria);
    const found = await loadOrganizationDetails(store, organizations);
    return { Organizations: found.map((each) => withVisibleTaxpayer(each, caller.role)), ...more };
  },
});
