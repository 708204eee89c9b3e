import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { OfferedService } from '../../pages/booking-page.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { pick } from '../../shared/objects.ts';
import { listDisplayedServices } from '../../store/pricebook/services.ts';
import { settingsOf } from '../../store/settings.ts';
import { quoteWork } from '../booking/quote.ts';
import type { WriteContext } from '../context.ts';
import { type StoreReader, organizationStore } from '../../store/store.ts';

const MAX_OFFERED = 100;

/** The services that clients may book themselves; if two have the same name, the organization's own. */
export async function listOffered(store: StoreReader, organizationId: number): Promise<ServiceRecord[]> {
  const services = await listDisplayedServices(organizationStore(store, organizationId));
  const own = new Set(services.filter(({ OrganizationId }) => OrganizationId !== null).map(({ Name }) => Name));
  const isHidden = ({ OrganizationId, Name }: ServiceRecord) => OrganizationId === null && own.has(Name);
  return services.filter((service) => service.Active && service.SelfSelect && !isHidden(service)).slice(0, MAX_OFFERED);
}

/** What prices a service besides itself: the lists of its account. */
export async function loadPriceLists(store: StoreReader) {
  const [customFields, taxRates] = await Promise.all([
    settingsOf<CustomField>(store, 'CustomField'),
    settingsOf<NamedTaxRate>(store, 'NamedTaxRate'),
  ]);
  return { customFields, taxRates };
}

/** Whether a visit costs the same for any quantity and custom fields of its client. */
const isFixedPrice = (service: ServiceRecord): boolean =>
  service.UnitPrice === 0 &&
  !service.PricingBands.length &&
  !service.QuantityFormula &&
  service.QuantityOverridePartCategoryId === null &&
  [service.BasePriceOverrideCustomFieldId, service.UnitPriceOverrideCustomFieldId].every((id) => id === null);

/** A service as the page offers it: the price and length of a visit, as quickbook would set them now. */
export async function toOffered(
  context: WriteContext,
  lists: Awaited<ReturnType<typeof loadPriceLists>> & { readonly organization: OrganizationRecord },
  { service, contact }: { readonly service: ServiceRecord; readonly contact: ContactRecord },
): Promise<OfferedService> {
  const work = { service, contact, quantity: 1, discount: null, lines: [], formerLines: [], properties: {} };
  const result = await quoteWork(context, lists, work);
  const { total, minutes } = result.kind === 'quoted' ? result.quote : { total: 0, minutes: 0 };
  return {
    ...pick(service, 'Id', 'Name', 'Description'),
    price: total > 0 ? { amount: total, isFixed: isFixedPrice(service) } : undefined,
    minutes,
  };
}
