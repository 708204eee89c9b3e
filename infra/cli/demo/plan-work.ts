import { setImmediate } from 'node:timers/promises';
import { buildCalendar, buildWork } from '../../../lib/domain/appointments/calendar.ts';
import type { OrganizationRecord } from '../../../lib/domain/organizations.ts';
import type { Position } from '../../../lib/domain/postal/miles.ts';
import type { ServiceRecord } from '../../../lib/domain/pricebook/record.ts';
import { type Calendar, type Job, type Work, calendarDays } from '../../../lib/domain/scheduling/calendar.ts';
import { checkSlot } from '../../../lib/domain/scheduling/check.ts';
import { type LocalDay, dayAt, isInSeason } from '../../../lib/domain/scheduling/days.ts';
import { timeOffOn, workingTime } from '../../../lib/domain/scheduling/hours.ts';
import type { Interval } from '../../../lib/domain/scheduling/intervals.ts';
import type { ServiceAgentRecord } from '../../../lib/domain/service-agents.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/shared/time/time.ts';
import { type Offer, offers } from './catalogue.ts';
import type { DemoContact } from './office.ts';
import { Random } from './random.ts';

/** Days of dense work before and after today. */
export const DENSE_DAYS = 14;
/** Jobs an agent has on each working day of them. */
export const JOBS_A_DENSE_DAY = { min: 4, max: 6 };
const YEAR_DAYS = 365;

/** Share of an agent's working days of the rest of the year that have a job in the books. */
const JOBS_A_DAY = 0.36;
/** Share of an agent's days on which a job was canceled. */
const CANCELED_A_DAY = 0.1;
/** Every so many customers is a regular one, whose lawn is mown. */
const REGULAR = 9;
/** Places compared when the next one on a route is chosen. */
const NEARBY = 8;
/** Pieces of work tried for one time of a day. */
const ATTEMPTS = 6;
/**
 * A day is planned again while it has too few jobs: the first times with work of any length, then with the shortest.
 */
const DAY_ATTEMPTS = { varied: 4, all: 16 };

const GRID = 15 * MINUTE;

/** What a planned job becomes. */
export type Fate = 'completed' | 'started' | 'scheduled' | 'tentative' | 'canceled';

export interface PlannedJob {
  readonly contact: DemoContact;
  readonly offer: Offer;
  readonly agentId: number;
  readonly start: number;
  readonly minutes: number;
  readonly quantity: number | undefined;
  readonly fate: Fate;
  /** Whether it is booked as it was, although hours and seasons of that time may not be those of today. */
  readonly isUnchecked: boolean;
}

interface Company {
  readonly now: number;
  readonly seed: number;
  readonly organization: OrganizationRecord;
  readonly agents: readonly ServiceAgentRecord[];
  readonly services: readonly ServiceRecord[];
  readonly contacts: readonly DemoContact[];
  /** What is booked already. */
  readonly jobs: readonly Job[];
  readonly positionAt: (code: string) => Position | null;
}

/**
 * Plans the jobs of one organization from `since` days before today, by default a year, through two weeks from today.
 */
export function planWork(company: Company, since = YEAR_DAYS): Promise<PlannedJob[]> {
  return new Planner(company).plan(since);
}

/** Also for estimates: who books the job before or after one drives to it. */
const toWork = (service: ServiceRecord): Work => ({
  ...buildWork(service, { minutes: 0, zip: '', position: null }),
  fixedLocation: false,
});

interface Candidate {
  readonly contact: DemoContact;
  readonly offer: Offer;
  readonly work: Work;
}

/** What the next job of a day has to fit. */
interface Route {
  /** The most minutes it may take. */
  readonly longest: number;
  /** Whether only the shortest work and the nearest places fit the day. */
  readonly isShort: boolean;
  /** The place before. */
  readonly from: Position | null;
  readonly visited: readonly DemoContact[];
}

/** A working day of an agent, and what is in it so far. */
interface AgentDay {
  readonly agent: ServiceAgentRecord;
  readonly day: LocalDay;
  /** From the first minute of work to the last. */
  readonly first: number;
  readonly last: number;
  readonly workingMinutes: number;
  readonly isDense: boolean;
  /** Of the day and the days beside it, by start. */
  readonly jobs: readonly Job[];
}

