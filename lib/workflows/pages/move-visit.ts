import { bookingPeriodOf } from '../booking/reserve.ts';
import { arrivalWindowAt, arrivalWindowsOf } from '../../domain/scheduling/arrival-windows.ts';
import { MAX_SLOTS, offeredStart, offeredTime } from '../../domain/scheduling/slots.ts';
import type { OfferedTime } from '../../pages/booking-month.ts';
import { conflict } from '../../shared/failure.ts';
import { DAY, toFriendly, toLocalDate, toUtc } from '../../shared/time/time.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { BookingContext } from '../booking/types.ts';
import { loadBookingContext } from '../booking/resolve.ts';
import { findOpenings } from '../appointments/find-openings.ts';
import { updateAppointment } from '../appointments/update-appointment.ts';
import { type ClientContext, toWriteContext } from './client.ts';
import { MAX_DAYS_AHEAD, beginNear, earliestStart, nearestTo } from './free-times.ts';
import { findFullDays } from './stranger-days.ts';
import { type FoundVisit, type RequiredVisit, changeableUntil, isBooked, isMovable, requireVisit } from './visit.ts';

interface MovableVisit extends FoundVisit {
  readonly booking: BookingContext;
  /** Neither a start nor an earlier window is possible before it. */
  readonly earliest: number;
  /** No start before it; a window may begin earlier. */
  readonly noticeEnd: number;
}

/**
 * A visit with what finds its new time; `undefined` if its client may not move it now. A stranger's visit does not move
 * to another day on which strangers have booked their share.
 */
async function loadMovable(context: ClientContext, found: RequiredVisit): Promise<MovableVisit | undefined> {
  const { appointment, contact, start } = found;
  if (!isMovable(appointment)) return undefined;
  const { OrganizationId: organizationId, ServiceId } = appointment;
  const selection = { organizationId, service: { ServiceId } };
  const loaded = await loadBookingContext(toWriteContext(context), selection);
  const { organization } = loaded;
  const now = context.now.getTime();
  if (now > changeableUntil(organization, found)) return undefined;
  const search = { from: now, loading: Promise.resolve(loaded) };
  const fullDays = appointment.Network === '' ? [] : await findFullDays(context.store, organization, search);
  const otherDays = fullDays.filter(({ Date: date }) => date !== toLocalDate(start, organization.Timezone));
  const booking = { contact, ...loaded, closedDays: otherDays };
  const noticeEnd = bookingPeriodOf(toWriteContext(context), loaded)?.first ?? now;
  // A visit that nobody confirms is released at HeldUntil, which must not come after its start.
  const earliest = Math.max(earliestStart(booking, now), appointment.HeldUntil ?? 0);
  return { ...found, booking, earliest, noticeEnd };
}

/** The agents that a visit needs at its time: its crew, and any agent in place of the main one. */
const searchOf = ({ appointment: { Id, Duration, AdditionalAgents } }: FoundVisit) => ({
  minutes: Duration,
  agentId: undefined,
  additionalAgentIds: AdditionalAgents.map(({ ServiceAgentId }) => ServiceAgentId),
  appointmentId: Id,
});

/**
 * Free starts for a visit from a moment on, except its own, in order: those that slotsearch finds for it, or the
 * beginnings of its windows. `undefined` if its client may not move it now.
 */
export async function findOtherTimes(context: ClientContext, from: number): Promise<OfferedTime[] | undefined> {
  const visit = await loadMovable(context, await requireVisit(context));
  if (!visit) return undefined;
  if (from > context.now.getTime() + MAX_DAYS_AHEAD * DAY) return [];
  const search = { ...searchOf(visit), from: Math.max(from, visit.earliest), fixed: false, enough: MAX_SLOTS };
  const arrivalWindows = arrivalWindowsOf(visit.booking);
  const { openings } = await findOpenings(toWriteContext(context), visit.booking, { ...search, arrivalWindows });
  const times = new Map(openings.map((opening) => [offeredStart(opening), offeredTime(opening)]));
  times.delete(visit.start);
  return [...times.values()];
}

/** The free starts closest to one that is taken, in order. */
export async function findNearestOtherTimes(
  context: ClientContext,
  start: number,
  count: number,
): Promise<OfferedTime[] | undefined> {
  const times = await findOtherTimes(context, beginNear(start));
  return times && nearestTo(times, start, count);
}

/** A visit as its client saw it, and its new time. */
export interface VisitMove {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/**
 * The changes that move a visit by the rules of appointments/update; none if it is there already. Its agent stays if
 * free. Throws wrong_state if it may not be moved or was moved meanwhile, and the refusal of scheduling if the time is
 * not free.
 */
export async function moveVisit(context: ClientContext, { from, to }: VisitMove): Promise<readonly Change[]> {
  const found = await requireVisit(context);
  const { appointment, start } = found;
  if (start === to && isBooked(appointment)) return [];
  const visit = start === from ? await loadMovable(context, found) : undefined;
  if (!visit) throw conflict('wrong_state', 'The visit cannot be moved by its client, or was moved meanwhile.');
  const { booking, earliest, noticeEnd } = visit;
  const window = arrivalWindowAt(booking, to);
  if (to < earliest || (!window && to < noticeEnd) || to > context.now.getTime() + MAX_DAYS_AHEAD * DAY)
    throw conflict('slot_taken', 'The time is not offered.');
  const writing = toWriteContext(context);
  if (!window && arrivalWindowsOf(booking).length) throw conflict('slot_taken', 'The arrival window is not offered.');
  const search = { ...searchOf(visit), from: to, fixed: !window, within: window, enough: MAX_SLOTS };
  const { openings, reason } = await findOpenings(writing, booking, search);
  const opening = openings.find(({ agentId }) => agentId === appointment.ServiceAgentId) ?? openings[0];
  if (!opening) throw conflict(reason.code, reason.message);
  const request = {
    AppointmentId: appointment.Id,
    Slots: [
      {
        DateTime: toUtc(opening.start),
        ServiceAgentId: opening.agentId,
        ArrivalFrom: window ? toUtc(window.start) : null,
        ArrivalThrough: window ? toUtc(window.end) : null,
      },
    ],
    UpdateNote: `The client moved the visit from ${toFriendly(start, appointment.Zone)}.`,
  };
  const { changes } = await updateAppointment(request, writing, { version: appointment.V });
  return changes;
}
