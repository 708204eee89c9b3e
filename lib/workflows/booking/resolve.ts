import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { BookInput, SlotInput } from '../../resources/appointments.ts';
import { applyValue } from '../../resources/fields.ts';
import { invalid, orNotFound } from '../../shared/failure.ts';
import { definedFields } from '../../shared/objects.ts';
import { parseCallbackAddresses } from '../../shared/web/web-addresses.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { ReadContext } from '../context.ts';
import { agentNotFound } from '../suggestions.ts';
import { type BookingContext, type ProposalLinks, type WorkInput, requireSameContact } from './booking.ts';
import { type BookingPolicy, type BookingRequest, type ValueSources, BOOK } from './policies.ts';
import {
  type Named,
  type Reference,
  type ServiceReference,
  loadBookingContext,
  referencedProposals,
  requireReferences,
} from './read.ts';

/** Step 2, resolve: what is booked, of all that the request, its slot, the former appointment and its proposal say. */

interface BookingSources extends ValueSources {
  readonly references?: readonly Reference[];
  /** The contact to which the references must belong. */
  readonly contactId?: number;
}

export interface BookingInput {
  readonly service: ServiceReference;
  readonly links: Required<ProposalLinks>;
  readonly work: WorkInput;
  /** The other fields of the appointment that the request changes. */
  readonly details: Partial<AppointmentRecord>;
}

type MainAgent = Pick<AppointmentRecord, 'ServiceAgentId' | 'ServiceAgentName'>;

/** What book books. */
export interface ResolvedBooking extends BookingContext {
  readonly input: BookingInput;
  /** The queued or canceled appointment that is booked, if it is not a new one. */
  readonly former: AppointmentRecord | undefined;
  readonly slot: SlotInput;
  readonly agent: MainAgent;
}

/** Throws where something that the request names does not exist or does not fit the rest. */
export async function resolveBooking(
  request: BookInput,
  { slot, former, contact: namedContact, references, prefetched }: Named,
  context: ReadContext,
): Promise<ResolvedBooking> {
  if (request.AppointmentId) orNotFound(former, 'appointment', 'AppointmentId', request.AppointmentId);
  requireReferences(references);
  const contact = namedContact ?? (await loadContact(context, former?.ContactId));
  requireSameContact(former, contact.Id);
  const input = resolveInput(BOOK, { request, slot, former, references, contactId: contact.Id });
  const loaded = await loadBookingContext(context, {
    organizationId: former?.OrganizationId ?? contact.OrganizationId,
    service: input.service,
    links: input.links,
    references,
    prefetched,
  });
  const booking = { contact, ...loaded };
  const placed = requireSlot(slot);
  const agent = await requireAgent(context, booking, placed.ServiceAgentId);
  return { ...booking, input, former, slot: placed, agent };
}

/** 400 for a slot without a time or an agent. */
function requireSlot(slot: SlotInput | undefined): SlotInput & { readonly ServiceAgentId: number } {
  const { ServiceAgentId, DateTime, ArrivalFrom } = slot ?? {};
  const missing = [...(DateTime || ArrivalFrom ? [] : ['DateTime']), ...(ServiceAgentId ? [] : ['ServiceAgentId'])];
  if (!ServiceAgentId || missing.length)
    throw invalid(
      ...missing.map((field) => ({ field: `Slots[0].${field}`, code: 'required' as const, message: 'is required' })),
    );
  return { ...slot, ServiceAgentId };
}

export async function requireAgent(
  context: ReadContext,
  { agents, organization }: BookingContext,
  id: number,
): Promise<MainAgent> {
  const agent = agents.get(id);
  if (!agent)
    throw await agentNotFound(context, organization.Id, agents.values(), { field: 'Slots[0].ServiceAgentId', id });
  return { ServiceAgentId: id, ServiceAgentName: agent.Name };
}

/**
 * Decides from which source each value is taken: the request, else its slot, else the former appointment, else the
 * proposal. Typed clients send blanks (0, "", []) for what they do not set, so a blank is no value, except in Discount.
 */
