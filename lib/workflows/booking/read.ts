import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import { type BookingCall, callFingerprint } from '../../domain/appointments/call-content.ts';
import type { AppointmentRecord, SlotInput } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { AppointmentInput } from '../../resources/appointments.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { conflict } from '../../shared/failure.ts';
import { findDefaultOrganization } from '../../store/accounts/accounts.ts';
import { type CallCenterCall, findAppointment, findCallCenterCalls } from '../../store/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import { type ServiceSelector, findSelectedService } from '../../store/pricebook/services.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import { settingsOf } from '../../store/settings.ts';
import { type StoreReader, organizationStore } from '../../store/store.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { ReadContext } from '../context.ts';
import type { Company, Reference, ServiceReference } from './types.ts';
import type { RepeatablePolicy } from './input.ts';

/** Step 1, read: loads what a request names, in one round. */

type NamingRequest = Pick<
  AppointmentInput,
  'AppointmentId' | 'ContactId' | 'ServiceId' | 'ServiceName' | 'InvoiceId' | 'RootProposalId' | 'Slots'
>;

/** What a request names. Anything that does not exist is left out, except a contact. */
export interface Named {
  /** The appointment that an earlier identical call made. */
  readonly repeated: AppointmentRecord | undefined;
  readonly slot: SlotInput | undefined;
  /** The appointment that AppointmentId names. */
  readonly former: AppointmentRecord | undefined;
  readonly contact: ContactRecord | undefined;
  readonly references: readonly Reference[];
  readonly prefetched: PrefetchedCompany;
}

export async function readNamed<Request extends NamingRequest & BookingCall>(
  policy: RepeatablePolicy<Request>,
  request: Request,
  context: ReadContext,
): Promise<Named> {
  const slot = policy.slotOf(request.Slots?.[0]);
  const { appointmentId, contactId } = policy.namedBy(request);
  const { ServiceId, ServiceName } = request;
  const service = ServiceId || ServiceName ? { ServiceId, ServiceName } : { ServiceId: slot?.ServiceId };
  const [repeated, former, contact, references, prefetched] = await Promise.all([
    // Comes first, because the zone that the others read is not known at once.
    findRepeatedCall(context, policy, request),
    appointmentId ? findAppointment(context.store, appointmentId) : undefined,
    contactId ? loadContact(context, contactId) : undefined,
    loadReferences(context, request, slot),
    prefetchCompany(context, service),
  ]);
  return { repeated, slot, former, contact, references, prefetched };
}

/**
 * The appointment that an earlier call with the same CallCenterTransactionId made in the organization. Throws conflict
 * if that call asked for something else.
 */
export async function findRepeatedCall<Request extends BookingCall>(
  context: ReadContext,
  policy: RepeatablePolicy<Request>,
  request: Request,
): Promise<AppointmentRecord | undefined> {
  const transaction = request.CallCenterTransactionId;
  if (!transaction) return undefined;
  const { store, caller } = context;
  const found = await findCallCenterCalls(store, transaction);
  if (!found.length) return undefined;
  const organizationId = await requestedOrganization(context, policy, request);
  const isOfOne = caller.organizationId === null && organizationId !== undefined;
  const calls = isOfOne ? await findCallCenterCalls(organizationStore(store, organizationId), transaction) : found;
  // Calls of earlier versions have no fingerprint.
  const isRepeated = ({ appointment, fingerprint, zone }: CallCenterCall) =>
    appointment && (fingerprint === undefined || fingerprint === callFingerprint(policy.operation, request, zone));
  const repeated = calls.find(isRepeated);
  const [other] = calls;
  if (!repeated && other)
    throw conflict(
      'idempotency_mismatch',
      `CallCenterTransactionId ${transaction} made appointment ${other.id} ` +
        `${other.appointment ? 'with another request' : 'which is not there any more'}. Use a new one.`,
    );
  return repeated?.appointment;
}

/** The organization in which a call books; `undefined` if the contact of a lead decides it. */
async function requestedOrganization<Request>(
  { store, caller }: ReadContext,
  policy: RepeatablePolicy<Request>,
  request: Request,
): Promise<number | undefined> {
  if (caller.organizationId !== null) return caller.organizationId;
  const { appointmentId, contactId } = policy.namedBy(request);
  const record = appointmentId
    ? await findAppointment(store, appointmentId)
    : contactId
      ? await findContact(store, contactId)
      : undefined;
  return record?.OrganizationId;
}

export async function loadCompany({ store }: ReadContext, organizationId: number): Promise<Company> {
  const [organization, agents, customFields, taxRates] = await Promise.all([
    getOrganization(store, organizationId),
    agentsOf(store, organizationId),
    settingsOf<CustomField>(store, 'CustomField'),
    settingsOf<NamedTaxRate>(store, 'NamedTaxRate'),
  ]);
  return { organization, agents, customFields, taxRates };
}

export const toSelector = ({ ServiceId: id, ServiceName }: ServiceReference): ServiceSelector => ({
  id,
  name: ServiceName?.trim(),
});

export interface PrefetchedCompany {
  readonly company: Company;
  readonly selector: ServiceSelector;
  /** `undefined` if the selector is empty or finds none. */
  readonly service: ServiceRecord | undefined;
}

/**
 * Reads the current company and service in parallel with the contact, so that they cost no round. The contact's
 * organization is not known yet, so this assumes the caller's, else the account's default one.
 */
export async function prefetchCompany(context: ReadContext, reference: ServiceReference): Promise<PrefetchedCompany> {
  const { store, caller } = context;
  const organizationId = caller.organizationId ?? (await findDefaultOrganization(store));
  const selector = toSelector(reference);
  const [company, service] = await Promise.all([
    loadCompany(context, organizationId),
    selector.id || selector.name ? findSelectedService(store, organizationId, selector) : undefined,
  ]);
  return { company, selector, service };
}

/** Reads all references at once; no round if there are none. Those that do not exist have no record. */
export async function loadReferences(
  { store }: ReadContext,
  request: Pick<AppointmentInput, 'InvoiceId' | 'RootProposalId'>,
  slot: SlotInput | undefined,
): Promise<Reference[]> {
  const read = async <Noun extends string, Found>(
    noun: Noun,
    find: (store: StoreReader, id: number) => Promise<Found>,
    field: string,
    id: number | null | undefined,
  ) => (id ? [{ noun, field, id, record: await find(store, id) }] : []);
  const found = await Promise.all([
    read('proposal', findProposal, 'RootProposalId', request.RootProposalId),
    read('proposal', findProposal, 'Slots[0].RootProposalId', slot?.RootProposalId),
    read('proposal', findProposal, 'Slots[0].ProposalId', slot?.ProposalId),
    read('invoice', findInvoice, 'InvoiceId', request.InvoiceId),
    read('appointment', findAppointment, 'Slots[0].ReworkForAppointmentId', slot?.ReworkForAppointmentId),
  ]);
  return found.flat();
}
