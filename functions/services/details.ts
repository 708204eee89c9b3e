import { operation } from '../../lib/api/operation.ts';
import { serviceToDetailedResource } from '../../lib/domain/pricebook/service-to-resource.ts';
import { required } from '../../lib/resources/fields.ts';
import { many } from '../../lib/resources/resource.ts';
import { ServiceDetailed } from '../../lib/resources/services.ts';
import { notFound } from '../../lib/shared/failure.ts';
import { listBookEntries } from '../../lib/store/price-book.ts';
import { findService } from '../../lib/store/services.ts';
import { loadPartCatalogue, servicesRequest, withParts } from '../../lib/workflows/pricebook/load-service-resources.ts';

export const details = operation({
  name: 'services/details',
  summary: 'A service with all its settings.',
  description:
    'Also one that is no longer active. AllAvailableParts is filled with IncludeParts; parts that are no longer active are in it with IncludeInactive.',
  access: 'read',
  needs: ['table:read'],
  request: () => {
    const { Id, ...rest } = servicesRequest();
    return { Id: required(Id), ...rest };
  },
  response: () => ({ Matches: many(ServiceDetailed) }),
  failures: ['invalid', 'notFound', 'tooLarge'],
  example: { Id: 1, IncludeParts: true },
  async run(request, { caller, table }) {
    const [service, revenueCategories, shelf] = await Promise.all([
      findService(table, caller, request.Id),
      listBookEntries(table, caller.accountId, 'revenueCategories'),
      loadPartCatalogue(table, caller.accountId, request),
    ]);
    if (!service) throw notFound('service', 'Id', request.Id);
    return {
      Matches: withParts([service], shelf, (of, parts) => serviceToDetailedResource(of, parts, { revenueCategories })),
    };
  },
});
