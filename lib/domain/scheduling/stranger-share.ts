import { MINUTE } from '../../shared/time/time.ts';
import { type Calendar, dayAt } from './calendar.ts';
import { timeOffOn, workingTime } from './plans.ts';

/**
 * The minutes of a day that strangers may book: a percentage of the working time of all agents. At least one, because a
 * day accepts visits until its minutes reach the limit, so the first one always fits.
 */
export function strangerMinutes(
  { agents, holidays, zone }: Pick<Calendar, 'agents' | 'holidays' | 'zone'>,
  at: number,
  share: number,
): number {
  const days = [dayAt(at, zone)];
  const closed = timeOffOn(days, holidays);
  const working = agents.flatMap((agent) => workingTime(days, agent.agent.TimeSlots, agent, closed));
  const minutes = working.reduce((sum, { start, end }) => sum + (end - start) / MINUTE, 0);
  return Math.max(1, Math.floor((minutes * share) / 100));
}
