import { loadContact } from '../contacts/load-contact.ts';
import { findRecentService } from '../../store/services.ts';
import { parseWebLead } from '../../domain/appointments/web-lead.ts';
import { planUpserts } from '../contacts/upsert-contacts.ts';
import type { Caller } from '../../store/caller.ts';
import type { Context } from '../../api/context.ts';
import { callbackUrlErrors } from '../../domain/appointments/callbacks.ts';
import type { AppointmentRecord } from '../../domain/appointments/record.ts';
import { type LeadFields, leadField } from '../../domain/appointments/web-lead.ts';
import type { ContactRecord } from '../../domain/contacts/record.ts';
import type { InvoiceRecord } from '../../domain/invoices/record.ts';
import type { OrganizationRecord } from '../../domain/organizations.ts';
import { loadPostalData } from '../../domain/postal/load.ts';
import type { Position } from '../../domain/postal/miles.ts';
import type { ServiceRecord } from '../../domain/pricebook/record.ts';
import type { ProposalRecord } from '../../domain/proposals/record.ts';
import type { ServiceAgentRecord } from '../../domain/service-agents.ts';
import type { AppointmentSlot } from '../../resources/appointments.ts';
import type { Input } from '../../resources/resource.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { parseMoment } from '../../shared/read-moments.ts';
import { fold } from '../../shared/text.ts';
import { findAppointment, findByCallCenterTransaction } from '../../store/appointments.ts';
import { findContact } from '../../store/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { findInvoice } from '../../store/invoices.ts';
import { getRecentOrganization } from '../../store/organizations.ts';
import { findProposal } from '../../store/proposals.ts';
import { listRecentAgents } from '../../store/service-agents.ts';

/** Reads on behalf of a caller. */
export interface ReadContext {
  readonly table: TableReader;
  readonly caller: Caller;
  readonly now: Date;
}

/** Where an appointment belongs: the organization, its agents, and the service to be done, as they were up to 30 seconds ago. */
export interface BookingContext {
  readonly organization: OrganizationRecord;
  readonly agents: ReadonlyMap<number, ServiceAgentRecord>;
  readonly service: ServiceRecord;
  /** The field that names it. */
  readonly named: string;
}

/** A service as a request names it. */
export interface NamedService {
  readonly ServiceId?: number | null | undefined;
  readonly ServiceName?: string | null | undefined;
}

/** Organization, agents and service; `field` is what the request calls the service's name. */
export async function loadBookingContext(
  { table, caller, now }: ReadContext,
  organizationId: number,
  { ServiceId, ServiceName }: NamedService,
  field = 'ServiceName',
): Promise<BookingContext> {
  const name = ServiceName?.trim();
  if (!ServiceId && !name)
    throw invalid({
      field: field === 'ServiceName' ? 'ServiceId' : field,
      message: field === 'ServiceName' ? 'or ServiceName is required' : 'is required',
    });
  const scope = { accountId: caller.accountId, organizationId };
  const [organization, agents, service] = await Promise.all([
    getRecentOrganization(table, caller.accountId, organizationId, now),
    listRecentAgents(table, scope, now),
    findRecentService(table, scope, { id: ServiceId, name }, now),
  ]);
  const named = ServiceId ? 'ServiceId' : field;
  if (!service) throw notFound('service', named, ServiceId || name);
  if (ServiceId && name && fold(name) !== fold(service.Name))
    throw invalid({ field: field, message: `is not the name of service ${ServiceId}, which is ${service.Name}` });
  return { organization, agents, service, named };
}

/** What an operation that writes works with. */
export type WriteContext = Pick<Context<'table:write'>, 'table' | 'caller' | 'now' | 'baseUrl'>;

/** A slot as a request brings it. */
export type SlotInput = Input<typeof AppointmentSlot>;

