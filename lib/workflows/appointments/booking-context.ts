import { type AdditionalAgent, type AppointmentRecord, blankAppointment } from '../../domain/appointments/record.ts';
import { changeStatus } from '../../domain/appointments/status.ts';
import type { ContactRecord } from '../../domain/contacts/record.ts';
import type { InvoiceRecord } from '../../domain/invoices/record.ts';
import type { OrganizationRecord } from '../../domain/organizations.ts';
import { loadPostalData } from '../../domain/postal/load.ts';
import type { Position } from '../../domain/postal/miles.ts';
import type { ServiceRecord } from '../../domain/pricebook/record.ts';
import type { ProposalRecord } from '../../domain/proposals/record.ts';
import { type ServiceAgentRecord, matchAgent } from '../../domain/service-agents.ts';
import type { AppointmentInput, SlotInput } from '../../resources/appointments.ts';
import { conflict, forbidden, invalid, notFound, orInvalid, orNotFound } from '../../shared/failure.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { parseMoment } from '../../shared/read-moments.ts';
import { fold } from '../../shared/text.ts';
import { findAppointment } from '../../store/appointments.ts';
import type { Caller } from '../../store/caller.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';
import { findInvoice } from '../../store/invoices.ts';
import { getRecentOrganization } from '../../store/organizations.ts';
import { findProposal } from '../../store/proposals.ts';
import { listRecentAgents } from '../../store/service-agents.ts';
import { findRecentService } from '../../store/services.ts';
import type { ReadContext, WriteContext } from '../context.ts';

/** An appointment as a workflow leaves it, and the changes that store it. */
export interface Booking {
  readonly appointment: AppointmentRecord;
  readonly changes: readonly Change[];
}

/** What a booking is made with. Organization, agents and service are up to 30 seconds old. */
export interface BookingContext {
  readonly organization: OrganizationRecord;
  readonly agents: ReadonlyMap<number, ServiceAgentRecord>;
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
  readonly organizationId: number;
  readonly service: ServiceReference;
  /** The request field of the service's name. */
  readonly nameField?: string;
  readonly links?: ProposalLinks;
  /** Already loaded; their proposals are not read again. */
  readonly references?: readonly Reference[];
}

/** Everything but the contact, in one round. */
export async function loadBookingContext(
  context: ReadContext,
  { organizationId, service: reference, nameField = 'ServiceName', links = {}, references = [] }: BookingSelection,
): Promise<Omit<BookingContext, 'contact'>> {
  const { table, caller, now } = context;
  const [id, name] = [reference.ServiceId, reference.ServiceName?.trim()];
  if (!id && !name)
    throw nameField === 'ServiceName'
      ? invalid({ field: 'ServiceId', message: 'or ServiceName is required' })
      : invalid({ field: nameField, message: 'is required' });
  const scope = { accountId: caller.accountId, organizationId };
  const [organization, agents, found, proposals] = await Promise.all([
    getRecentOrganization(table, caller.accountId, organizationId, now),
    listRecentAgents(table, scope, now),
    findRecentService(table, scope, { id, name }, now),
    loadProposals(context, links, references),
  ]);
  const serviceField = id ? 'ServiceId' : nameField;
  const service = orNotFound(found, 'service', serviceField, id || name);
  if (id && name && fold(name) !== fold(service.Name))
    throw invalid({ field: nameField, message: `is not the name of service ${id}, which is ${service.Name}` });
  return { organization, agents, service, serviceField, proposals };
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
      : [{ field, message: `is ${noun} ${id} of contact ${record.ContactId}, not of contact ${contactId}` }],
  );
  if (errors.length) throw invalid(...errors);
}

export const referencedProposals = (references: readonly Reference[]): ProposalRecord[] =>
  references.flatMap(({ noun, record }) => (noun === 'proposal' && record ? [record] : []));

export function requireSameContact(former: AppointmentRecord | undefined, contactId: number): void {
  if (former && former.ContactId !== contactId)
    throw invalid({ field: 'ContactId', message: `is not the contact of appointment ${former.Id}` });
}

export function requireAgent(
  { agents }: BookingContext,
  id: number,
  field: string,
): Pick<AppointmentRecord, 'ServiceAgentId' | 'ServiceAgentName'> {
  const { Name } = orNotFound(agents.get(id), 'service agent', field, id);
  return { ServiceAgentId: id, ServiceAgentName: Name };
}

/** The other agents of a slot, by Id, name or e-mail; each agent once. A Duration of 0 is the whole appointment. */
export function resolveAdditionalAgents(
  { agents }: BookingContext,
  input: NonNullable<SlotInput['AdditionalServiceAgents']>,
  mainAgentId: number,
): AdditionalAgent[] {
  const errors: FieldError[] = [];
  const used = new Set([mainAgentId]);
  const resolved = input.flatMap(({ ServiceAgent, ...times }, index): AdditionalAgent[] => {
    const field = `Slots[0].AdditionalServiceAgents[${index}].ServiceAgent`;
    const agent = ServiceAgent ? matchAgent([...agents.values()], ServiceAgent) : undefined;
    if (!agent) {
      const message = ServiceAgent
        ? 'must name a service agent of the organization by Id, Name or Email'
        : 'is required';
      errors.push({ field, message });
      return [];
    }
    if (used.has(agent.Id)) errors.push({ field, message: `repeats agent ${agent.Id} of the appointment` });
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
  if (dateOnly) throw invalid({ field, message: 'must have a time of day' });
  return at;
}

/** A queued appointment of the contact with a new id. */
export async function newAppointment(
  { table, caller, now }: WriteContext,
  { organization, contact }: BookingContext,
): Promise<AppointmentRecord> {
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
  throw change.kind === 'forbidden' ? forbidden(change.message) : conflict(change.message);
}

/** The centre of a postal code, null for an unknown one. */
export async function loadPositions(): Promise<(code: string) => Position | null> {
  const codes = await loadPostalData();
  return (code) => codes.find(code)?.position ?? null;
}
