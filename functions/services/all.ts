import { Service } from '../../lib/entities/services.ts';
import { operation } from '../../lib/api/operation.ts';
import { serviceToResource } from '../../lib/domain/pricebook/service-to-resource.ts';
import { many } from '../../lib/resources/fields.ts';
import { findServices, listDisplayedServices } from '../../lib/store/pricebook/services.ts';
import {
  loadPartCatalogue,
  servicesRequest,
  servicesWithParts,
} from '../../lib/workflows/pricebook/load-service-resources.ts';

export const all = operation({
  title: 'List services',
  summary: 'Lists the services, by id.',
  rules: [
    'A key of one organization lists its own services and those that every organization has; a key of the ' +
      'account lists all.',
    'Id limits the list to one service.',
    'IncludeParts fills AvailableParts and PartCategories: a part is available where neither its limits nor ' +
      'those of the service exclude it.',
    'A change of a service shows within a second.',
  ],
  access: 'read',
  failures: [],
  request: servicesRequest,
  ifTooLarge: 'Name one service by Id, or call with a key of one organization.',
  response: () => ({ Matches: many(Service) }),
  example: { IncludeParts: true },
  async run(request, { store }) {
    const { Id, IncludeInactive } = request;
    const [services, catalogue] = await Promise.all([
      Id ? findServices(store, [Id]) : listDisplayedServices(store),
      loadPartCatalogue(store, request),
    ]);
    const included = IncludeInactive ? services : services.filter(({ Active }) => Active);
    return { Matches: servicesWithParts(included, catalogue, serviceToResource) };
  },
});
