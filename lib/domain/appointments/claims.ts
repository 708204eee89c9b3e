import type { Position } from '../postal/miles.ts';
import { dayAt, minuteOf, MINUTE } from '../scheduling/days.ts';
import type { Interval } from '../scheduling/intervals.ts';
import { takesTime } from '../scheduling/lifecycle.ts';
import type { AppointmentRecord } from './record.ts';

const DAY = 86_400_000;

/** Time that an appointment takes of one agent. */
export interface Claim extends Interval {
  readonly agentId: number;
  readonly position: Position | null;
}

type Claiming = Pick<AppointmentRecord, 'Status' | 'Start' | 'Duration' | 'Zone' | 'ServiceAgentId' | 'AdditionalAgents' | 'Position'>;

/** The times and agents of an appointment, whatever its status: its own agent first. */
function timesOf({ Start, Duration, Zone, ServiceAgentId, AdditionalAgents, Position: position }: Claiming): Claim[] {
  if (Start === null || !ServiceAgentId) return [];
  const lasting = (start: number, minutes: number) => ({ start, end: start + minutes * MINUTE });
  const day = dayAt(Start, Zone);
  return [
    { agentId: ServiceAgentId, position, ...lasting(Start, Duration) },
    ...AdditionalAgents.map((other) => ({
      agentId: other.ServiceAgentId,
      position,
      ...lasting(other.StartMinute === null ? Start : minuteOf(day, other.StartMinute), other.Duration ?? Duration),
    })),
  ];
}

/** Times and agents as text, to compare. */
export const timesText = (appointment: Claiming): string => JSON.stringify(timesOf(appointment).map(({ agentId, start, end }) => [agentId, start, end]));

/** What an appointment claims: the whole time of every agent, while its status takes time. */
export const claimsOf = (appointment: Claiming): Claim[] => (takesTime(appointment.Status) ? timesOf(appointment).filter(({ start, end }) => start < end) : []);

/** Days of UTC that an interval touches: what calendars are kept by. UTC, so that a claim stays where it is when the organization's Timezone is changed. */
export function daysOf({ start, end }: Interval): string[] {
  const days: string[] = [];
  for (let day = Math.floor(start / DAY) * DAY; day < Math.max(end, start + 1); day += DAY) days.push(new Date(day).toISOString().slice(0, 10));
  return days;
}