class Planner {
  readonly #company: Company;
  /** Of the agent's day that is planned: what happens on one day changes no other. */
  #random: Random;
  readonly #calendar: Calendar;
  /** By the name of the service. */
  readonly #works: ReadonlyMap<string, Work>;
  readonly #customers: DemoContact[];
  readonly #regulars: DemoContact[];
  readonly #leads: DemoContact[];
  /** Customers who have no job yet. */
  readonly #waiting: DemoContact[];
  readonly #planned: PlannedJob[] = [];

  constructor(company: Company) {
    const { organization, agents, services, contacts, jobs, positionAt, seed } = company;
    this.#company = company;
    this.#random = new Random(seed);
    this.#calendar = buildCalendar(organization, agents, jobs, positionAt);
    this.#works = new Map(services.map((service) => [service.Name, toWork(service)]));
    this.#customers = contacts.filter(({ isCustomer }) => isCustomer);
    this.#leads = contacts.filter(({ isCustomer }) => !isCustomer);
    this.#regulars = this.#customers.filter(({ hasLawn }, index) => hasLawn && index % REGULAR < 2);
    this.#waiting = this.#random.shuffle(this.#customers.filter(({ hasHistory }) => !hasHistory));
  }

  async plan(since: number): Promise<PlannedJob[]> {
    const { now, agents, organization } = this.#company;
    const today = dayAt(now, organization.Timezone);
    for (let offset = -since; offset <= DENSE_DAYS; offset++) {
      const day = dayAt(today.midnight + offset * DAY + 12 * HOUR, organization.Timezone);
      await setImmediate();
      for (const agent of agents) this.#planDay(agent, day, offset >= -DENSE_DAYS);
    }
    return this.#planned;
  }

  #planDay(agent: ServiceAgentRecord, day: LocalDay, isDense: boolean): void {
    this.#random = new Random(this.#company.seed + agent.Id * 100_003 + Math.floor(day.midnight / DAY));
    if (!isDense && !this.#random.chance(JOBS_A_DAY)) return;
    const working = this.#workingTime(agent, day);
    const [first, last] = [working[0]?.start ?? 0, working.at(-1)?.end ?? 0];
    const workingMinutes = working.reduce((sum, { start, end }) => sum + (end - start) / MINUTE, 0);
    if (!workingMinutes) return;
    const isNear = (job: Job) => job.agentId === agent.Id && Math.abs(job.start - first) < 2 * DAY;
    const jobs = this.#company.jobs.filter(isNear);
    const agentDay = { agent, day, first, last, workingMinutes, isDense, jobs };
    if (isDense) this.#planDenseDay(agentDay);
    else this.#accept(this.#fillDay(agentDay, { requested: 1 }));
  }

  #workingTime(agent: ServiceAgentRecord, day: LocalDay): Interval[] {
    const { timeOff } = this.#calendar.agents.find((other) => other.agent === agent) ?? { timeOff: [] };
    return workingTime([day], agent.TimeSlots, { agent, timeOff }, timeOffOn([day], this.#calendar.holidays));
  }

  #planDenseDay(agentDay: AgentDay): void {
    const { day, jobs } = agentDay;
    const { min, max } = JOBS_A_DENSE_DAY;
    const already = jobs.filter(({ start }) => start >= day.start && start < day.end).length;
    let planned: PlannedJob[] = [];
    for (let attempt = 0; attempt < DAY_ATTEMPTS.all && already + planned.length < min; attempt++) {
      const isShort = attempt >= DAY_ATTEMPTS.varied;
      const requested = (isShort ? min : this.#random.between(min, max)) - already;
      const filled = this.#fillDay(agentDay, { requested, isShort });
      if (filled.length > planned.length) planned = filled;
    }
    this.#accept(planned);
    if (already + planned.length >= max || !this.#random.chance(CANCELED_A_DAY)) return;
    // Behind the others: between two of them, the drive from one to the other might take longer than by way of it.
    const all = this.#withJobs(jobs, planned);
    const [canceled] = this.#fillDay({ ...agentDay, jobs: all }, { requested: 1, from: all.at(-1)?.end });
    if (canceled) this.#planned.push({ ...canceled, fate: 'canceled' });
  }

  #accept(planned: readonly PlannedJob[]): void {
    for (const { contact, fate } of planned) {
      const index = fate === 'completed' ? this.#waiting.indexOf(contact) : -1;
      if (index >= 0) this.#waiting.splice(index, 1);
    }
    this.#planned.push(...planned);
  }

  #withJobs(jobs: readonly Job[], planned: readonly PlannedJob[]): Job[] {
    const added = planned.map(({ agentId, contact, start, minutes }, index) => {
      const position = this.#company.positionAt(contact.zip);
      return { appointmentId: -index - 1, agentId, position, start, end: start + minutes * MINUTE };
    });
    return [...jobs, ...added].sort((one, other) => one.start - other.start);
  }

