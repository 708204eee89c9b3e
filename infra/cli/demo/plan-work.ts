import { setImmediate } from 'node:timers/promises';
import { buildCalendar } from '../../../lib/domain/appointments/calendar.ts';
import type { OrganizationRecord } from '../../../lib/domain/organizations.ts';
import type { Position } from '../../../lib/domain/postal/miles.ts';
import { type Calendar, type Job, calendarDays } from '../../../lib/domain/scheduling/calendar.ts';
import { checkSlot } from '../../../lib/domain/scheduling/check.ts';
import { type LocalDay, dayAt } from '../../../lib/domain/scheduling/days.ts';
import { timeOffOn, workingTime } from '../../../lib/domain/scheduling/hours.ts';
import type { ServiceAgentRecord } from '../../../lib/domain/service-agents.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/shared/time/time.ts';
import { type Offer, offers } from './catalogue.ts';
import type { DemoContact } from './office.ts';
import { Random } from './random.ts';

/** Days of dense work before and after today. */
const DENSE_DAYS = 14;
const YEAR_DAYS = 365;

/** Share of an agent's working days of the year that have a job in the books. */
const JOBS_A_DAY = 0.36;
/** Share of an agent's days on which a job was canceled. */
const CANCELED_A_DAY = 0.1;
/** Every so many customers is a regular one, whose lawn is mown. */
const REGULAR = 9;
/** Places compared when the next one on a route is chosen. */
const NEARBY = 8;
const ATTEMPTS = 6;

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
  readonly contacts: readonly DemoContact[];
  /** What is booked already. */
  readonly jobs: readonly Job[];
  readonly positionAt: (code: string) => Position | null;
}

/** Plans the jobs of one organization, for a year up to today and for two weeks from today. */
export function planWork(company: Company): Promise<PlannedJob[]> {
  return new Planner(company).plan();
}

interface Candidate {
  readonly contact: DemoContact;
  readonly offer: Offer;
  readonly minutes: number;
}

class Planner {
  readonly #company: Company;
  /** Of the agent's day that is planned: what happens on one day changes no other. */
  #random: Random;
  readonly #calendar: Calendar;
  readonly #customers: DemoContact[];
  readonly #regulars: DemoContact[];
  readonly #leads: DemoContact[];
  /** Customers who have no job yet. */
  readonly #waiting: DemoContact[];
  readonly #planned: PlannedJob[] = [];

  constructor(company: Company) {
    const { organization, agents, contacts, jobs, positionAt, seed } = company;
    this.#company = company;
    this.#random = new Random(seed);
    this.#calendar = buildCalendar(organization, agents, jobs, positionAt);
    this.#customers = contacts.filter(({ isCustomer }) => isCustomer);
    this.#leads = contacts.filter(({ isCustomer }) => !isCustomer);
    this.#regulars = this.#customers.filter(({ hasLawn }, index) => hasLawn && index % REGULAR < 2);
    this.#waiting = this.#random.shuffle(this.#customers.filter(({ hasHistory }) => !hasHistory));
  }

  async plan(): Promise<PlannedJob[]> {
    const { now, agents, organization } = this.#company;
    const today = dayAt(now, organization.Timezone);
    for (let offset = -YEAR_DAYS; offset <= DENSE_DAYS; offset++) {
      const day = dayAt(today.midnight + offset * DAY + 12 * HOUR, organization.Timezone);
      const isDense = offset >= -DENSE_DAYS;
      await setImmediate();
      for (const agent of agents) this.#planDay(agent, day, isDense);
    }
    return this.#planned;
  }

