import type { TimeSlot } from '../../resources/organizations.ts';
import { normalizePostalCode } from '../../shared/addresses.ts';
import { fold } from '../../shared/text.ts';
import type { AgentCalendar, Calendar, Work } from './calendar.ts';
import type { LocalDay } from './days.ts';
import { type Gap, findGaps, jobsByAgent, timeOffOn, workingTime } from './hours.ts';
import type { Interval } from './intervals.ts';
import { MINUTE } from '../../shared/time.ts';

/** An agent who may do the work where it is, and when. */
export interface Plan {
  readonly agent: AgentCalendar['agent'];
  readonly working: readonly Interval[];
  readonly gaps: readonly Gap[];
}

/** The agents who are left by each rule. An agent without any hours is refused for that later, and not for a category or a place here. */
export interface ServicePlan {
  readonly ofCategory: readonly AgentCalendar[];
  readonly ofPlace: readonly (AgentCalendar & { readonly hours: readonly TimeSlot[] })[];
}

/** Who has hours for the category, and who for both the category and the place, with those hours. */
export function canDo(
  work: Pick<Work, 'category' | 'postalCode'>,
  calendar: Pick<Calendar, 'agents' | 'postalCodes'>,
): ServicePlan {
  const coverage = agentCoverage(calendar, work);
  const left = (input: readonly TimeSlot[], slots: readonly TimeSlot[]) => input.length === 0 || slots.length > 0;
  const ofCategory = calendar.agents
    .map((each) => ({ ...each, hours: coverage.ofCategory(each.agent.TimeSlots) }))
    .filter(({ agent, hours }) => left(agent.TimeSlots, hours));
  const ofPlace = ofCategory
    .map((each) => ({ ...each, hours: coverage.ofPlace(each.hours) }))
    .filter(({ agent, hours }) => left(agent.TimeSlots, hours));
  return { ofCategory, ofPlace };
}

/** When any of them works on the days, and is free for so long; of all agents the holidays and jobs are read once. */
export function planner(
  days: readonly LocalDay[],
  { holidays, jobs }: Pick<Calendar, 'holidays' | 'jobs'>,
  work: Pick<Work, 'appointmentId' | 'minutes'>,
): (of: ServicePlan['ofPlace'][number]) => Plan {
  const closed = timeOffOn(days, holidays);
  const taken = jobsByAgent(jobs, work.appointmentId);
  return (of) => {
    const working = workingTime(days, of.hours, of, closed);
    return { agent: of.agent, working, gaps: findGaps(working, taken.get(of.agent.Id) ?? [], work.minutes * MINUTE) };
  };
}

const holds = (codes: string, code: string): boolean => `,${codes},`.includes(`,${code},`);

/** Which weekly hours count for some work: those for its category, and those for the place. Folds each category of an organization once. */
export interface Coverage {
  /** Hours for services of the category, whatever its case and accents. */
  ofCategory(slots: readonly TimeSlot[]): readonly TimeSlot[];
  /** Hours for the postal code: their own PostalCodes have it, or they have none and the organization serves it. */
  ofPlace(slots: readonly TimeSlot[]): readonly TimeSlot[];
}

export function agentCoverage(
  { postalCodes }: Pick<Calendar, 'postalCodes'>,
  work: Pick<Work, 'category' | 'postalCode'>,
): Coverage {
  const category = fold(work.category);
  const code = normalizePostalCode(work.postalCode);
  const inOrganization = postalCodes === '' || holds(postalCodes, code);
  const folded = new Map<string, boolean>([['', true]]);
  const isOf = (name: string): boolean => {
    const known = folded.get(name);
    if (known !== undefined) return known;
    const same = fold(name) === category;
    folded.set(name, same);
    return same;
  };
  return {
    ofCategory: (slots) => slots.filter(({ ServiceCategoryName }) => isOf(ServiceCategoryName)),
    ofPlace: (slots) =>
      slots.filter(({ PostalCodes }) => (PostalCodes === '' ? inOrganization : holds(PostalCodes, code))),
  };
}

/**
 * Whether a place is known well enough to work there: where it is, or (abroad, where no positions of postal codes are at
 * hand) that the organization lists its postal code as one it serves, and then at no distance.
 */
export const isReachable = (
  { postalCodes }: Pick<Calendar, 'postalCodes'>,
  { fixedLocation, position, postalCode }: Pick<Work, 'fixedLocation' | 'position' | 'postalCode'>,
): boolean => fixedLocation || position !== null || holds(postalCodes, normalizePostalCode(postalCode) || '-');