export function resolveInput(policy: BookingPolicy, sources: BookingSources): BookingInput {
  const { request, slot, former, references = [], contactId } = sources;
  if (contactId) requireOwnReferences(references, contactId);
  const details = resolveDetails(policy, request, slot);
  const links = {
    ProposalId: details.ProposalId ?? former?.ProposalId ?? 0,
    RootProposalId: details.RootProposalId === undefined ? (former?.RootProposalId ?? null) : details.RootProposalId,
  };
  const proposalServiceId = referencedProposals(references).at(-1)?.ServiceId;
  const lines = policy.linesOf(sources);
  const isSameSale = !request.Quantity && links.RootProposalId === former?.RootProposalId;
  return {
    service:
      request.ServiceId || request.ServiceName
        ? request
        : { ServiceId: slot?.ServiceId || former?.ServiceId || proposalServiceId },
    links,
    work: {
      quantity: request.Quantity || slot?.Quantity || former?.Quantity || request.Quantity,
      discount: policy.discountOf(sources),
      lines,
      keepsLines: lines === former?.AddOnParts,
      properties: details.CustomProperties ?? former?.CustomProperties ?? {},
      duration: typeof request.Duration === 'string' ? request.Duration : undefined,
      minutes: policy.minutesOf(sources),
      formerMinutes: policy.keepsLength && isSameSale ? former?.Duration : undefined,
      links,
      former,
    },
    details,
  };
}

/** 400 if a proposal or an invoice belongs to another contact. */
function requireOwnReferences(references: readonly Reference[], contactId: number): void {
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

/**
 * In the request absent is unchanged and `null` clears. In the slot a blank is unchanged too; `null` clears in update,
 * except in Status, Shadow and RootProposalId, which are null in every slot of slotsearch; CustomProperties everywhere.
 */
function resolveDetails(
  { nullInSlot }: BookingPolicy,
  request: BookingRequest,
  slot: SlotInput | undefined,
): Partial<AppointmentRecord> {
  const fromSlot = <Value>(value: Value | null | undefined): Value | null | undefined =>
    value === null ? nullInSlot : value || undefined;
  const fromEither = (field: 'NotificationUri' | 'ThirdPartyUrl') =>
    request[field] === undefined ? fromSlot(slot?.[field]) : request[field];
  const proposalId = fromSlot(slot?.ProposalId);
  return definedFields<Partial<AppointmentRecord>>({
    ...callbackAddresses({
      ConfirmationUri: request.ConfirmationUri,
      NotificationUri: fromEither('NotificationUri'),
      EnRouteUri: request.EnRouteUri,
      ThirdPartyUrl: fromEither('ThirdPartyUrl'),
    }),
    InvoiceId: request.InvoiceId === null ? 0 : request.InvoiceId || undefined,
    RootProposalId:
      request.RootProposalId === null ? null : request.RootProposalId || slot?.RootProposalId || undefined,
    ProposalId: proposalId === null ? 0 : proposalId,
    Notes: applyValue(request.Notes, undefined, ''),
    NotificationOptions: applyValue(request.NotificationOptions, undefined, []),
    ReworkForAppointmentId: fromSlot(slot?.ReworkForAppointmentId),
    Shadow: slot?.Shadow ?? undefined,
    CustomProperties: resolveProperties(slot?.CustomProperties),
  });
}

/** `null` clears them in every operation; a slot of slotsearch without any has `{}`, which changes nothing. */
function resolveProperties(
  properties: SlotInput['CustomProperties'],
): AppointmentRecord['CustomProperties'] | undefined {
  if (properties === null) return {};
  return properties && Object.keys(properties).length ? properties : undefined;
}

/** The callback addresses of a request; 400 for one that must not be called. */
function callbackAddresses<Name extends string>(
  input: Readonly<Record<Name, string | null | undefined>>,
): Partial<Record<Name, string>> {
  const { addresses, errors } = parseCallbackAddresses(input, { allowLoopback: process.env['STAGE'] === 'local' });
  if (errors.length) throw invalid(...errors);
  return addresses;
}
