import type { ServiceAgentRecord } from '../../entities/service-agents.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { AppointmentInput } from '../../resources/appointments.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { isEqual } from '../../shared/equality.ts';
import { forbidden, invalid } from '../../shared/failure.ts';
import { fold } from '../../shared/text/text.ts';
import { findDefaultOrganization } from '../../store/accounts/accounts.ts';
import type { Freshness } from '../../store/dynamodb/verified-cache.ts';
import { getOrganization } from '../../store/organizations/current-organization.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import { type ServiceSelector, findSelectedService } from '../../store/pricebook/services.ts';
import { settingsOf } from '../../store/settings.ts';
import type { ReadContext } from '../context.ts';
import { serviceNotFound } from '../suggestions.ts';
import { type ProposalLinks, type Reference, loadProposals } from './references.ts';

/** What of an organization decides whether, when and at what price it can be booked. */
interface Company {
  readonly organization: OrganizationRecord;
  readonly agents: ReadonlyMap<number, ServiceAgentRecord>;
  readonly customFields: readonly CustomField[];
  readonly taxRates: readonly NamedTaxRate[];
}

/** What a booking is made with. */
export interface BookingContext extends Company {
  readonly service: ServiceRecord;
  /** The request field that names the service. */
  readonly serviceField: string;
  readonly contact: ContactRecord;
  /** The proposals of the appointment, its own before its root's. */
  readonly proposals: readonly ProposalRecord[];
}

export type ServiceReference = Pick<AppointmentInput, 'ServiceId' | 'ServiceName'>;

interface BookingSelection {
  readonly freshness: Freshness;
  /** Read already, in parallel with the contact. */
  readonly prefetched?: PrefetchedCompany | undefined;
  readonly organizationId: number;
  readonly service: ServiceReference;
  /** The request field of the service's name. */
  readonly nameField?: string;
  readonly links?: ProposalLinks;
  /** Already loaded; their proposals are not read again. */
  readonly references?: readonly Reference[];
}

/** Current where a write decides by it; a search may remember it for 30 seconds. */
async function loadCompany(
  { table, caller: { accountId } }: ReadContext,
  organizationId: number,
  freshness: Freshness,
): Promise<Company> {
  const [organization, agents, customFields, taxRates] = await Promise.all([
    getOrganization(table, accountId, organizationId, freshness),
    agentsOf(table, { accountId, organizationId }, freshness),
    settingsOf<CustomField>(table, accountId, 'CustomField', freshness),
    settingsOf<NamedTaxRate>(table, accountId, 'NamedTaxRate', freshness),
  ]);
  return { organization, agents, customFields, taxRates };
}

const toSelector = ({ ServiceId: id, ServiceName }: ServiceReference): ServiceSelector => ({
  id,
  name: ServiceName?.trim(),
});

interface PrefetchedCompany {
  readonly company: Company;
  readonly selector: ServiceSelector;
  /** `undefined` if the selector is empty or finds none. */
  readonly service: ServiceRecord | undefined;
}

/**
 * Reads the current company and service in parallel with the contact, so that they cost no round. The organization of
 * the contact is not known yet: it is the caller's, or probably the default one of the account.
 */
export async function prefetchCompany(context: ReadContext, reference: ServiceReference): Promise<PrefetchedCompany> {
  const { table, caller } = context;
  const { accountId } = caller;
  const organizationId = caller.organizationId ?? (await findDefaultOrganization(table, accountId));
  const selector = toSelector(reference);
  const [company, service] = await Promise.all([
    loadCompany(context, organizationId, 'current'),
    selector.id || selector.name
      ? findSelectedService(table, { scope: { accountId, organizationId }, selector, freshness: 'current' })
      : undefined,
  ]);
  return { company, selector, service };
}

/** Everything but the contact, in one round; in none if all of it is prefetched. */
export async function loadBookingContext(
  context: ReadContext,
  selection: BookingSelection,
): Promise<Omit<BookingContext, 'contact'>> {
  const { organizationId, service: reference, nameField = 'ServiceName', links = {}, references = [] } = selection;
  const { table, caller } = context;
  const { freshness } = selection;
  const selector = toSelector(reference);
  const { id, name } = selector;
  if (!id && !name)
    throw nameField === 'ServiceName'
      ? invalid({ field: 'ServiceId', code: 'required', message: 'or ServiceName is required' })
      : invalid({ field: nameField, code: 'required', message: 'is required' });
  const scope = { accountId: caller.accountId, organizationId };
  const prefetched =
    selection.prefetched?.company.organization.Id === organizationId ? selection.prefetched : undefined;
  const loadService = () => findSelectedService(table, { scope, selector, freshness });
  const [company, service, proposals] = await Promise.all([
    prefetched?.company ?? loadCompany(context, organizationId, freshness),
    prefetched && isEqual(prefetched.selector, selector) ? prefetched.service : loadService(),
    loadProposals(context, links, references),
  ]);
  if (freshness === 'current' && caller.organizationId !== null && company.organization.Suspended)
    throw forbidden('organization_suspended', `Organization ${organizationId} is canceled.`);
  const serviceField = id ? 'ServiceId' : nameField;
  if (!service) throw await serviceNotFound(context, organizationId, { field: serviceField, id, name });
  if (id && name && fold(name) !== fold(service.Name))
    throw invalid({
      field: nameField,
      code: 'mismatch',
      message: `is not the name of service ${id}, which is ${service.Name}`,
    });
  return { ...company, service, serviceField, proposals };
}
