import type { TimeSlot } from '../../resources/organizations.ts';
import { normalizePostalCode } from '../../shared/text/addresses.ts';
import { fold } from '../../shared/text/text.ts';
import { MINUTE } from '../../shared/time/time.ts';
import type { AgentCalendar, Calendar, Work } from './calendar.ts';
import { type VisitSpan, dayBefore } from './days.ts';
import { type Gap, findGaps, jobsByAgent, timeOffOn, workingTime } from './hours.ts';
import type { Interval } from './intervals.ts';

interface AbleAgent extends AgentCalendar {
  /** The weekly hours that count for the work. */
  readonly hours: readonly TimeSlot[];
}

/**
 * The agents that each rule leaves. An agent without any hours is refused later for that, not here for a category or an
 * address.
 */
export interface AbleAgents {
  readonly forCategory: readonly AgentCalendar[];
  readonly forAddress: readonly AbleAgent[];
}

/** When an able agent works and is free. */
export interface AgentPlan {
  readonly agent: AgentCalendar['agent'];
  readonly working: readonly Interval[];
  readonly gaps: readonly Gap[];
}

const includesCode = (codes: string, code: string): boolean => `,${codes},`.includes(`,${code},`);

/** Folds each category once, as agents share them. */
function categoryMatcher(category: string): (name: string) => boolean {
  const folded = fold(category);
  const matches = new Map<string, boolean>([['', true]]);
  return (name) => {
    const match = matches.get(name) ?? fold(name) === folded;
    matches.set(name, match);
    return match;
  };
}

/**
 * Who has hours for the category, whatever its case and accents, and who for both the category and the address: hours
 * with PostalCodes of their own must list the code, for others the organization must serve it.
 */
export function findAbleAgents(
  work: Pick<Work, 'category' | 'postalCode'>,
  { agents, postalCodes }: Pick<Calendar, 'agents' | 'postalCodes'>,
): AbleAgents {
  const code = normalizePostalCode(work.postalCode);
  const isServed = postalCodes === '' || includesCode(postalCodes, code);
  const isForCategory = categoryMatcher(work.category);
  const withHours = (entries: readonly AbleAgent[], counts: (slot: TimeSlot) => boolean): AbleAgent[] =>
    entries
      .map((entry) => ({ ...entry, hours: entry.hours.filter(counts) }))
      .filter(({ agent, hours }) => agent.TimeSlots.length === 0 || hours.length > 0);
  const all = agents.map((entry) => ({ ...entry, hours: entry.agent.TimeSlots }));
  const forCategory = withHours(all, ({ ServiceCategoryName }) => isForCategory(ServiceCategoryName));
  const forAddress = withHours(forCategory, ({ PostalCodes }) =>
    PostalCodes === '' ? isServed : includesCode(PostalCodes, code),
  );
  return { forCategory, forAddress };
}

/**
 * Plans each agent for the days, with the hours of the day before them: a stretch that runs into the first day began
 * then. Holidays and jobs are read once for all agents.
 */
export function agentPlanner(
  days: VisitSpan['around'],
  { holidays, jobs }: Pick<Calendar, 'holidays' | 'jobs'>,
  work: Pick<Work, 'appointmentId' | 'minutes'>,
): (able: AbleAgent) => AgentPlan {
  const worked = [dayBefore(days[0]), ...days];
  const closed = timeOffOn(worked, holidays);
  const agentJobs = jobsByAgent(jobs, work.appointmentId);
  return (able) => {
    const working = workingTime(worked, able.hours, able, closed);
    return {
      agent: able.agent,
      working,
      gaps: findGaps(working, agentJobs.get(able.agent.Id) ?? [], work.minutes * MINUTE),
    };
  };
}

/**
 * Whether a drive to the address can be planned: its position is known, or the organization lists its postal code as one
 * it serves (abroad, where no positions of postal codes are available), and then the address is at no distance.
 */
export const isReachable = (
  { postalCodes }: Pick<Calendar, 'postalCodes'>,
  { fixedLocation, position, postalCode }: Pick<Work, 'fixedLocation' | 'position' | 'postalCode'>,
): boolean => fixedLocation || position !== null || includesCode(postalCodes, normalizePostalCode(postalCode) || '-');