  #planDay(agent: ServiceAgentRecord, day: LocalDay, isDense: boolean): void {
    this.#random = new Random(this.#company.seed + agent.Id * 100_003 + Math.floor(day.midnight / DAY));
    if (!isDense && !this.#random.chance(JOBS_A_DAY)) return;
    const { timeOff } = this.#calendar.agents.find((other) => other.agent === agent) ?? { timeOff: [] };
    const holidays = timeOffOn([day], this.#calendar.holidays);
    const working = workingTime([day], agent.TimeSlots, { agent, timeOff }, holidays);
    const [first, last] = [working[0]?.start ?? 0, working.at(-1)?.end ?? 0];
    const total = working.reduce((sum, { start, end }) => sum + (end - start) / MINUTE, 0);
    if (!total) return;
    const isNear = (job: Job) => job.agentId === agent.Id && Math.abs(job.start - first) < 2 * DAY;
    const jobs = this.#company.jobs.filter(isNear);
    const already = jobs.filter(({ start, end }) => start < day.end && end > day.start).length;
    const requested = isDense ? this.#random.between(4, 6) - already : 1;
    const longest = Math.max(30, isDense ? total / (requested + already) - 15 : 90);
    let at = isDense ? first : Math.ceil((first + this.#random.next() * (last - first) * 0.7) / GRID) * GRID;
    for (let count = 0; count < requested && at < last;) {
      const job = this.#findJob({ agent, day, jobs, at, last, longest, isDense });
      if (!job) {
        at += 2 * GRID;
        continue;
      }
      this.#planned.push(job);
      count++;
      const end = job.start + job.minutes * MINUTE;
      const position = this.#company.positionAt(job.contact.zip);
      jobs.push({ appointmentId: -this.#planned.length, agentId: agent.Id, position, start: job.start, end });
      jobs.sort((one, other) => one.start - other.start);
      at = end + (this.#random.chance(0.3) && total > 6 * 60 ? GRID : 0);
    }
    // Behind the others: between two of them, the drive from one to the other might take longer than by way of it.
    const extra =
      this.#random.chance(CANCELED_A_DAY) && this.#findJob({ agent, day, jobs, at, last, longest, isDense });
    if (extra) this.#planned.push({ ...extra, fate: 'canceled' });
  }

  #findJob(request: {
    agent: ServiceAgentRecord;
    day: LocalDay;
    jobs: readonly Job[];
    at: number;
    last: number;
    longest: number;
    isDense: boolean;
  }): PlannedJob | undefined {
    const { agent, day, jobs, at, last, longest, isDense } = request;
    const own = this.#calendar.agents.filter((other) => other.agent === agent);
    const calendar = { ...this.#calendar, agents: own, jobs };
    const before = jobs.findLast(({ end }) => end <= at);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const candidate = this.#candidate(agent, day, { longest, from: before?.position ?? null });
      if (!candidate) return undefined;
      const { contact, offer, minutes } = candidate;
      const position = this.#company.positionAt(contact.zip);
      // Also for estimates: who books the job before or after one drives to it.
      const fixedLocation = false;
      const season = { seasonFirst: null, seasonLast: null };
      const work = { category: offer.category, fixedLocation, ...season, minutes, postalCode: contact.zip, position };
      for (
        let start = Math.ceil(at / GRID) * GRID;
        start <= Math.min(at + HOUR, last - minutes * MINUTE);
        start += GRID
      )
        if (checkSlot(calendar, work, { agentId: agent.Id, start }).ok) {
          const fate = this.#fate(start, minutes, contact);
          if (!fate) break;
          this.#forgetWaiting(contact, fate);
          const quantity = offer.quantities && this.#random.pick(offer.quantities);
          return { contact, offer, agentId: agent.Id, start, minutes, quantity, fate, isUnchecked: !isDense };
        }
    }
    return undefined;
  }

  #forgetWaiting(contact: DemoContact, fate: Fate): void {
    const index = fate === 'completed' ? this.#waiting.indexOf(contact) : -1;
    if (index >= 0) this.#waiting.splice(index, 1);
  }

  /** A lead is nobody for whom work was done. */
  #fate(start: number, minutes: number, { isCustomer }: DemoContact): Fate | undefined {
    const { now } = this.#company;
    if (start + minutes * MINUTE <= now) return isCustomer ? 'completed' : undefined;
    if (start <= now) return isCustomer ? 'started' : undefined;
    return this.#random.chance(isCustomer ? 0.06 : 0.4) ? 'tentative' : 'scheduled';
  }

  #candidate(
    agent: ServiceAgentRecord,
    day: LocalDay,
    { longest, from }: { longest: number; from: Position | null },
  ): Candidate | undefined {
    const month = Number(day.date.slice(5, 7)) - 1;
    const own = new Set(agent.TimeSlots.map(({ ServiceCategoryName }) => ServiceCategoryName));
    const isAble = ({ category }: Offer) => own.size === 0 || own.has('') || own.has(category);
    const isSold = ({ organization, category }: Offer) =>
      (organization === undefined || organization === this.#company.organization.PublicName) &&
      // Crews for lights and snow go out for these only, and others for anything else.
      (['Lighting', 'Snow'].includes(category) ? own.has(category) : true);
    const possible = offers
      .filter((offer) => isAble(offer) && isSold(offer) && Math.min(...offer.minutes) <= longest)
      .map((offer) => ({ offer, weight: offer.season[month] || (own.has('') || own.size === 0 ? 0 : 1) }))
      .filter(({ weight }) => weight > 0);
    const offer = this.#weighted(possible);
    if (!offer) return undefined;
    const contact = this.#contactFor(offer, from);
    const lengths = offer.minutes.filter((minutes) => minutes <= longest);
    return (
      contact && { contact, offer, minutes: this.#random.pick(lengths.length ? lengths : [offer.minutes[0] ?? 30]) }
    );
  }

  #weighted(possible: readonly { readonly offer: Offer; readonly weight: number }[]): Offer | undefined {
    let left = this.#random.next() * possible.reduce((sum, { weight }) => sum + weight, 0);
    return possible.find(({ weight }) => (left -= weight) < 0)?.offer;
  }

  /** Somebody near the place before, first those whom nobody has visited. */
  #contactFor({ needs, isRegular, billing }: Offer, from: Position | null): DemoContact | undefined {
    const hasNeed = (contact: DemoContact) =>
      needs === undefined || (needs === 'lawn' ? contact.hasLawn : contact.hasGutters);
    const pool = isRegular ? this.#regulars : billing === 'free' ? this.#leads : this.#customers;
    const waiting = isRegular || billing === 'free' ? [] : this.#waiting.filter(hasNeed).slice(0, NEARBY);
    const able = waiting.length ? waiting : pool.filter(hasNeed);
    if (!able.length) return undefined;
    const some = Array.from({ length: NEARBY }, () => this.#random.pick(able));
    const { driveTimes } = this.#calendar;
    const drive = ({ zip }: DemoContact) => driveTimes(from, this.#company.positionAt(zip));
    return some.reduce((nearest, other) => (drive(other) < drive(nearest) ? other : nearest));
  }
}

/** The days of UTC of the dense weeks and the two around them, as a stored calendar has them. */
export const denseDays = (now: number): string[] =>
  calendarDays({ start: now - (DENSE_DAYS + 2) * DAY, end: now + (DENSE_DAYS + 2) * DAY });
