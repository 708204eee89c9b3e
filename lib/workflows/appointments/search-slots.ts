import { type ContactRecord, contactEntity, type Contact } from '../../entities/contacts.ts';
import { type AppointmentRecord, AppointmentSlot } from '../../entities/appointments.ts';
import { arrivalWindowsOf, formatWindow } from '../../domain/scheduling/arrival-windows.ts';
import { TIMEFRAME_HELP, parseTimeframe } from '../../domain/scheduling/calendar.ts';
import { closedReason } from '../organizations/require-open.ts';
import { MAX_SLOTS, type Slot, type SlotSearchResult, offeredStart } from '../../domain/scheduling/slots.ts';
import { type AppointmentInput, type SlotSearchInput } from '../../resources/appointments.ts';
import { emptyOf } from '../../resources/fields.ts';
import { formatDuration, formatMoment, toFriendly } from '../../shared/time/time.ts';
import { invalid, orInvalid, orNotFound } from '../../shared/failure.ts';
import { pick } from '../../shared/objects.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import { normalizePostalCode } from '../../shared/text/text.ts';
import { findDefaultOrganization } from '../../store/accounts/accounts.ts';
import { findOrganization, findPostalOwner } from '../../store/organizations/organizations.ts';
import { findAppointment } from '../../store/appointments.ts';
import { loadContactResources, loadContact } from '../contacts/load-contact.ts';
import type { PagerContext, ReadContext } from '../context.ts';
import type { BookingInput, BookingContext } from '../booking/types.ts';
import { SEARCH, resolveInput } from '../booking/input.ts';
import { type PricedWork, priceWork } from '../booking/price.ts';
import { loadReferences } from '../booking/read.ts';
import { loadBookingContext, requireReferences } from '../booking/resolve.ts';
import { findSlotsOf } from './find-openings.ts';
import { type SearchEnd, type SearchSpan, searchCalendar } from './search-calendar.ts';

/**
 * Finds the slots in which a service can be booked, with the price; `message` explains an empty result. The calendar
 * may be a second old; booking checks it again.
 */
export async function searchSlots(
  request: SlotSearchInput,
  context: PagerContext,
): Promise<{ readonly slots: AppointmentSlot[]; readonly message: string }> {
  const search = await prepareSearch(request, context);
  const { slots, message } = await findRequestedSlots(request, context, search);
  return { slots: search.toResources(slots), message };
}

/** The visit to search for, with its price. */
export interface PreparedSearch extends SlotSearch {
  readonly minutes: number;
  /** Why the organization takes no new appointments; `undefined` if it does. */
  readonly closed: string | undefined;
  /** Converts slots to the form that book accepts. */
  readonly toResources: (slots: readonly Slot[]) => AppointmentSlot[];
}

export async function prepareSearch(request: SlotSearchInput, context: ReadContext): Promise<PreparedSearch> {
  const search = await loadSearch(request, context);
  const closed = search.former ? undefined : closedReason(search.organization);
  if (closed) return { ...search, minutes: 0, closed, toResources: () => [] };
  const [work, [contact = null]] = await Promise.all([
    priceWork(context, search, search.input.work),
    request.IncludeContact && search.contact.Id ? loadContactResources(context.store, [search.contact], context) : [],
  ]);
  const toResources = (slots: readonly Slot[]) => toSlotResources(context, search, work, slots, contact);
  return { ...search, minutes: work.Duration, closed, toResources };
}

/** The slots of a prepared search; holds in `released` are ignored. */
export async function findRequestedSlots(
  request: AppointmentInput,
  context: PagerContext,
  { organization, agents, agentId, former, minutes, closed, ...search }: PreparedSearch,
  released?: ReadonlySet<string>,
): Promise<{ readonly slots: readonly Slot[]; readonly message: string }> {
  const timeframe = parseTimeframe(request.Timeframe);
  if (closed) return { slots: [], message: `${closed} and takes no new appointments.` };
  if (!timeframe) throw invalid({ field: 'Timeframe', code: 'unknown_value', message: TIMEFRAME_HELP });
  const from = searchStart(request, organization.Timezone, context.now);
  const days = request.SlotWindowDays ?? undefined;
  const arrivalWindows = arrivalWindowsOf({ organization, ...search });
  const span = { minutes, from, days, timeframe, arrivalWindows, appointmentId: former?.Id, agentId, released };
  const { found, end } = await searchFreeSlots({ organization, agents, ...search }, context, span);
  const isUnknownAgent = agentId !== undefined && agentId !== 0 && !agents.has(agentId);
  const message = [
    ...(isUnknownAgent ? [`Service agent ${agentId} is not one of organization ${organization.Id}.`] : []),
    ...(found.reason && !isUnknownAgent ? [found.reason.message] : []),
    ...(end ? [describeSearchEnd(end)] : []),
    ...(found.slots.length === MAX_SLOTS ? [describeFullAnswer(found.slots, organization.Timezone)] : []),
  ].join(' ');
  return { slots: found.slots, message };
}

