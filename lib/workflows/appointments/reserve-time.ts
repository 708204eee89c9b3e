import { buildCalendar, buildWork, timeReservations } from '../../domain/appointments/calendar.ts';
import { EXACT_TIME, appendNote, arrivalOf } from '../../domain/appointments/record.ts';
import { type Position, loadPositions } from '../../domain/postal/localities.ts';
import { type PeriodRefusal, refuseOutside } from '../../domain/scheduling/booking-period.ts';
import { describeFullWindow, formatWindow, isWithin, startsWithin } from '../../domain/scheduling/arrival-windows.ts';
import { type Interval, type Job, dayAt, withBuffers } from '../../domain/scheduling/calendar.ts';
import { type SlotRefusal, checkSlot, checkedSpan, refusalOf } from '../../domain/scheduling/check.ts';
import { DEFAULT_GRANULARITY } from '../../domain/scheduling/slots.ts';
import { matchAgent } from '../../domain/service-agents.ts';
import type { AdditionalAgent, AppointmentRecord } from '../../entities/appointments.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { SlotInput } from '../../resources/appointments.ts';
import type { CodeOf } from '../../shared/failure-codes.ts';
import { Failure, type FieldError, conflict, invalid, orInvalid } from '../../shared/failure.ts';
import { pick } from '../../shared/objects.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import { MINUTE, toFriendly } from '../../shared/time/time.ts';
import { appointmentChanges } from '../../store/appointments.ts';
import { findReleased, listCalendarDays, timeReservationChanges, toJobs } from '../../store/calendars.ts';
import { freedPlaceChange } from '../../store/holds.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import { agentNotFound, describeUnknownAgent } from '../suggestions.ts';
import { type Booking, type BookingContext, bookingPeriodOf } from './booking-context.ts';

/**
 * Which agents do an appointment from when on, and the time that is reserved of each.
 */

/**
 * A transaction takes 100 changes; its other ones are the appointment, proposals, the contact and the saved response.
 */
const MAX_RESERVATION_CHANGES = 88;

type TimeRefusal = SlotRefusal | 'in_the_past' | PeriodRefusal['code'];

interface TimeRequest {
  readonly before: AppointmentRecord | undefined;
  /** With its start, length, agents and status. */
  readonly after: AppointmentRecord;
  /** Reserves the time even if a rule forbids it. */
  readonly skipConflictChecks: boolean;
  /** The handle of a hold that the appointment takes the place of; one that is over is ignored. */
  readonly hold?: string | null | undefined;
  /** Starts on one day, of which the first that is free is taken; the appointment's alone by default. */
  readonly starts?: readonly (number | null)[];
}

export type TimeReservationResult =
  | ({ readonly kind: 'reserved' } & Booking)
  /** A rule of scheduling forbids it. */
  | { readonly kind: 'refused'; readonly code: TimeRefusal; readonly message: string }
  /** One transaction cannot hold it. */
  | { readonly kind: 'tooLarge'; readonly code: 'limit_reached'; readonly message: string };

/**
 * Reserves the time of every agent of an appointment with the buffers of its service, and releases what it had before.
 * Throws if it cannot.
 */
export async function reserveTime(
  context: WriteContext,
  booking: BookingContext,
  request: TimeRequest,
): Promise<Booking> {
  const reservation = await tryReserveTime(context, booking, request);
  if (reservation.kind !== 'reserved') throw reservationFailure(reservation);
  return reservation;
}

export const reservationFailure = (refusal: Exclude<TimeReservationResult, { kind: 'reserved' }>): Failure =>
  refusal.kind === 'refused'
    ? refusedStart(refusal, 'Slots[0].DateTime')
    : invalid({ field: 'Slots[0].AdditionalServiceAgents', code: 'limit', message: refusal.message });

/** 409, with the field of the start where that is too soon or too far ahead. */
export const refusedStart = (
  { code, message }: { readonly code: CodeOf<409>; readonly message: string },
  field: string,
): Failure =>
  code === 'too_soon' || code === 'too_far_ahead'
    ? new Failure(code, message, { errors: [{ field, code: 'range', message }] })
    : conflict(code, message);

