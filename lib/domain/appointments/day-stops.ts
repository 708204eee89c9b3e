import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { DAY, MINUTE } from '../../shared/time/time.ts';
import type { Position } from '../postal/localities.ts';
import type { BookingPeriod, Interval, LocalDay } from '../scheduling/calendar.ts';
import type { DayStop } from '../scheduling/day-stops.ts';
import { type TimeReservation, buildWork, timeReservations } from './calendar.ts';
import { Status, arrivalOf } from './record.ts';

/** Which visits a plan of a day may move, and how far. */

/** What whoever plans the day allows. */
export interface PlanChoices {
  /** Whether a visit may go to another agent. */
  readonly acrossAgents: boolean;
  /** Whether visits may move away from a time that their clients expect. */
  readonly moveConfirmed: boolean;
}

/** What a visit is planned with. */
export interface StopSources {
  readonly service: ServiceRecord;
  /** The postal code of its client, and the place of that. */
  readonly zip: string;
  readonly position: Position | null;
  readonly period?: BookingPeriod | undefined;
}

/**
 * Whether the client expects the visit at its exact start: a visit that is scheduled without an arrival window, whoever
 * booked it, because the answer, the page or a message showed the time; and a tentative one that waits for its client,
 * who has chosen the time. Other tentative visits are plans of the office.
 */
const isExpectedAtStart = (visit: AppointmentRecord): boolean =>
  arrivalOf(visit) === undefined && (visit.Status !== Status.Tentative || visit.HeldUntil !== null);

const HAS_BEGUN = 'It has begun.';
const SEVERAL_AGENTS = 'It has several agents.';
const LONG = 'It takes more than a day.';
const EXPECTED = 'Its client expects it at this time.';

/** Why a plan leaves a visit as it is; `undefined` if it may move it. */
function whyItStays(visit: AppointmentRecord, now: Date, choices: PlanChoices): string | undefined {
  const { Status: status, Start, Duration, AdditionalAgents } = visit;
  const isAhead = status === Status.Scheduled || status === Status.Tentative;
  if (!isAhead || (Start ?? 0) <= now.getTime()) return HAS_BEGUN;
  if (AdditionalAgents.length) return SEVERAL_AGENTS;
  if (Duration * MINUTE > DAY) return LONG;
  return isExpectedAtStart(visit) && !choices.moveConfirmed && !choices.acrossAgents ? EXPECTED : undefined;
}

/** When a movable visit may begin; `undefined` for the whole day. */
function startsWithin(visit: AppointmentRecord, { moveConfirmed }: PlanChoices): Interval | undefined {
  const { Start } = visit;
  const arrival = arrivalOf(visit);
  if (arrival || Start === null || moveConfirmed || !isExpectedAtStart(visit)) return arrival;
  return { start: Start, end: Start + 1 };
}

const workOf = (visit: AppointmentRecord, { service, zip, position }: StopSources, minutes: number) =>
  buildWork(service, { minutes, zip, position, appointmentId: visit.Id });

/** The stops of a booked visit on a day, one for each of its agents that begins on it. */
export function stopsOf(
  visit: AppointmentRecord,
  sources: StopSources,
  { day, now, choices }: { readonly day: LocalDay; readonly now: Date; readonly choices: PlanChoices },
): DayStop[] {
  const stays = whyItStays(visit, now, choices);
  const within = startsWithin(visit, choices);
  const isOfDay = ({ start }: TimeReservation) => day.start <= start && start < day.end;
  return timeReservations(visit)
    .filter(isOfDay)
    .map(({ agentId, start, end }) => ({
      appointmentId: visit.Id,
      agentId,
      start,
      work: workOf(visit, sources, (end - start) / MINUTE),
      ...(stays === undefined ? {} : { stays }),
      ...(within ? { within } : {}),
      mayChangeAgent: choices.acrossAgents,
      period: sources.period,
    }));
}

/** A visit that waits in the queue: it may go to any agent. */
export const queuedStop = (visit: AppointmentRecord, sources: StopSources): DayStop => ({
  appointmentId: visit.Id,
  agentId: 0,
  start: null,
  work: workOf(visit, sources, visit.Duration),
  mayChangeAgent: true,
  period: sources.period,
});
