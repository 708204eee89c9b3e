import type { TimeSlot } from '../../resources/service-agents.ts';
import type { AgentCalendar, Calendar, Work } from './calendar.ts';
import { coverageOf } from './coverage.ts';
import { MINUTE, type LocalDay } from './days.ts';
import { gapsOf, jobsByAgent, type Gap } from './gaps.ts';
import { timeOffOn, workingTime } from './hours.ts';
import type { Interval } from './intervals.ts';

/** An agent who may do the work where it is, and when. */
export interface Plan {
  readonly agent: AgentCalendar['agent'];
  readonly working: readonly Interval[];
  readonly gaps: readonly Gap[];
}

/** The agents who are left by each rule. An agent without any hours is refused for that later, and not for a category or a place here. */
export interface Able {
  readonly ofCategory: readonly AgentCalendar[];
  readonly ofPlace: readonly (AgentCalendar & { readonly hours: readonly TimeSlot[] })[];
}

/** Who has hours for the category, and who for both the category and the place, with those hours. */
export function ableTo(work: Pick<Work, 'category' | 'postalCode'>, calendar: Pick<Calendar, 'agents' | 'postalCodes'>): Able {
  const coverage = coverageOf(calendar, work);
  const left = (given: readonly TimeSlot[], slots: readonly TimeSlot[]) => given.length === 0 || slots.length > 0;
  const ofCategory = calendar.agents
    .map((each) => ({ ...each, hours: coverage.ofCategory(each.agent.TimeSlots) }))
    .filter(({ agent, hours }) => left(agent.TimeSlots, hours));
  const ofPlace = ofCategory
    .map((each) => ({ ...each, hours: coverage.ofPlace(each.hours) }))
    .filter(({ agent, hours }) => left(agent.TimeSlots, hours));
  return { ofCategory, ofPlace };
}

/** When any of them works on the days, and is free for so long; of all agents the holidays and jobs are read once. */
export function planner(days: readonly LocalDay[], { holidays, jobs }: Pick<Calendar, 'holidays' | 'jobs'>, work: Pick<Work, 'appointmentId' | 'minutes'>): (of: Able['ofPlace'][number]) => Plan {
  const closed = timeOffOn(days, holidays);
  const taken = jobsByAgent(jobs, work.appointmentId);
  return (of) => {
    const working = workingTime(days, of.hours, of, closed);
    return { agent: of.agent, working, gaps: gapsOf(working, taken.get(of.agent.Id) ?? [], work.minutes * MINUTE) };
  };
}