/** All agents or none, in one transaction. One round. */
export async function tryReserveTime(
  context: WriteContext,
  booking: BookingContext,
  { before, after, skipConflictChecks, hold, starts = [after.Start] }: TimeRequest,
): Promise<TimeReservationResult> {
  const { store, now } = context;
  const positionAt = await loadPositions();
  const located = {
    ...after,
    ...pick(booking.service, 'BufferBefore', 'BufferAfter'),
    Zone: booking.organization.Timezone,
    Position: positionAt(booking.contact.Zip),
  };
  const times = starts.map((Start) => ({ ...located, Start }));
  const isChecked = (time: AppointmentRecord) => !skipConflictChecks && isNewStart(before, time);
  const ahead = times.filter((time) => !isChecked(time) || (time.Start ?? Infinity) >= now.getTime());
  const [first] = ahead;
  if (!first) return { kind: 'refused', code: 'in_the_past', message: pastMessage(located) };
  const spans = timeReservations(first).map(({ agentId, buffers, ...visit }) => {
    const work = { minutes: (visit.end - visit.start) / MINUTE, buffers };
    return {
      agentId,
      ...(skipConflictChecks
        ? withBuffers(visit, buffers)
        : checkedSpan(located.Zone, booking.agents.get(agentId), visit.start, work)),
    };
  });
  const former = before ? timeReservations(before) : [];
  const days = await listCalendarDays(store, after.OrganizationId, [...former, ...spans]);
  const holds = { now, released: new Set(hold ? [hold] : []) };
  const held = findReleased(days, holds);
  const period = ahead.some(isChecked) ? bookingPeriodOf(context, booking) : undefined;
  // Who holds a time keeps it, whatever the notice is by now.
  const isHeld = ({ Start }: AppointmentRecord) => held.some(({ start }) => start === Start);
  const refusePeriod = (time: AppointmentRecord) =>
    period && time.Start !== null && isChecked(time) && !isHeld(time)
      ? refuseOutside(period, time.Start, located.Zone)
      : undefined;
  const jobs = toJobs(days, holds);
  const time = skipConflictChecks
    ? { ...first, ...NO_DRIVE }
    : firstFree(ahead, (each) => refusePeriod(each) ?? checkReservations(booking, each, jobs, positionAt));
  if ('message' in time) return { kind: 'refused', ...describeWindow(located, starts, time) };
  const calendarChanges = timeReservationChanges(store, after.OrganizationId, days, {
    appointmentId: after.Id,
    before: former,
    after: timeReservations(time),
    watched: !skipConflictChecks,
    ...holds,
  });
  if (calendarChanges.length > MAX_RESERVATION_CHANGES) {
    return {
      kind: 'tooLarge',
      code: 'limit_reached',
      message:
        `with the length of the appointment take ${calendarChanges.length} days of agents; one booking ` +
        `takes at most ${MAX_RESERVATION_CHANGES}`,
    };
  }
  const { record, changes } = appointmentChanges(store, { before, after: time, now });
  const freed = held.map((taken) => freedPlaceChange(store, taken));
  return { kind: 'reserved', appointment: record, changes: [...changes, ...calendarChanges, ...freed] };
}

/** The first time that is free, with its drive; else why the first of them is not. */
function firstFree(
  times: readonly AppointmentRecord[],
  check: (time: AppointmentRecord) => Drive | RefusedTime,
): AppointmentRecord | RefusedTime {
  const refusals: RefusedTime[] = [];
  for (const time of times) {
    const checked = check(time);
    if (!('message' in checked)) return { ...time, ...checked };
    refusals.push(checked);
  }
  const taken = refusals.find(({ code }) => code === 'slot_taken');
  return taken ?? refusals[0] ?? { code: 'slot_taken', message: 'No time is free.' };
}

/** The refusal of all starts of an arrival window, which its sentence names. */
function describeWindow(
  visit: AppointmentRecord,
  starts: TimeRequest['starts'] & {},
  { code, message }: RefusedTime,
): RefusedTime {
  const arrival = starts.length > 1 ? arrivalOf(visit) : undefined;
  return { code, message: arrival ? describeFullWindow(arrival, visit.Zone, message) : message };
}

