import { EXACT_TIME, NOT_CANCELED, Status, blankAppointment, changeStatus } from '../../domain/appointments/record.ts';
import { arrivalWindowAround, formatWindow, isWithin, startsWithin } from '../../domain/scheduling/arrival-windows.ts';
import { type Interval, DEFAULT_GRANULARITY, dayAt } from '../../domain/scheduling/calendar.ts';
import { matchAgent } from '../../domain/service-agents.ts';
import { ruleOfVisit } from '../../domain/subscriptions/series.ts';
import type { AdditionalAgent, AppointmentRecord, SlotInput } from '../../entities/appointments.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { SeriesRecord } from '../../entities/series.ts';
import type { BookInput, RepeatInput } from '../../resources/appointments.ts';
import { type FieldError, conflict, forbidden, invalid, orInvalid } from '../../shared/failure.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import { randomHandle, reserveIds } from '../../store/dynamodb/records.ts';
import type { Caller } from '../../store/requests/caller.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import { requireOpen } from '../organizations/require-open.ts';
import { describeUnknownAgent } from '../suggestions.ts';
import { beginSeries, isRepeated } from './begin-series.ts';
import type { BookingContext } from './types.ts';
import type { PricedWork } from './price.ts';
import type { ResolvedBooking } from './resolve.ts';

/** Step 4, place: sets the time of the visit, its arrival window, its agents, and the days on which it repeats. */

interface PlacedVisit {
  readonly visit: AppointmentRecord;
  /** The starts to try: that of the visit, then those of the arrival window that the slot names. */
  readonly starts: readonly number[];
  /** The series that the visit begins. */
  readonly series: SeriesRecord | undefined;
}

/** The appointment to store. A new one takes an id. */
export async function placeVisit(
  request: BookInput & RepeatInput,
  booking: ResolvedBooking,
  work: PricedWork,
  context: WriteContext,
): Promise<PlacedVisit> {
  const { former, slot, agent, input } = booking;
  const { start, starts, arrival } = requestedTime(booking);
  const base = former
    ? changeAppointmentStatus(former, Status.Scheduled, context.caller)
    : await newAppointment(context, booking);
  const visit = {
    ...base,
    ...input.details,
    ...work,
    ...agent,
    Status: Status.Scheduled,
    Start: start,
    ...toArrival(arrival),
    AdditionalAgents: slot.AdditionalServiceAgents?.length
      ? await resolveAdditionalAgents(context, booking, slot.AdditionalServiceAgents, agent.ServiceAgentId)
      : [],
    CallCenterTransactionId: request.CallCenterTransactionId || base.CallCenterTransactionId,
    ...NOT_CANCELED,
  };
  const series = isRepeated(request) ? beginSeries(request, booking, visit, context) : undefined;
  const inSeries = series && { SeriesId: series.Id, SeriesRule: ruleOfVisit(series, 0) };
  return { visit: { ...visit, ...inSeries }, starts, series };
}

/** A queued appointment for the contact, with a new id. */
export async function newAppointment(
  { store, now }: WriteContext,
  { organization, contact }: BookingContext,
): Promise<AppointmentRecord> {
  requireOpen(organization, 'appointments');
  const [Id = 0] = await reserveIds(store, 'Appointment', 1);
  return blankAppointment({
    Id,
    OrganizationId: organization.Id,
    ContactId: contact.Id,
    HashKey: randomHandle(22),
    Zone: organization.Timezone,
    Created: now.getTime(),
  });
}

/** 409 if this status transition is not allowed, 403 if the role may not make it. */
export function changeAppointmentStatus(
  appointment: AppointmentRecord,
  status: number,
  { role }: Caller,
): AppointmentRecord {
  const change = changeStatus(appointment.Status, status, role);
  if (change.ok) return { ...appointment, Status: status, HeldUntil: null };
  throw change.kind === 'forbidden'
    ? forbidden('role_forbidden', change.message)
    : conflict('wrong_state', change.message);
}

interface RequestedTime extends Pick<PlacedVisit, 'starts'> {
  readonly start: number;
  /** The window that the slot names, else the organization's window around the start; `undefined` for an exact time. */
  readonly arrival: Interval | undefined;
}

function requestedTime(booking: ResolvedBooking): RequestedTime {
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

/** The other agents of a slot, by Id, name or e-mail; each agent once. A Duration of 0 means the whole appointment. */
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
      errors.push({ field, code: ServiceAgent ? 'not_found' : 'required', message });
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

type WindowInput = Pick<SlotInput, 'ArrivalFrom' | 'ArrivalThrough'>;

/**
 * The arrival window of a request, with both ends on one day: `null` for an exact time, `undefined` if the request
 * names none. `field` is the prefix of its fields: `Slots[0].`.
 */
export function parseWindow(
  { ArrivalFrom, ArrivalThrough }: WindowInput,
  zone: string,
  field = 'Slots[0].',
): Interval | null | undefined {
  if (ArrivalFrom === null || ArrivalThrough === null) return null;
  if (!ArrivalFrom && !ArrivalThrough) return undefined;
  const read = (name: keyof WindowInput, text: string | undefined): number => {
    if (!text) throw invalid({ field: `${field}${name}`, code: 'required', message: 'is required with the other end' });
    return orInvalid(parseMoment(text, zone), `${field}${name}`).at;
  };
  const window = { start: read('ArrivalFrom', ArrivalFrom), end: read('ArrivalThrough', ArrivalThrough) };
  const message = 'must be later than ArrivalFrom, on the same day';
  if (window.end <= window.start || window.end > dayAt(window.start, zone).end)
    throw invalid({ field: `${field}ArrivalThrough`, code: 'range', message });
  return window;
}

/** 400 for a start outside the window in the same request. */
export function requireWithin(start: number, window: Interval, zone: string, field = 'Slots[0].DateTime'): void {
  if (!isWithin(start, window))
    throw invalid({ field, code: 'mismatch', message: `is outside the arrival window ${formatWindow(window, zone)}` });
}

/** The window as stored in an appointment. */
export const toArrival = (window: Interval | null | undefined) =>
  window ? { ArrivalFrom: window.start, ArrivalThrough: window.end } : EXACT_TIME;

/** The starts to try within a window: the requested one, then those of the grid. */
export const startsToTry = (
  start: number | undefined,
  window: Interval,
  { Timezone, OpenTimeGranularity }: OrganizationRecord,
): number[] => {
  const grid = startsWithin(window, Timezone, OpenTimeGranularity ?? DEFAULT_GRANULARITY);
  return start === undefined && grid.length ? grid : [start ?? window.start, ...grid];
};

/** The start of a slot, in the organization's zone unless it has an offset. */
export function parseStart(text: string, zone: string): number {
  const field = 'Slots[0].DateTime';
  const { at, dateOnly } = orInvalid(parseMoment(text, zone), field);
  if (dateOnly) throw invalid({ field, code: 'format', message: 'must have a time of day' });
  return at;
}
