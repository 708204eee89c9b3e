import { buildCalendar, buildWork } from '../../domain/appointments/calendar.ts';
import type { AppointmentRecord } from '../../domain/appointments/record.ts';
import type { Calendar, SearchWindow, Timeframe, Work } from '../../domain/scheduling/calendar.ts';
import { checkSlot } from '../../domain/scheduling/check.ts';
import { reachableSpan } from '../../domain/scheduling/days.ts';
import { ANYTIME, TIMEFRAME_HELP, parseTimeframe } from '../../domain/scheduling/hours.ts';
import { DEFAULT_GRANULARITY, DEFAULT_WINDOW_DAYS, type Slot, findSlots } from '../../domain/scheduling/slots.ts';
import { type AppointmentInput, AppointmentSlot } from '../../resources/appointments.ts';
import type { Contact } from '../../resources/contacts.ts';
import { emptyOf } from '../../resources/resource.ts';
import { formatDuration } from '../../shared/durations.ts';
import { invalid, orInvalid, orNotFound } from '../../shared/failure.ts';
import { formatMoment, toFriendly } from '../../shared/format-moments.ts';
import { pick } from '../../shared/objects.ts';
import { parseMoment } from '../../shared/read-moments.ts';
import { findAppointment } from '../../store/appointments.ts';
import { listJobs } from '../../store/calendars.ts';
import { loadContactResources } from '../contacts/load-contact-resources.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { ReadContext } from '../context.ts';
import {
  type BookingContext,
  loadBookingContext,
  loadPositions,
  loadReferences,
  requireReferences,
} from './booking-context.ts';
import { type PricedWork, priceWork } from './price-work.ts';
import { type BookingInput, requestedSlot, resolveBookingInput } from './resolve-booking-input.ts';

/**
 * Finds the slots in which a service can be booked, with the price. Without any, `message` says why. The calendar may
 * be
 * a second old; booking checks it again.
 */
export async function searchSlots(
  request: AppointmentInput,
  context: ReadContext,
): Promise<{ readonly slots: AppointmentSlot[]; readonly message: string }> {
  const search = await loadSearch(request, context);
  const { organization, contact, input, agentId, former } = search;
  const timeframe = parseTimeframe(request.Timeframe);
  if (!timeframe) throw invalid({ field: 'Timeframe', message: TIMEFRAME_HELP });
  const from = searchStart(request, organization.Timezone, context.now);
  const work = await priceWork(context, search, input.work);
  const days = request.SlotWindowDays ?? undefined;
  const [{ calendar, work: visit, window }, contactResources] = await Promise.all([
    loadSearchCalendar(context, search, { minutes: work.Duration, from, days, timeframe, appointmentId: former?.Id }),
    request.IncludeContact
      ? loadContactResources(context.table, [contact], { ...context, accountId: context.caller.accountId })
      : [],
  ]);
  const agents = calendar.agents.filter(({ agent }) => !agentId || agent.Id === agentId);
  const { slots, reason } = findSlots({ ...calendar, agents }, visit, window);
  const resources = toSlotResources(context, search, work, slots, contactResources[0] ?? null);
  return { slots: resources, message: reason?.message ?? '' };
}

/** The slots as book accepts them. */
function toSlotResources(
  { caller: { dateStyle } }: ReadContext,
  { organization: { Timezone: zone }, contact, input, former }: SlotSearch,
  work: PricedWork,
  slots: readonly Slot[],
  contactResource: Contact | null,
): AppointmentSlot[] {
  const shared = {
    ...emptyOf(AppointmentSlot),
    ...pick(work, 'ServiceId', 'ServiceName', 'Quantity', 'Discount', 'Total', 'Duration', 'AddOnParts'),
    ...input.links,
    ContactId: contact.Id,
    AppointmentId: former?.Id ?? 0,
    ReworkForAppointmentId: former?.ReworkForAppointmentId ?? null,
    CustomProperties: { ...input.work.properties },
    DurationFormatted: formatDuration(work.Duration),
    Contact: contactResource,
  };
  return slots.map(({ start, agentId, agentName, driveMinutes, driveWarning }) => ({
    ...shared,
    DateTime: formatMoment(start, zone, dateStyle),
    DateTimeFormatted: toFriendly(start, zone),
    ServiceAgentId: agentId,
    ServiceAgentName: agentName,
    DriveTimeMinutes: driveMinutes,
    DriveTimeWarning: driveWarning,
  }));
}

interface SlotSearch extends BookingContext {
  readonly input: BookingInput;
  /** The only agent to search. */
  readonly agentId: number | undefined;
  /** The appointment to be rescheduled. */
  readonly former: AppointmentRecord | undefined;
}