/** The moment of a slot, in the organization's zone unless it has an offset. */
export function parseStart(text: string, zone: string, field = 'Slots[0].DateTime'): number {
  const parsed = parseMoment(text, zone);
  if (!parsed.ok) throw invalid({ field: field, message: `cannot be read: ${parsed.reason}` });
  if (parsed.dateOnly) throw invalid({ field: field, message: 'must have a time of day' });
  return parsed.at;
}

/** An agent of the organization, 404 where there is none of the id. */
export function findAgent(
  { agents }: BookingContext,
  id: number,
  field: string,
): { readonly ServiceAgentId: number; readonly ServiceAgentName: string } {
  const agent = agents.get(id);
  if (!agent) throw notFound('service agent', field, id);
  return { ServiceAgentId: id, ServiceAgentName: agent.Name };
}

/** What a request may name beside contact and service. */
export interface ReferenceInput {
  readonly InvoiceId?: number | null | undefined;
  readonly RootProposalId?: number | null | undefined;
}

/** Something that a request names, as it is. */
type Found =
  | { readonly what: 'appointment'; readonly record: AppointmentRecord | undefined }
  | { readonly what: 'proposal'; readonly record: ProposalRecord | undefined }
  | { readonly what: 'invoice'; readonly record: InvoiceRecord | undefined };
type Named = Found & { readonly field: string; readonly id: number };

/** All that a request names, each thing side by side; refused where the caller sees no such thing. No round where it names nothing. */
export async function loadReferences(
  { table, caller }: ReadContext,
  said: ReferenceInput,
  slot?: SlotInput,
): Promise<readonly Named[] | Refusal> {
  const read = async (
    field: string,
    id: number | null | undefined,
    find: (id: number) => Promise<Found>,
  ): Promise<Named[]> => (id ? [{ field, id, ...(await find(id)) }] : []);
  const proposal = async (id: number): Promise<Found> => ({
    what: 'proposal',
    record: await findProposal(table, caller, id),
  });
  const found = await Promise.all([
    read('RootProposalId', said.RootProposalId, proposal),
    read('Slots[0].RootProposalId', slot?.RootProposalId, proposal),
    read('Slots[0].ProposalId', slot?.ProposalId, proposal),
    read('InvoiceId', said.InvoiceId, async (id) => ({
      what: 'invoice',
      record: await findInvoice(table, caller, id),
    })),
    read('Slots[0].ReworkForAppointmentId', slot?.ReworkForAppointmentId, async (id) => ({
      what: 'appointment',
      record: await findAppointment(table, caller, id),
    })),
  ]);
  const named = found.flat();
  const missing = named.find(({ record }) => !record);
  return missing ? { refused: 'missing', what: missing.what, field: missing.field, id: missing.id } : named;
}

/** Refused where a proposal or an invoice is another contact's. */
export function contactReferences(named: readonly Named[], contactId: number): Refusal | undefined {
  const foreign = named.flatMap(({ field, what, id, record }) =>
    what === 'appointment' || !record || record.ContactId === contactId
      ? []
      : [{ field, message: `${what} ${id} is one of contact ${record.ContactId}, not of contact ${contactId}` }],
  );
  return foreign.length ? invalidResult(...foreign) : undefined;
}

/** The service of the proposal that a request names, for one that names no service. */
export const referencedService = (named: readonly Named[]): number | undefined =>
  named.flatMap(({ what, record }) => (what === 'proposal' && record ? record.ServiceId : [])).at(-1);

/** The proposal that an appointment is of, its own before its root's, where it was read. */
export const ownProposal = (
  { ProposalId, RootProposalId }: Links,
  proposals: readonly ProposalRecord[],
): ProposalRecord | undefined => proposals.find(({ Id }) => Id === (ProposalId || RootProposalId));

type Links = Partial<Pick<AppointmentRecord, 'ProposalId' | 'RootProposalId'>>;

