import type { AppointmentRecord } from '../entities/appointments.ts';
import type { ServiceAgentRecord } from '../entities/service-agents.ts';
import type { UserRecord } from '../entities/users.ts';
import { startOfDate, toDate, dayNumber, toFriendly, toLocalDate } from '../shared/time/time.ts';
import { Status } from './appointments/record.ts';

/** A service agent who leaves; `lastDay` (YYYY-MM-DD) is the last day of work. */
export interface Leaver {
  readonly agent: ServiceAgentRecord;
  readonly lastDay: string;
}

/** A leaving agent with visits after the last day. */
export interface MissedVisits extends Leaver {
  readonly visits: readonly AppointmentRecord[];
  /** Whether the list has only the first visits. */
  readonly hasMore: boolean;
}

interface People {
  readonly agents: readonly ServiceAgentRecord[];
  readonly users: readonly UserRecord[];
}

/**
 * The agents who leave because of a change to an organization: their EndDate is set or moved earlier, or their user is
 * deactivated, which makes `today` the last day.
 */
export function findLeavers(before: People, after: People, today: string): Leaver[] {
  const formerEnd = new Map(before.agents.map(({ Id, EndDate }) => [Id, EndDate || '9']));
  const deactivated = new Set(findDeactivatedAgents(before.users, after.users));
  return after.agents.flatMap((agent) => {
    const { Id, EndDate } = agent;
    const former = formerEnd.get(Id);
    if (former === undefined) return [];
    if (EndDate && EndDate < former) return [{ agent, lastDay: EndDate }];
    return deactivated.has(Id) && !EndDate ? [{ agent, lastDay: today }] : [];
  });
}

/** The ids of the agents whose users are deactivated by a change. */
export function findDeactivatedAgents(before: readonly UserRecord[], after: readonly UserRecord[]): number[] {
  const wasActive = new Set(before.flatMap(({ Id, Active }) => (Active ? [Id] : [])));
  return after.flatMap(({ Id, Active, ServiceAgentId }) =>
    !Active && wasActive.has(Id) && ServiceAgentId !== null ? [ServiceAgentId] : [],
  );
}

/** The first instant after the last day. */
export const behindLastDay = (lastDay: string, zone: string): number =>
  startOfDate(toDate(dayNumber(lastDay) + 1), zone);

/** Whether the last day of an agent is over; the agent's keys end with it. */
export const hasLeft = ({ EndDate }: Pick<ServiceAgentRecord, 'EndDate'>, zone: string, now: number): boolean =>
  EndDate !== '' && toLocalDate(now, zone) > EndDate;

/** Whether somebody still has to come to the visit. */
export const isAhead = ({ Status: status }: Pick<AppointmentRecord, 'Status'>): boolean =>
  status === Status.Scheduled || status === Status.Tentative;

/** `Ana Ruiz has 12 visits after 2027-01-31` */
export const countMissed = ({ agent, lastDay, visits, hasMore }: MissedVisits): string =>
  `${agent.Name} has ${hasMore ? 'more than ' : ''}${visits.length} ` +
  `${visits.length === 1 ? 'visit' : 'visits'} after ${lastDay}`;

/** The most visits that a task lists. */
const MAX_LISTED = 50;

/** The text of the office's task: how many visits, each with time and number, and how to move them. */
export function describeMissed(missed: MissedVisits): string {
  const { agent, lastDay, visits, hasMore } = missed;
  const lines = visits
    .slice(0, MAX_LISTED)
    .map(({ Id, Start, Zone, ServiceName }) => `${toFriendly(Start ?? 0, Zone)}: ${ServiceName}, appointment ${Id}`);
  const more = visits.length - lines.length;
  const rest = hasMore ? 'and more' : `and ${more} more`;
  return [
    `${countMissed(missed)}. Move them, or: npx fs agents leave ${agent.Id} --date ${lastDay} --queue`,
    ...lines,
    ...(more > 0 || hasMore ? [rest] : []),
  ].join('\n');
}
