import type { ServiceAgentRecord } from '../../entities/service-agents.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { AdditionalAgent, AppointmentRecord } from '../../entities/appointments.ts';
import { blankAppointment } from '../../domain/appointments/record.ts';
import { changeStatus } from '../../domain/appointments/status.ts';
import { loadPostalData } from '../../domain/postal/load.ts';
import type { Position } from '../../domain/postal/miles.ts';
import { matchAgent } from '../../domain/service-agents.ts';
import type { AppointmentInput, SlotInput } from '../../resources/appointments.ts';
import { conflict, forbidden, invalid, notFound, orInvalid } from '../../shared/failure.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import { fold } from '../../shared/text/text.ts';
import { findAppointment } from '../../store/appointments.ts';
import type { Caller } from '../../store/requests/caller.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findDefaultOrganization } from '../../store/accounts/accounts.ts';
import { getCurrentOrganization, getRecentOrganization } from '../../store/organizations/organizations.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import { listCurrentAgents, listRecentAgents } from '../../store/organizations/service-agents.ts';
import { type ServiceSelector, findCurrentService, findRecentService } from '../../store/pricebook/services.ts';
import { listCurrentSettings, listRecentSettings } from '../../store/settings.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { isEqual } from '../../shared/equality.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import { requireOpen } from '../organizations/require-open.ts';
import { agentNotFound, describeUnknownAgent, serviceNotFound } from '../suggestions.ts';

/** An appointment as a workflow leaves it, and the changes that store it. */
export interface Booking {
  readonly appointment: AppointmentRecord;
  readonly changes: readonly Change[];
}

/** What of an organization decides whether, when and at what price it can be booked. */
interface Company {
  readonly organization: OrganizationRecord;
  readonly agents: ReadonlyMap<number, ServiceAgentRecord>;
  readonly customFields: readonly CustomField[];
  readonly taxRates: readonly NamedTaxRate[];
}

/** A write decides by what is stored now; a search may remember it for 30 seconds. */
type Freshness = 'current' | 'recent';

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
export type ProposalLinks = Partial<Pick<AppointmentRecord, 'ProposalId' | 'RootProposalId'>>;

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

