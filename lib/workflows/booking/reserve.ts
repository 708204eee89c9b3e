import { type Roads, buildCalendar, buildWork, timeReservations } from '../../domain/appointments/calendar.ts';
import { arrivalOf } from '../../domain/appointments/record.ts';
import { describeFullWindow } from '../../domain/scheduling/arrival-windows.ts';
import { type PeriodRefusal, bookingPeriod, refuseOutside, rulesOf } from '../../domain/scheduling/booking-period.ts';
import { type BookingPeriod, type Job, dayAt, withBuffers } from '../../domain/scheduling/calendar.ts';
import { type SlotRefusal, checkSlot, checkedSpan, refusalOf } from '../../domain/scheduling/check.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { CodeOf } from '../../shared/failure-codes.ts';
import { Failure, conflict, invalid } from '../../shared/failure.ts';
import { pick } from '../../shared/objects.ts';
import { MINUTE, toFriendly } from '../../shared/time/time.ts';
import { appointmentChanges } from '../../store/appointments.ts';
import { findReleased, listCalendarDays, timeReservationChanges, toJobs } from '../../store/calendars.ts';
import { freedPlaceChange } from '../../store/holds.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import { loadPlaces } from '../roads/load-places.ts';
import { loadRoads } from '../roads/load-roads.ts';
import type { Booking, BookingContext } from './types.ts';

/** Step 5, reserve: reserves the whole time of every agent at the first start that no rule forbids. */

/** A transaction takes 100 changes; the rest are the appointment, proposals, the contact and the saved response. */
const MAX_RESERVATION_CHANGES = 88;

type TimeRefusal = SlotRefusal | 'in_the_past' | PeriodRefusal['code'];

interface TimeRequest {
  readonly before: AppointmentRecord | undefined;
  /** With its start, length, agents and status. */
  readonly after: AppointmentRecord;
  /** Reserves the time even if a rule forbids it. */
  readonly skipConflictChecks: boolean;
  /** The handle of a hold that the appointment replaces; an expired one is ignored. */
  readonly hold?: string | null | undefined;
  /** Starts on one day, of which the first free one is taken; defaults to that of the appointment. */
  readonly starts?: readonly (number | null)[];
}

export type TimeReservationResult =
  | ({ readonly kind: 'reserved' } & Booking)
  /** A scheduling rule forbids it. */
  | { readonly kind: 'refused'; readonly code: TimeRefusal; readonly message: string }
  /** It does not fit in one transaction. */
  | { readonly kind: 'tooLarge'; readonly code: 'limit_reached'; readonly message: string };

/**
 * Reserves the time of every agent of an appointment with the buffers of its service, and releases its earlier time.
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

/** 409, with the field of the start if that is too soon or too far ahead. */
export const refusedStart = (
  { code, message }: { readonly code: CodeOf<409>; readonly message: string },
  field: string,
): Failure =>
  code === 'too_soon' || code === 'too_far_ahead'
    ? new Failure(code, message, { errors: [{ field, code: 'range', message }] })
    : conflict(code, message);

/** Reserves all agents or none, in one transaction. One round. */
export async function tryReserveTime(
  context: WriteContext,
  booking: BookingContext,
  request: TimeRequest,
): Promise<TimeReservationResult> {
  const { before, after, skipConflictChecks, hold, starts = [after.Start] } = request;
  const { store, now } = context;
  const places = await loadPlaces(context, booking.organization, [booking.contact]);
  const located = {
    ...after,
    ...pick(booking.service, 'BufferBefore', 'BufferAfter'),
    Zone: booking.organization.Timezone,
    Position: places.of(booking.contact),
  };
  const isChecked = (time: AppointmentRecord) => !skipConflictChecks && isNewStart(before, time);
  const ahead = starts
    .map((Start) => ({ ...located, Start }))
    .filter((time) => !isChecked(time) || (time.Start ?? Infinity) >= now.getTime());
  const [first] = ahead;
  if (!first) return { kind: 'refused', code: 'in_the_past', message: pastMessage(located) };
  const former = before ? timeReservations(before) : [];
  const spans = [...former, ...spansOf(booking, first, skipConflictChecks)];
  const days = await listCalendarDays(store, after.OrganizationId, spans);
  const holds = { now, released: new Set(hold ? [hold] : []) };
  const held = findReleased(days, holds);
  const period = ahead.some(isChecked) ? bookingPeriodOf(context, booking) : undefined;
  const jobs = toJobs(days, holds);
  const roads = skipConflictChecks
    ? undefined
    : await loadRoads(context, places.start, { work: [located.Position], jobs });
  const check = (time: AppointmentRecord) =>
    (period && isChecked(time) && refusePeriod(period, held, time)) ||
    (roads ? checkReservations(booking, time, jobs, roads) : NO_DRIVE);
  const time = firstFree(ahead, check);
  if ('message' in time) return { kind: 'refused', ...describeWindow(located, starts, time) };
  const calendarChanges = timeReservationChanges(store, after.OrganizationId, days, {
    appointmentId: after.Id,
    before: former,
    after: timeReservations(time),
    watched: !skipConflictChecks,
    ...holds,
  });
  if (calendarChanges.length > MAX_RESERVATION_CHANGES) return tooLarge(calendarChanges.length);
  const { record, changes } = appointmentChanges(store, { before, after: time, now });
  const freed = held.map((taken) => freedPlaceChange(store, taken));
  return { kind: 'reserved', appointment: record, changes: [...changes, ...calendarChanges, ...freed] };
}