/** The proposals of an appointment, its own before its root's: those that the request named, or read now. */
export async function loadProposals(
  { table, caller }: ReadContext,
  { ProposalId, RootProposalId }: Links,
  named: readonly Named[],
): Promise<ProposalRecord[]> {
  const ids = [...new Set([ProposalId, RootProposalId])].flatMap((id) => id || []);
  const known = new Map(
    named.flatMap(({ what, record }) => (what === 'proposal' && record ? [[record.Id, record]] : [])),
  );
  const found = await Promise.all(ids.map((id) => known.get(id) ?? findProposal(table, caller, id)));
  return found.flatMap((proposal) => proposal ?? []);
}

/** The appointment that a CallCenterTransactionId has made already: a repeat does nothing and is answered with it. */
export async function findRepeated(
  { table, caller }: ReadContext,
  transaction: number | null | undefined,
): Promise<AppointmentRecord | undefined> {
  const first = await findByCallCenterTransaction(table, caller, transaction);
  if (first === 'foreign')
    throw conflict(`CallCenterTransactionId ${transaction} was used in another organization. Use a new one.`);
  return first;
}

/** Addresses that a request brings, each trimmed; what is not given is not there. Refused where one is no address that may be called. */
export function checkLinks<const Name extends string>(
  contactInput: Readonly<Record<Name, string | null | undefined>>,
): Partial<Record<Name, string>> | Refusal {
  const told = Object.entries<string | null | undefined>(contactInput).filter(([, text]) => text !== undefined);
  const found = callbackUrlErrors(contactInput, { allowLoopback: process.env['STAGE'] === 'local' });
  if (found.length) return invalidResult(...found);
  return Object.fromEntries(told.map(([name, text]) => [name, (text ?? '').trim()])) as Partial<Record<Name, string>>;
}

/** Finds or makes the contact of a booking by the rules of contacts/addupdate, a new one in the organization that owns its postal code; nothing is stored yet. */
export async function loadLeadContact(
  { table, caller, now }: WriteContext,
  contactInput: LeadFields,
  ContactId: number | null | undefined,
): Promise<{ contact: ContactRecord; changes: readonly Change[] }> {
  const upsert = await planUpserts(
    [{ input: parseWebLead(contactInput, ContactId), criteria: undefined, distribute: true }],
    { table, caller, now },
  );
  if (upsert.kind === 'missing') throw notFound('contact', 'ContactId', ContactId);
  if (upsert.kind === 'invalid')
    throw invalid(...upsert.errors.map(({ field, message }) => ({ field: leadField(field), message })));
  const [contact] = upsert.kind === 'ready' ? upsert.records : [];
  if (upsert.kind === 'ready' && contact) return { contact, changes: upsert.changes };
  const ids = upsert.kind === 'ambiguous' ? upsert.candidates.map(({ Id }) => Id).join(', ') : '';
  throw conflict(`Several contacts fit: ${ids}. Name one in ContactId.`);
}

/** The centre of a postal code, null for one that is not known. */
export async function loadPositions(): Promise<(code: string) => Position | null> {
  const codes = await loadPostalData();
  return (code) => codes.find(code)?.position ?? null;
}

/** Why something cannot be done, as what lies beside the bundle answers it: 400 with faults, 404, or 409 with a sentence. */
export type Refusal =
  | { readonly refused: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly refused: 'conflict'; readonly message: string }
  | { readonly refused: 'missing'; readonly what: string; readonly field: string; readonly id: number };

export const invalidResult = (...of: readonly FieldError[]): Refusal => ({ refused: 'invalid', errors: of });

export const conflicting = (message: string): Refusal => ({ refused: 'conflict', message });

export const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' && answer !== null && 'refused' in answer;

/** What the engine answered, where it did not refuse; 400, 404 or 409 where it did. */
export function allowed<Of>(answer: Of | Refusal): Of {
  if (!isRefusal(answer)) return answer;
  if (answer.refused === 'conflict') throw conflict(answer.message);
  throw answer.refused === 'invalid' ? invalid(...answer.errors) : notFound(answer.what, answer.field, answer.id);
}
