import { ServiceDetailed } from '../../lib/entities/services.ts';
import { operation } from '../../lib/api/operation.ts';
import { serviceToDetailedResource } from '../../lib/domain/pricebook/service-to-resource.ts';
import { many, required } from '../../lib/resources/fields.ts';
import { orNotFound } from '../../lib/shared/failure.ts';
import { listBookEntries } from '../../lib/store/pricebook/price-book.ts';
import { findService } from '../../lib/store/pricebook/services.ts';
import {
  loadPartCatalogue,
  servicesRequest,
  servicesWithParts,
} from '../../lib/workflows/pricebook/load-service-resources.ts';

export const details = operation({
  title: 'Get a service',
  summary: 'Returns a service with all its settings.',
  rules: [
    'An inactive service is returned too.',
    'IncludeParts fills AllAvailableParts; IncludeInactive adds inactive parts.',
  ],
  access: 'read',
  request: () => {
    const { Id, ...rest } = servicesRequest();
    return { Id: required(Id), ...rest };
  },
  response: () => ({ Matches: many(ServiceDetailed) }),
  example: { Id: 1, IncludeParts: true },
  async run(request, { store }) {
    const [found, revenueCategories, catalogue] = await Promise.all([
      findService(store, request.Id),
      listBookEntries(store, 'revenueCategories'),
      loadPartCatalogue(store, request),
    ]);
    const service = orNotFound(found, 'service', 'Id', request.Id);
    const Matches = servicesWithParts([service], catalogue, (record, parts) =>
      serviceToDetailedResource(record, parts, { revenueCategories }),
    );
    return { Matches };
  },
});