/** A start that the appointment has already may stay, whenever it is. */
const isNewStart = (before: AppointmentRecord | undefined, { Start }: AppointmentRecord): boolean =>
  !before || before.Start !== Start || !timeReservations(before).length;

const pastMessage = ({ Start, Zone }: AppointmentRecord): string =>
  `The start, ${toFriendly(Start ?? 0, Zone)}, is in the past. Choose a later one, or record a past job with ` +
  'appointments/book and SkipConflictChecks.';

type Drive = Pick<AppointmentRecord, 'DriveTimeMinutes' | 'DriveTimeWarning'>;
interface RefusedTime {
  readonly code: SlotRefusal | PeriodRefusal['code'];
  readonly message: string;
}
const NO_DRIVE: Drive = { DriveTimeMinutes: 0, DriveTimeWarning: false };

/** The drive of the first agent, or the first rule that an agent breaks. */
function checkReservations(
  { organization, agents, service, contact }: BookingContext,
  time: AppointmentRecord,
  jobs: readonly Job[],
  positionAt: (code: string) => Position | null,
): Drive | RefusedTime {
  const { Id, Position: position } = time;
  const reservations = timeReservations(time);
  const involved = reservations.flatMap(({ agentId }) => agents.get(agentId) ?? []);
  const calendar = buildCalendar(organization, involved, jobs, positionAt);
  const drives: { driveMinutes: number; driveWarning: boolean }[] = [];
  for (const { agentId, start, end } of reservations) {
    const minutes = (end - start) / MINUTE;
    const work = buildWork(service, { minutes, zip: contact.Zip, position, appointmentId: Id });
    const check = checkSlot(calendar, work, { agentId, start });
    if (!check.ok)
      return {
        code: refusalOf(check.rule),
        message: check.rule === 'taken' ? `Slot taken: ${check.message}` : check.message,
      };
    drives.push(check);
  }
  return {
    DriveTimeMinutes: drives[0]?.driveMinutes ?? 0,
    DriveTimeWarning: drives.some(({ driveWarning }) => driveWarning),
  };
}

interface ReleaseRequest {
  readonly before: AppointmentRecord;
  readonly after: AppointmentRecord;
  /** Appended to the notes. */
  readonly note?: string | null | undefined;
}

/** Stores an appointment that takes no new time; time that it no longer takes is released in the same transaction. */
export async function releaseTime(
  { store, now }: WriteContext,
  { before, after, note }: ReleaseRequest,
): Promise<Booking> {
  const { OrganizationId } = before;
  const [former, remaining] = [timeReservations(before), timeReservations(after)];
  const days = await listCalendarDays(store, OrganizationId, remaining.length ? [] : former);
  const { record, changes } = appointmentChanges(store, { before, after: appendNote(after, note, now), now });
  const released = timeReservationChanges(store, OrganizationId, days, {
    appointmentId: before.Id,
    before: former,
    after: remaining,
    watched: false,
    now,
  });
  return { appointment: record, changes: [...changes, ...released] };
}

export async function requireAgent(
  context: ReadContext,
  { agents, organization }: BookingContext,
  id: number,
): Promise<Pick<AppointmentRecord, 'ServiceAgentId' | 'ServiceAgentName'>> {
  const agent = agents.get(id);
  if (!agent)
    throw await agentNotFound(context, organization.Id, agents.values(), { field: 'Slots[0].ServiceAgentId', id });
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
 * The arrival window of a request, both ends on one day: `null` for an exact time, `undefined` where the request says
 * nothing of it. `field` is what its fields are in: `Slots[0].`.
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

/** 400 for a start that its own request puts outside the window. */
export function requireWithin(start: number, window: Interval, zone: string, field = 'Slots[0].DateTime'): void {
  if (!isWithin(start, window))
    throw invalid({ field, code: 'mismatch', message: `is outside the arrival window ${formatWindow(window, zone)}` });
}

/** The window as an appointment has it. */
export const toArrival = (window: Interval | null | undefined) =>
  window ? { ArrivalFrom: window.start, ArrivalThrough: window.end } : EXACT_TIME;

/** The starts to try within a window: the one that is asked for, then those of the grid. */
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