async function loadSearch(request: AppointmentInput, context: ReadContext): Promise<SlotSearch> {
  const { AppointmentId } = request;
  const slot = requestedSlot('slotsearch', request);
  // The search ignores the invoice and the URLs of a request; a blank RootProposalId leaves that of the appointment.
  const searched = {
    ...pick(request, 'ServiceId', 'ServiceName', 'Quantity', 'Discount', 'AddOnParts', 'Duration'),
    RootProposalId: request.RootProposalId || undefined,
  };
  const [former, namedContact, references] = await Promise.all([
    AppointmentId ? findAppointment(context.table, context.caller, AppointmentId) : undefined,
    request.ContactId ? loadContact(context, request.ContactId) : undefined,
    loadReferences(context, searched, slot),
  ]);
  if (AppointmentId) orNotFound(former, 'appointment', 'AppointmentId', AppointmentId);
  const contact = namedContact ?? (await loadContact(context, former?.ContactId));
  requireReferences(references);
  const sources = { request: searched, slot, former, references, contactId: contact.Id };
  const input = resolveBookingInput('slotsearch', sources);
  const booking = await loadBookingContext(context, {
    freshness: 'recent',
    organizationId: former?.OrganizationId ?? contact.OrganizationId,
    service: input.service,
    links: input.links,
    references,
  });
  const agentId = slot?.ServiceAgentId ?? undefined;
  return { ...booking, contact, input, agentId, former };
}

function searchStart({ TargetDate, SearchDate }: AppointmentInput, zone: string, now: Date): number {
  const text = TargetDate || SearchDate;
  return text ? orInvalid(parseMoment(text, zone), TargetDate ? 'TargetDate' : 'SearchDate').at : now.getTime();
}

interface SearchSpan {
  readonly minutes: number;
  /** Epoch milliseconds. */
  readonly from: number;
  /** Defaults to the organization's. */
  readonly days?: number | undefined;
  readonly timeframe?: Timeframe;
  readonly appointmentId?: number | undefined;
}

/** The calendar of all agents for a search: one Query a week in parallel, one round. */
async function loadSearchCalendar(
  { table, caller, now }: ReadContext,
  { organization, agents, service, contact }: BookingContext,
  { minutes, from, days: requestedDays, timeframe = ANYTIME, appointmentId }: SearchSpan,
  { consistent = false } = {},
): Promise<{ calendar: Calendar; work: Work; window: SearchWindow }> {
  const days = requestedDays ?? (organization.SlotSearchWindowDays || DEFAULT_WINDOW_DAYS);
  const positionAt = await loadPositions();
  const work = buildWork(service, { minutes, zip: contact.Zip, position: positionAt(contact.Zip), appointmentId });
  const scope = { accountId: caller.accountId, organizationId: organization.Id };
  const span = reachableSpan(organization.Timezone, from, days, work);
  const jobs = await listJobs(table, scope, span, { consistent });
  const granularity = organization.OpenTimeGranularity ?? DEFAULT_GRANULARITY;
  return {
    calendar: buildCalendar(organization, agents.values(), jobs, positionAt),
    work,
    window: { from, days, now: now.getTime(), granularity, timeframe },
  };
}

export interface Opening {
  readonly start: number;
  readonly agentId: number;
}

interface OpeningSearch {
  readonly minutes: number;
  readonly from: number;
  /** Only that start. */
  readonly fixed: boolean;
  /** Only that agent. */
  readonly agentId: number | undefined;
  /** Agents who must be free at the same time. */
  readonly additionalAgentIds: readonly number[];
}

/** The openings of the calendar as it is now, the first one first; `reason` explains an empty list. */
export async function findOpenings(
  context: ReadContext,
  booking: BookingContext,
  { minutes, from, fixed, agentId, additionalAgentIds }: OpeningSearch,
): Promise<{ readonly openings: readonly Opening[]; readonly reason: string }> {
  const span = { minutes, from, days: fixed ? 1 : undefined };
  const { calendar, work, window } = await loadSearchCalendar(context, booking, span, { consistent: true });
  const agents = calendar.agents.filter(({ agent }) =>
    agentId === undefined ? !additionalAgentIds.includes(agent.Id) : agent.Id === agentId,
  );
  const othersAreFree = ({ start }: Opening) =>
    additionalAgentIds.every((otherId) => checkSlot(calendar, work, { start, agentId: otherId }).ok);
  if (!fixed) {
    const { slots, reason } = findSlots({ ...calendar, agents }, work, window);
    return { openings: slots.filter(othersAreFree), reason: reason?.message ?? 'No time is free for all agents.' };
  }
  const checks = agents.map(({ agent }) => {
    const opening = { start: from, agentId: agent.Id };
    return { opening, check: checkSlot({ ...calendar, agents }, work, opening) };
  });
  const openings = checks.flatMap(({ opening, check }) => (check.ok && othersAreFree(opening) ? [opening] : []));
  const [reason = 'The organization has no service agent for this.'] = checks.flatMap(({ check }) =>
    check.ok ? [] : [check.message],
  );
  return { openings, reason };
}