/**
 * The period in which a caller can book; `undefined` means any time. It applies to clients, and to keys if the
 * organization says so, but not to workers, because the later visits of a series are beyond any horizon.
 */
export function bookingPeriodOf(
  { isClient, caller, now }: ReadContext,
  { organization, service, agents }: Pick<BookingContext, 'organization' | 'service' | 'agents'>,
): BookingPeriod | undefined {
  if (!isClient && !(organization.LimitKeys && caller.keyId)) return undefined;
  const hours = buildCalendar(organization, agents.values(), []);
  return bookingPeriod(hours, rulesOf(service, organization), now.getTime());
}

/** The beginning of the first day on which a caller can book; a window on it may begin before the notice ends. */
export function firstBookableDay(context: ReadContext, booking: Parameters<typeof bookingPeriodOf>[1]): number {
  const period = bookingPeriodOf(context, booking);
  return period ? dayAt(period.first, booking.organization.Timezone).start : 0;
}

/** Why a start is outside the caller's period. A caller who holds a time keeps it, whatever the notice is by now. */
export function refusePeriod(
  period: BookingPeriod,
  held: ReturnType<typeof findReleased>,
  { Start, Zone }: AppointmentRecord,
): PeriodRefusal | undefined {
  const isHeld = held.some(({ start }) => start === Start);
  return Start !== null && !isHeld ? refuseOutside(period, Start, Zone) : undefined;
}

/** The calendar span that decides about a time: everything its agents could drive from or to, if that is checked. */
export const spansOf = ({ agents }: BookingContext, time: AppointmentRecord, skipConflictChecks: boolean) =>
  timeReservations(time).map(({ agentId, buffers, ...visit }) => {
    const work = { minutes: (visit.end - visit.start) / MINUTE, buffers };
    const span = skipConflictChecks
      ? withBuffers(visit, buffers)
      : checkedSpan(time.Zone, agents.get(agentId), visit.start, work);
    return { agentId, ...span };
  });

const tooLarge = (days: number): TimeReservationResult => ({
  kind: 'tooLarge',
  code: 'limit_reached',
  message:
    `with the length of the appointment take ${days} days of agents; one booking takes at most ` +
    `${MAX_RESERVATION_CHANGES}`,
});

/** The first free time with its drive; else why the first one is not free. */
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

/** The refusal of all starts of an arrival window, whose message names the window. */
function describeWindow(
  visit: AppointmentRecord,
  starts: TimeRequest['starts'] & {},
  { code, message }: RefusedTime,
): RefusedTime {
  const arrival = starts.length > 1 ? arrivalOf(visit) : undefined;
  return { code, message: arrival ? describeFullWindow(arrival, visit.Zone, message) : message };
}

/** An appointment may keep its start, whenever that is. */
export const isNewStart = (before: AppointmentRecord | undefined, { Start }: AppointmentRecord): boolean =>
  !before || before.Start !== Start || !timeReservations(before).length;

export const pastMessage = ({ Start, Zone }: AppointmentRecord): string =>
  `The start, ${toFriendly(Start ?? 0, Zone)}, is in the past. Choose a later one, or record a past job with ` +
  'appointments/book and SkipConflictChecks.';

type Drive = Pick<AppointmentRecord, 'DriveTimeMinutes' | 'DriveTimeWarning'>;
interface RefusedTime {
  readonly code: SlotRefusal | PeriodRefusal['code'];
  readonly message: string;
}
const NO_DRIVE: Drive = { DriveTimeMinutes: 0, DriveTimeWarning: false };

/** The drive of the first agent, or the first rule that an agent breaks. */
export function checkReservations(
  { organization, agents, service, contact }: BookingContext,
  time: AppointmentRecord,
  jobs: readonly Job[],
  roads: Roads,
): Drive | RefusedTime {
  const { Id, Position: position } = time;
  const reservations = timeReservations(time);
  const involved = reservations.flatMap(({ agentId }) => agents.get(agentId) ?? []);
  const calendar = buildCalendar(organization, involved, jobs, roads);
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
