import { operation } from '../../lib/api/operation.ts';
import { FIGURE_MONTHS, figuresToResource, monthsThrough } from '../../lib/domain/figures.ts';
import { MonthFigures } from '../../lib/entities/figures.ts';
import { OrganizationForm } from '../../lib/resources/organizations.ts';
import { described, int32, many } from '../../lib/resources/fields.ts';
import { listFigures } from '../../lib/store/figures.ts';
import { checkSameOrganization, requireOrganization } from '../../lib/workflows/organizations/load-organization.ts';

const MAX_MONTHS = 36;

export const figures = operation({
  title: 'List the figures of an organization by month',
  summary: 'Lists revenue, visits, proposals and leads of an organization by month, newest first.',
  rules: [
    'OrganizationId or LocationId names the organization. Both are optional with a key of one organization, or ' +
      'where the account has only one.',
    'Figures are counted from the records every night: the current and the previous month, and each of the eleven ' +
      'before them at least every six nights. CountedAt says as of when. Older months stay as they are.',
    'A month that was not counted yet is not listed. A canceled organization is counted no more.',
    'Days are those of the time zone of the organization.',
  ],
  access: 'read',
  request: () => {
    const { OrganizationId, LocationId } = OrganizationForm.shape();
    return {
      OrganizationId,
      LocationId,
      Months: described(int32(1, MAX_MONTHS), `The current month and those before it; ${FIGURE_MONTHS} by default.`),
    };
  },
  response: () => ({ Figures: many(MonthFigures) }),
  example: { OrganizationId: 1, Months: 3 },
  async run({ Months, ...reference }, context) {
    const organization = await requireOrganization(context, reference);
    checkSameOrganization(organization, reference);
    const months = monthsThrough(context.now, organization.Timezone, Months || FIGURE_MONTHS);
    const found = await listFigures(context.store, {
      organization: organization.Id,
      first: months.at(-1) ?? '',
      last: months[0] ?? '',
    });
    return { Figures: found.toReversed().map(figuresToResource) };
  },
});