interface FreeSlots {
  readonly found: SlotSearchResult;
  /** Where the search stopped because of its cost; `null` if it did not. */
  readonly end: SearchEnd | null;
}

interface FreeSlotSearch extends Omit<SearchSpan, 'agentIds'> {
  /** The only agent to search; defaults to all. */
  readonly agentId?: number | undefined;
}

function searchFreeSlots(
  booking: BookingContext,
  context: PagerContext,
  { agentId, ...span }: FreeSlotSearch,
): Promise<FreeSlots> {
  const agentIds = agentId ? [agentId] : undefined;
  return searchCalendar(
    context,
    booking,
    { ...span, agentIds },
    {
      search(days) {
        const found = findSlotsOf(days, ({ agent }) => !agentId || agent.Id === agentId);
        return { found, isEnough: found.slots.length >= MAX_SLOTS };
      },
    },
  );
}

const describeSearchEnd = ({ through, next }: SearchEnd): string =>
  `The search stopped after ${through}, because the organization has too many appointments for one call. ` +
  `Continue with TargetDate ${next}, or search one agent with Slots[0].ServiceAgentId.`;

/** How to continue after the 500 slots of one answer; slots at the last time are repeated. */
function describeFullAnswer(slots: readonly Slot[], zone: string): string {
  const [first = 0, last = 0] = [slots[0], slots.at(-1)].map((slot) => slot && offeredStart(slot));
  const next = last > first ? `Continue with TargetDate ${formatMoment(last, zone, 'iso')}, or narrow` : 'Narrow';
  return (
    `The search stopped at ${MAX_SLOTS} slots, the last at ${toFriendly(last, zone)}. ` +
    `${next} the search by Timeframe, SlotWindowDays or Slots[0].ServiceAgentId.`
  );
}

/** Converts slots to the form that book accepts. */
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
  return slots.map(({ start, agentId, agentName, driveMinutes, driveWarning, arrival, capacity = null }) => ({
    ...shared,
    DateTime: formatMoment(start, zone, dateStyle),
    DateTimeFormatted: arrival ? formatWindow(arrival, zone) : toFriendly(start, zone),
    ArrivalFrom: arrival ? formatMoment(arrival.start, zone, dateStyle) : null,
    ArrivalThrough: arrival ? formatMoment(arrival.end, zone, dateStyle) : null,
    Capacity: capacity,
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

async function loadSearch(request: SlotSearchInput, context: ReadContext): Promise<SlotSearch> {
  const { AppointmentId } = request;
  const slot = SEARCH.slotOf(request.Slots?.[0]);
  // The search ignores the invoice and URLs in a request; a blank RootProposalId keeps that of the appointment.
  const searched = {
    ...pick(request, 'ServiceId', 'ServiceName', 'Quantity', 'Discount', 'AddOnParts', 'Duration'),
    RootProposalId: request.RootProposalId || undefined,
  };
  const [former, namedContact, references] = await Promise.all([
    AppointmentId ? findAppointment(context.store, AppointmentId) : undefined,
    request.ContactId ? loadContact(context, request.ContactId) : undefined,
    loadReferences(context, searched, slot),
  ]);
  if (AppointmentId) orNotFound(former, 'appointment', 'AppointmentId', AppointmentId);
  requireReferences(references);
  const isVisitor = !request.ContactId && !AppointmentId && !references.length;
  const contact =
    namedContact ??
    (isVisitor ? await findVisitor(context, request.Zip ?? '') : await loadContact(context, former?.ContactId));
  const sources = { request: searched, slot, former, references, contactId: contact.Id };
  const input = resolveInput(SEARCH, sources);
  const booking = await loadBookingContext(context, {
    organizationId: former?.OrganizationId ?? contact.OrganizationId,
    service: input.service,
    links: input.links,
    references,
  });
  const agentId = context.caller.agent?.id ?? slot?.ServiceAgentId ?? undefined;
  return { ...booking, contact, input, agentId, former };
}

/**
 * A visitor who is not a contact yet, in the organization to which quickbook assigns new contacts with that postal
 * code.
 */
async function findVisitor({ store, caller }: ReadContext, zip: string): Promise<ContactRecord> {
  const Zip = zip.trim();
  const code = normalizePostalCode(Zip);
  const owner = caller.organizationId === null && code ? await findPostalOwner(store, code) : undefined;
  const owning = owner?.OrganizationId ? await findOrganization(store, owner.OrganizationId) : undefined;
  const OrganizationId =
    owning && !closedReason(owning) ? owning.Id : (caller.organizationId ?? (await findDefaultOrganization(store)));
  return contactEntity.blank({ Id: 0, Hash: '', OrganizationId, LocationID: '', Created: 0, Zip });
}

function searchStart({ TargetDate, SearchDate }: AppointmentInput, zone: string, now: Date): number {
  const text = TargetDate || SearchDate;
  return text ? orInvalid(parseMoment(text, zone), TargetDate ? 'TargetDate' : 'SearchDate').at : now.getTime();
}