async function loadCompany(
  { table, caller: { accountId }, now }: ReadContext,
  organizationId: number,
  freshness: Freshness,
): Promise<Company> {
  const scope = { accountId, organizationId };
  const isCurrent = freshness === 'current';
  const [organization, agents, customFields, taxRates] = await Promise.all([
    isCurrent
      ? getCurrentOrganization(table, accountId, organizationId)
      : getRecentOrganization(table, accountId, organizationId, now),
    isCurrent ? listCurrentAgents(table, scope) : listRecentAgents(table, scope, now),
    isCurrent
      ? listCurrentSettings<CustomField>(table, accountId, 'CustomField')
      : listRecentSettings<CustomField>(table, accountId, 'CustomField', now),
    isCurrent
      ? listCurrentSettings<NamedTaxRate>(table, accountId, 'NamedTaxRate')
      : listRecentSettings<NamedTaxRate>(table, accountId, 'NamedTaxRate', now),
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
  const { table, caller, now } = context;
  const { accountId } = caller;
  const organizationId = caller.organizationId ?? (await findDefaultOrganization(table, accountId, now));
  const selector = toSelector(reference);
  const [company, service] = await Promise.all([
    loadCompany(context, organizationId, 'current'),
    selector.id || selector.name ? findCurrentService(table, { accountId, organizationId }, selector) : undefined,
  ]);
  return { company, selector, service };
}

/** Everything but the contact, in one round; in none if all of it is prefetched. */
export async function loadBookingContext(
  context: ReadContext,
  selection: BookingSelection,
): Promise<Omit<BookingContext, 'contact'>> {
  const { organizationId, service: reference, nameField = 'ServiceName', links = {}, references = [] } = selection;
  const { table, caller, now } = context;
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
  const loadService = () =>
    freshness === 'current'
      ? findCurrentService(table, scope, selector)
      : findRecentService(table, scope, selector, now);
  const [company, found, proposals] = await Promise.all([
    prefetched?.company ?? loadCompany(context, organizationId, freshness),
    prefetched && isEqual(prefetched.selector, selector) ? prefetched.service : loadService(),
    loadProposals(context, links, references),
  ]);
  if (freshness === 'current' && caller.organizationId !== null && company.organization.Suspended)
    throw forbidden('organization_suspended', `Organization ${organizationId} is canceled.`);
  const serviceField = id ? 'ServiceId' : nameField;
  const service = found;
  if (!service) throw await serviceNotFound(context, organizationId, { field: serviceField, id, name });
  if (id && name && fold(name) !== fold(service.Name))
    throw invalid({
      field: nameField,
      code: 'mismatch',
      message: `is not the name of service ${id}, which is ${service.Name}`,
    });
  return { ...company, service, serviceField, proposals };
}

async function loadProposals(
  { table, caller }: ReadContext,
  { ProposalId, RootProposalId }: ProposalLinks,
  references: readonly Reference[],
): Promise<ProposalRecord[]> {
  const ids = [...new Set([ProposalId, RootProposalId])].flatMap((id) => id || []);
  const known = new Map(referencedProposals(references).map((proposal) => [proposal.Id, proposal]));
  const found = await Promise.all(ids.map((id) => known.get(id) ?? findProposal(table, caller, id)));
  return found.flatMap((proposal) => proposal ?? []);
}

/** The proposal of an appointment, its own before its root's, if it was loaded. */
export const ownProposal = (
  { ProposalId, RootProposalId }: ProposalLinks,
  proposals: readonly ProposalRecord[],
): ProposalRecord | undefined => proposals.find(({ Id }) => Id === (ProposalId || RootProposalId));

/** A record that a request refers to besides contact and service. */
export type Reference = { readonly field: string; readonly id: number } & (
  | { readonly noun: 'appointment'; readonly record: AppointmentRecord | undefined }
  | { readonly noun: 'proposal'; readonly record: ProposalRecord | undefined }
  | { readonly noun: 'invoice'; readonly record: InvoiceRecord | undefined }
);

/** Reads all references at once; no round without any. `requireReferences` checks that they exist. */
export async function loadReferences(
  { table, caller }: ReadContext,
  request: Pick<AppointmentInput, 'InvoiceId' | 'RootProposalId'>,
  slot: SlotInput | undefined,
): Promise<Reference[]> {
  const read = async <Noun extends string, Found>(
    noun: Noun,
    find: (table: ReadContext['table'], caller: Caller, id: number) => Promise<Found>,
    field: string,
    id: number | null | undefined,
  ) => (id ? [{ noun, field, id, record: await find(table, caller, id) }] : []);
  const found = await Promise.all([
    read('proposal', findProposal, 'RootProposalId', request.RootProposalId),
    read('proposal', findProposal, 'Slots[0].RootProposalId', slot?.RootProposalId),
    read('proposal', findProposal, 'Slots[0].ProposalId', slot?.ProposalId),
    read('invoice', findInvoice, 'InvoiceId', request.InvoiceId),
    read('appointment', findAppointment, 'Slots[0].ReworkForAppointmentId', slot?.ReworkForAppointmentId),
  ]);
  return found.flat();
}

export function requireReferences(references: readonly Reference[]): void {
  for (const { record, noun, field, id } of references) if (!record) throw notFound(noun, field, id);
}

/** 400 if a proposal or an invoice belongs to another contact. */
export function requireOwnReferences(references: readonly Reference[], contactId: number): void {
  const errors = references.flatMap(({ field, noun, id, record }) =>
    noun === 'appointment' || !record || record.ContactId === contactId
      ? []
      : [
          {
            field,
            code: 'mismatch' as const,
            message: `is ${noun} ${id} of contact ${record.ContactId}, not of contact ${contactId}`,
          },
        ],
  );
  if (errors.length) throw invalid(...errors);
}

export const referencedProposals = (references: readonly Reference[]): ProposalRecord[] =>
  references.flatMap(({ noun, record }) => (noun === 'proposal' && record ? [record] : []));

export function requireSameContact(former: AppointmentRecord | undefined, contactId: number): void {
  if (former && former.ContactId !== contactId)
    throw invalid({ field: 'ContactId', code: 'mismatch', message: `is not the contact of appointment ${former.Id}` });
}

export async function requireAgent(
  context: ReadContext,
  { agents, organization }: BookingContext,
  id: number,
  field: string,
): Promise<Pick<AppointmentRecord, 'ServiceAgentId' | 'ServiceAgentName'>> {
  const agent = agents.get(id);
  if (!agent) throw await agentNotFound(context, organization.Id, agents.values(), { field, id });
  return { ServiceAgentId: id, ServiceAgentName: agent.Name };
}

/** The other agents of a slot, by Id, name or e-mail; each agent once. A Duration of 0 is the whole appointment. */
export async function resolveAdditionalAgents(
  context: ReadContext,
  { agents, organization }: BookingContext,
  input: NonNullable<SlotInput['AdditionalServiceAgents']>,
  mainAgentId: number,
): Promise<AdditionalAgent[]> {
  const errors: FieldError[] = [];
  const unknown = input.find(
    ({ ServiceAgent }) => ServiceAgent && !matchAgent([...agents.values()], ServiceAgent),
  )?.ServiceAgent;
  const advice = unknown ? await describeUnknownAgent(context, organization.Id, agents.values(), unknown) : '';
  const used = new Set([mainAgentId]);
  const resolved = input.flatMap(({ ServiceAgent, ...times }, index): AdditionalAgent[] => {
    const field = `Slots[0].AdditionalServiceAgents[${index}].ServiceAgent`;
    const agent = ServiceAgent ? matchAgent([...agents.values()], ServiceAgent) : undefined;
    if (!agent) {
      const known = 'must name a service agent of the organization by Id, Name or Email.';
      const message = ServiceAgent ? `${known} ${ServiceAgent === unknown ? advice : ''}`.trim() : 'is required';
      errors.push({ field, code: 'not_found', message });
      return [];
    }
    if (used.has(agent.Id))
      errors.push({ field, code: 'duplicate', message: `repeats agent ${agent.Id} of the appointment` });
    used.add(agent.Id);
    const { StartMinute = null, Duration = null, ActualStartMinute = null, ActualDuration = null } = times;
    const actuals = { ActualStartMinute, ActualDuration };
    return [{ ServiceAgentId: agent.Id, Name: agent.Name, StartMinute, Duration: Duration || null, ...actuals }];
  });
  if (errors.length) throw invalid(...errors);
  return resolved;
}

/** The start of a slot, in the organization's zone unless it has an offset. */
export function parseStart(text: string, zone: string): number {
  const field = 'Slots[0].DateTime';
  const { at, dateOnly } = orInvalid(parseMoment(text, zone), field);
  if (dateOnly) throw invalid({ field, code: 'format', message: 'must have a time of day' });
  return at;
}

/** A queued appointment of the contact with a new id. */
export async function newAppointment(
  { table, caller, now }: WriteContext,
  { organization, contact }: BookingContext,
): Promise<AppointmentRecord> {
  requireOpen(organization, 'appointments');
  const [Id = 0] = await reserveIds(table, caller.accountId, 'Appointment', 1);
  return blankAppointment({
    Id,
    OrganizationId: organization.Id,
    ContactId: contact.Id,
    HashKey: randomHandle(22),
    Zone: organization.Timezone,
    Created: now.getTime(),
  });
}

/** 409 if the status cannot change so, 403 if the role may not change it. */
export function changeAppointmentStatus(
  appointment: AppointmentRecord,
  status: number,
  { role }: Caller,
): AppointmentRecord {
  const change = changeStatus(appointment.Status, status, role);
  if (change.ok) return { ...appointment, Status: status };
  throw change.kind === 'forbidden'
    ? forbidden('role_forbidden', change.message)
    : conflict('wrong_state', change.message);
}

/** The centre of a postal code, null for an unknown one. */
export async function loadPositions(): Promise<(code: string) => Position | null> {
  const codes = await loadPostalData();
  return (code) => codes.find(code)?.position ?? null;
}
