import { operation } from '../../lib/api/operation.ts';
import { serviceToResource } from '../../lib/domain/pricebook/service-to-resource.ts';
import { many } from '../../lib/resources/resource.ts';
import { Service } from '../../lib/resources/services.ts';
import { findService, listServices } from '../../lib/store/services.ts';
import { loadPartCatalogue, servicesRequest, withParts } from '../../lib/workflows/pricebook/load-service-resources.ts';

export const all = operation({
  name: 'services/all',
  summary: 'The services, by id.',
  description:
    'A key of one organization sees its own services and those that every organization has; a key of the account sees all. Id asks for one. AvailableParts and ' +
    'PartCategories are filled with IncludeParts: the parts whose limits, and those of the service, allow each other. Where the answer would be longer than ' +
    'Lambda can send (6 MB), it is 413.',
  access: 'read',
  needs: ['table:read'],
  request: servicesRequest,
  response: () => ({ Matches: many(Service) }),
  failures: ['tooLarge'],
  example: { IncludeParts: true },
  async run(request, { caller, table }) {
    const { Id } = request;
    const [services, shelf] = await Promise.all([
      Id ? findService(table, caller, Id).then((service) => (service ? [service] : [])) : listServices(table, caller),
      loadPartCatalogue(table, caller.accountId, request),
    ]);
    const asked = request.IncludeInactive ? services : services.filter(({ Active }) => Active);
    return { Matches: withParts(asked, shelf, serviceToResource) };
  },
});