  /** Up to so many jobs one after another, from `from` or the beginning of the day; with gaps if there is time. */
  #fillDay(
    agentDay: AgentDay,
    { requested, isShort = false, from }: { requested: number; isShort?: boolean; from?: number | undefined },
  ): PlannedJob[] {
    const { first, last, workingMinutes, isDense, jobs, day } = agentDay;
    const booked = jobs.filter(({ start }) => start >= day.start && start < day.end);
    const free = booked.reduce((left, { start, end }) => left - (end - start) / MINUTE, workingMinutes);
    const longest = isDense && from === undefined ? Math.max(30, free / requested - 15) : 90;
    const someTime = first + this.#random.next() * (last - first) * 0.7;
    const planned: PlannedJob[] = [];
    let at = from ?? (isDense ? first : Math.ceil(someTime / GRID) * GRID);
    while (planned.length < requested && at < last) {
      const all = this.#withJobs(jobs, planned);
      const job = this.#findJob({ ...agentDay, jobs: all }, { at, longest, isShort, planned });
      if (!job) {
        at += isShort ? GRID : 2 * GRID;
        continue;
      }
      planned.push(job);
      const pause = !isShort && this.#random.chance(0.3) && workingMinutes > 6 * 60 ? GRID : 0;
      at = job.start + job.minutes * MINUTE + pause;
    }
    return planned;
  }

  #findJob(
    agentDay: AgentDay,
    { at, planned, ...limits }: Pick<Route, 'longest' | 'isShort'> & { at: number; planned: readonly PlannedJob[] },
  ): PlannedJob | undefined {
    const { agent, last, isDense, jobs } = agentDay;
    const own = this.#calendar.agents.filter((other) => other.agent === agent);
    const calendar = { ...this.#calendar, agents: own, jobs };
    const from = jobs.findLast(({ end }) => end <= at)?.position ?? this.#calendar.startPosition;
    const route = { ...limits, from, visited: planned.map(({ contact }) => contact) };
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const candidate = this.#candidate(agentDay, route);
      if (!candidate) return undefined;
      const { contact, offer, work } = candidate;
      const { minutes } = work;
      const latest = Math.min(at + HOUR, last - minutes * MINUTE);
      for (let start = Math.ceil(at / GRID) * GRID; start <= latest; start += GRID)
        if (checkSlot(calendar, work, { agentId: agent.Id, start }).ok) {
          const fate = this.#fate(start, minutes, contact);
          if (!fate) break;
          const quantity = offer.quantities && this.#random.pick(offer.quantities);
          return { contact, offer, agentId: agent.Id, start, minutes, quantity, fate, isUnchecked: !isDense };
        }
    }
    return undefined;
  }

  /** A lead is nobody for whom work was done. */
  #fate(start: number, minutes: number, { isCustomer }: DemoContact): Fate | undefined {
    const { now } = this.#company;
    if (start + minutes * MINUTE <= now) return isCustomer ? 'completed' : undefined;
    if (start <= now) return isCustomer ? 'started' : undefined;
    return this.#random.chance(isCustomer ? 0.06 : 0.4) ? 'tentative' : 'scheduled';
  }

  #candidate({ agent, day, isDense }: AgentDay, route: Route): Candidate | undefined {
    const { longest, isShort } = route;
    const month = Number(day.date.slice(5, 7)) - 1;
    const isToday = ({ DayOfWeek, StartDate, EndDate }: ServiceAgentRecord['TimeSlots'][number]) =>
      DayOfWeek === day.weekday && StartDate <= day.date && day.date <= (EndDate || day.date);
    const own = new Set(agent.TimeSlots.filter(isToday).map(({ ServiceCategoryName }) => ServiceCategoryName));
    const isAble = ({ category }: Offer) => own.has('') || own.has(category);
    const isSold = ({ organization, category }: Offer) =>
      (organization === undefined || organization === this.#company.organization.PublicName) &&
      // Crews for lights and snow go out for these only, and others for anything else.
      (['Lighting', 'Snow'].includes(category) ? own.has(category) : true);
    const isOpen = ({ service }: Offer) => {
      const work = this.#works.get(service);
      return work && (!isDense || isInSeason(day, work));
    };
    const possible = offers
      .filter((offer) => isAble(offer) && isSold(offer) && isOpen(offer) && Math.min(...offer.minutes) <= longest)
      .map((offer) => ({ offer, weight: offer.season[month] || (own.has('') ? 0 : 1) }))
      .filter(({ weight }) => weight > 0);
    const offer = this.#weighted(possible);
    const general = offer && this.#works.get(offer.service);
    const contact = offer && this.#contactFor(offer, agent, route);
    if (!general || !contact) return undefined;
    const lengths = offer.minutes.filter((minutes) => minutes <= longest);
    const minutes = isShort ? Math.min(...lengths) : this.#random.pick(lengths);
    const place = { postalCode: contact.zip, position: this.#company.positionAt(contact.zip) };
    // What was done in former years was in season then.
    const season = isDense ? {} : { seasonFirst: null, seasonLast: null };
    return { contact, offer, work: { ...general, ...place, ...season, minutes } };
  }

  #weighted(possible: readonly { readonly offer: Offer; readonly weight: number }[]): Offer | undefined {
    let left = this.#random.next() * possible.reduce((sum, { weight }) => sum + weight, 0);
    return possible.find(({ weight }) => (left -= weight) < 0)?.offer;
  }

  /** Somebody near the place before, first those whom nobody has visited; for a short day the nearest of many. */
  #contactFor(
    { needs, isRegular, billing }: Offer,
    { TimeSlots }: ServiceAgentRecord,
    { isShort, from, visited }: Route,
  ): DemoContact | undefined {
    const hasNeed = (contact: DemoContact) =>
      needs === undefined || (needs === 'lawn' ? contact.hasLawn : contact.hasGutters);
    const isServed = ({ zip }: DemoContact) =>
      TimeSlots.some(({ PostalCodes }) => PostalCodes === '' || PostalCodes.split(',').includes(zip));
    const isAble = (contact: DemoContact) => hasNeed(contact) && isServed(contact) && !visited.includes(contact);
    const pool = isRegular ? this.#regulars : billing === 'free' ? this.#leads : this.#customers;
    const waiting = isShort || isRegular || billing === 'free' ? [] : this.#waiting.filter(isAble).slice(0, NEARBY);
    const able = waiting.length ? waiting : pool.filter(isAble);
    if (!able.length) return undefined;
    const some = Array.from({ length: isShort ? 4 * NEARBY : NEARBY }, () => this.#random.pick(able));
    const { driveTimes } = this.#calendar;
    const drive = ({ zip }: DemoContact) => driveTimes(from, this.#company.positionAt(zip));
    return some.reduce((nearest, other) => (drive(other) < drive(nearest) ? other : nearest));
  }
}

/** The days of UTC of the dense weeks and the two around them, as a stored calendar has them. */
export const denseDays = (now: number): string[] =>
  calendarDays({ start: now - (DENSE_DAYS + 2) * DAY, end: now + (DENSE_DAYS + 2) * DAY });
