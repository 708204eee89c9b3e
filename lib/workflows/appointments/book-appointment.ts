import { NOT_CANCELED, Status } from '../../domain/appointments/record.ts';
import { arrivalWindowAround } from '../../domain/scheduling/arrival-windows.ts';
import type { Interval } from '../../domain/scheduling/calendar.ts';
import { type Step, findStep, stepOf } from '../../domain/subscriptions/recurrence.ts';
import { clockAt, seriesDays } from '../../domain/subscriptions/series.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { type SeriesRecord, seriesEntity } from '../../entities/series.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { type BookInput, type RepeatInput, type SlotInput, MAX_SERIES } from '../../resources/appointments.ts';
import { collectErrors, invalid, orInvalid, orNotFound } from '../../shared/failure.ts';
import { dayNumber } from '../../shared/time/calendar-dates.ts';
import { parseCalendarDate } from '../../shared/time/read-moments.ts';
import { toLocalDay } from '../../shared/time/time.ts';
import { findAppointment } from '../../store/appointments.ts';
import { seriesChange } from '../../store/series.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { WriteContext } from '../context.ts';
import {
  type Booking,
  type BookingContext,
  changeAppointmentStatus,
  loadBookingContext,
  loadReferences,
  newAppointment,
  prefetchCompany,
  requireReferences,
  requireSameContact,
} from './booking-context.ts';
import {
  parseStart,
  parseWindow,
  requireAgent,
  requireWithin,
  reservationFailure,
  resolveAdditionalAgents,
  startsToTry,
  toArrival,
  tryReserveTime,
} from './reserve-time.ts';
import { bookingEffects } from './booking-effects.ts';
import { type PricedWork, priceWork } from './price-work.ts';
import { findRepeatedCall, withCall } from './repeated-call.ts';
import { type BookingInput, requestedSlot, resolveBookingInput } from './resolve-booking-input.ts';

/**
 * Books a slot: reserves the time of every agent, fixes lines and price, and schedules the proposal it is for.
 * Throws conflict if the time is taken or outside an agent's hours. A repeated call returns the first appointment
 * without changes. A request that repeats the visit begins a series. `movedAt` is the moment of a change of the
 * series that books it.
 */
export async function bookAppointment(
  request: BookInput & RepeatInput,
  context: WriteContext,
  { movedAt }: { readonly movedAt?: number } = {},
): Promise<Booking> {
  const sources = await loadSources(request, context);
  if (sources.repeated) return { appointment: sources.repeated, changes: [] };

  const booking = await loadBooking(request, sources, context);
  const work = await priceWork(context, booking, booking.input.work);
  const time = requestedTime(booking);
  const visit = await scheduledAppointment(request, { ...booking, ...time }, work, context);
  const series = startSeries(request, booking, visit, context);
  const appointment = { ...visit, SeriesId: series?.Id ?? visit.SeriesId, MovedAt: movedAt ?? visit.MovedAt };
  const reservation = await tryReserveTime(context, booking, {
    before: booking.former,
    after: appointment,
    starts: time.starts,
    skipConflictChecks: request.SkipConflictChecks ?? false,
    hold: request.HoldHandle,
  });
  if (reservation.kind !== 'reserved') {
    // The same call, sent twice at once, may have taken the time.
    const repeated = await findRepeatedCall(context, 'book', request);
    if (!repeated) throw reservationFailure(reservation);
    return { appointment: repeated, changes: [] };
  }
  const effects = await bookingEffects(context, booking, { before: booking.former, after: appointment });
  const started = series ? [seriesChange(context.store, { before: undefined, after: series, now: context.now })] : [];
  const changes = [...reservation.changes, ...effects.changes, ...started];
  const booked = { appointment: reservation.appointment, changes };
  return withCall(context, { operation: 'book', request, zone: booking.organization.Timezone }, booked);
}

/** What the request names, in one round. */
async function loadSources(request: BookInput, context: WriteContext) {
  const slot = requestedSlot('book', request);
  const contactId = request.ContactId || slot?.ContactId;
  const { ServiceId, ServiceName } = request;
  const service = ServiceId || ServiceName ? { ServiceId, ServiceName } : { ServiceId: slot?.ServiceId };
  const [repeated, former, contact, references, prefetched] = await Promise.all([
    // First, as the zone that the others read is not known at once.
    findRepeatedCall(context, 'book', request),
    request.AppointmentId ? findAppointment(context.store, request.AppointmentId) : undefined,
    contactId ? loadContact(context, contactId) : undefined,
    loadReferences(context, request, slot),
    prefetchCompany(context, service),
  ]);
  return { slot, repeated, former, contact, references, prefetched };
}

interface SlotBooking extends BookingContext {
  readonly input: BookingInput;
  /** The queued or canceled appointment that is booked, if it is not a new one. */
  readonly former: AppointmentRecord | undefined;
  readonly slot: SlotInput & { readonly ServiceAgentId: number };
  readonly agent: Awaited<ReturnType<typeof requireAgent>>;
}

