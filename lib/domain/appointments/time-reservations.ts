import type { AppointmentRecord } from '../../entities/appointments.ts';
import { isEqual } from '../../shared/equality.ts';
import { omit } from '../../shared/objects.ts';
import { MINUTE } from '../../shared/time/time.ts';
import { offsetAt } from '../../shared/time/zones.ts';
import type { Position } from '../postal/miles.ts';
import { dayAt, instantAtMinute } from '../scheduling/days.ts';
import type { Interval } from '../scheduling/intervals.ts';
import { occupiesTime } from './status.ts';

/** Time that an appointment takes of one agent. */
export interface TimeReservation extends Interval {
  readonly agentId: number;
  readonly position: Position | null;
}

type Visit = Pick<
  AppointmentRecord,
  'Status' | 'Start' | 'Duration' | 'Zone' | 'ServiceAgentId' | 'AdditionalAgents' | 'Position'
>;

/** The times of an appointment, whatever its status: its own agent first. */
function agentTimes(visit: Visit): TimeReservation[] {
  const { Start, Duration, Zone, ServiceAgentId, AdditionalAgents, Position: position } = visit;
  if (Start === null || !ServiceAgentId) return [];
  const day = dayAt(Start, Zone);
  const time = (agentId: number, start: number, minutes: number) => ({
    agentId,
    position,
    start,
    end: start + minutes * MINUTE,
  });
  return [
    time(ServiceAgentId, Start, Duration),
    ...AdditionalAgents.map((agent) => {
      const start = agent.StartMinute === null ? Start : instantAtMinute(day, agent.StartMinute);
      return time(agent.ServiceAgentId, start, agent.Duration || Duration);
    }),
  ];
}

function clockMinute(at: number, zone: string): number {
  const { midnight } = dayAt(at, zone);
  return Math.floor((at + offsetAt(at, zone) - midnight) / MINUTE);
}

/** The start of an appointment before and after it is moved. */
export interface Move {
  readonly from: { readonly at: number; readonly zone: string };
  readonly to: { readonly at: number; readonly zone: string };
}

/**
 * The StartMinute of an additional agent after its appointment moved, by the clock: from 9:00 to 13:00 it is 4 hours
 * later. `undefined` if the agent would then start on another day.
 */
export function movedStartMinute(startMinute: number, { from, to }: Move): number | undefined {
  const minute = startMinute + clockMinute(to.at, to.zone) - clockMinute(from.at, from.zone);
  return minute >= 0 && minute < 1440 ? minute : undefined;
}

/** Whether the same agents have the same times, wherever it is. */
export function hasSameTimes(one: Visit, other: Visit): boolean {
  const times = (visit: Visit) => agentTimes(visit).map((time) => omit(time, 'position'));
  return isEqual(times(one), times(other));
}

/** The whole time of every agent, if the status takes time. */
export const timeReservations = (visit: Visit): TimeReservation[] =>
  occupiesTime(visit.Status) ? agentTimes(visit).filter(({ start, end }) => start < end) : [];