async function loadBooking(
  request: BookInput,
  { slot, former, contact: namedContact, references, prefetched }: Awaited<ReturnType<typeof loadSources>>,
  context: WriteContext,
): Promise<SlotBooking> {
  if (request.AppointmentId) orNotFound(former, 'appointment', 'AppointmentId', request.AppointmentId);
  requireReferences(references);
  const contact = namedContact ?? (await loadContact(context, former?.ContactId));
  requireSameContact(former, contact.Id);
  const input = resolveBookingInput('book', { request, slot, former, references, contactId: contact.Id });
  const selection = {
    organizationId: former?.OrganizationId ?? contact.OrganizationId,
    service: input.service,
    links: input.links,
    references,
    prefetched,
  };
  const booking = { contact, ...(await loadBookingContext(context, selection)) };
  const { DateTime, ServiceAgentId } = slot ?? {};
  const hasTime = Boolean(DateTime || slot?.ArrivalFrom);
  if (!hasTime || !ServiceAgentId) {
    const missing = [...(hasTime ? [] : ['DateTime']), ...(ServiceAgentId ? [] : ['ServiceAgentId'])];
    throw invalid(
      ...missing.map((field) => ({ field: `Slots[0].${field}`, code: 'required' as const, message: 'is required' })),
    );
  }
  const agent = await requireAgent(context, booking, ServiceAgentId);
  return { ...booking, input, former, slot: { ...slot, ServiceAgentId }, agent };
}

interface RequestedTime {
  readonly start: number;
  /** Those of the arrival window that the slot names follow the one that it asks for. */
  readonly starts: readonly number[];
  /** The window that the slot names, else the organization's around the start; `undefined` for an exact time. */
  readonly arrival: Interval | undefined;
}

function requestedTime(booking: SlotBooking): RequestedTime {
  const { slot, organization } = booking;
  const { Timezone: zone } = organization;
  const window = parseWindow(slot, zone);
  const asked = slot.DateTime ? parseStart(slot.DateTime, zone) : undefined;
  if (asked !== undefined && window) requireWithin(asked, window, zone);
  const start = asked ?? window?.start ?? 0;
  if (window) return { start, starts: startsToTry(asked, window, organization), arrival: window };
  const around = window === null ? undefined : arrivalWindowAround(booking, start);
  return { start, starts: [start], arrival: around };
}

async function scheduledAppointment(
  request: BookInput,
  booking: SlotBooking & RequestedTime,
  work: PricedWork,
  context: WriteContext,
): Promise<AppointmentRecord> {
  const { former, slot, agent, input, start, arrival } = booking;
  const base = former
    ? changeAppointmentStatus(former, Status.Scheduled, context.caller)
    : await newAppointment(context, booking);
  return {
    ...base,
    ...input.details,
    ...work,
    ...agent,
    Status: Status.Scheduled,
    Start: start,
    ...toArrival(arrival),
    AdditionalAgents: await resolveAdditionalAgents(
      context,
      booking,
      slot.AdditionalServiceAgents ?? [],
      agent.ServiceAgentId,
    ),
    CallCenterTransactionId: request.CallCenterTransactionId || base.CallCenterTransactionId,
    ...NOT_CANCELED,
  };
}

/**
 * The series that a booking begins with its visit, if the request repeats it. The worker books the others, each on its
 * day at the same time with the same agents. Throws invalid where the request does not say which.
 */
function startSeries(
  request: RepeatInput,
  { service, organization: { Timezone: zone } }: Pick<BookingContext, 'service' | 'organization'>,
  visit: AppointmentRecord,
  { now, remark }: WriteContext,
): SeriesRecord | undefined {
  const { Repeat, Interval, Count, Through } = request;
  if (!Repeat && !Count && !Through && !Interval) return undefined;
  const step = requestedStep(request, service);
  const errors = collectErrors(
    [
      'Repeat',
      visit.Sold !== null && 'cannot repeat work that a proposal sold: its price is for all visits',
      'mismatch',
    ],
    ['Repeat', visit.SeriesId !== 0 && 'is for a visit that is of no series yet', 'mismatch'],
    ['Repeat', !step && `is required: service ${service.Id} has no interval`, 'required'],
    ['Count', !Count && !Through && 'or Through is required with Repeat', 'required'],
  );
  if (errors.length || !step || visit.Start === null) throw invalid(...errors);
  const through = Through ? dayNumber(orInvalid(parseCalendarDate(Through), 'Through').date) : undefined;
  const first = toLocalDay(visit.Start, zone);
  const Days = seriesDays(first, step, { count: Count ?? undefined, through });
  if (Days.length < 2 || Days.length > MAX_SERIES)
    throw invalid({
      field: Through ? 'Through' : 'Count',
      code: 'range',
      message: `must leave 2 to ${MAX_SERIES} visits`,
    });
  const more = Days.length - 1;
  remark?.(`${more === 1 ? '1 more visit is' : `${more} more visits are`} booked in the background.`);
  return seriesEntity.blank({
    Id: visit.Id,
    OrganizationId: visit.OrganizationId,
    Days,
    Months: step.months,
    VisitIds: [visit.Id],
    Clock: clockAt(visit.Start, zone),
    ServiceAgentId: visit.ServiceAgentId,
    AdditionalAgents: visit.AdditionalAgents,
    Created: now.getTime(),
  });
}

/** By the request, else by the service: its own interval, else AutoCreateInterval in days. */
function requestedStep({ Repeat, Interval }: RepeatInput, service: ServiceRecord): Step | undefined {
  if (Repeat) return stepOf(Repeat, Interval ?? 1);
  const own = findStep(service);
  if (own) return own;
  return service.AutoCreateInterval && service.AutoCreateInterval > 0
    ? stepOf('daily', service.AutoCreateInterval)
    : undefined;
}
