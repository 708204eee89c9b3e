import type { ServiceAgentRecord } from '../../../lib/entities/service-agents.ts';
import type { ServiceRecord } from '../../../lib/entities/services.ts';
import type { OrganizationRecord } from '../../../lib/entities/organizations.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { firstDate, lastDate } from '../../../lib/domain/pricebook/calendar-dates.ts';
import { buildCalendar } from '../../../lib/domain/appointments/calendar.ts';
import {
  type Interval,
  type Job,
  type LocalDay,
  calendarDays,
  dayAt,
  isInSeason,
  merge,
  overlaps,
  subtract,
} from '../../../lib/domain/scheduling/calendar.ts';
import { timeOffOn, workingTime } from '../../../lib/domain/scheduling/plans.ts';
import type { Position } from '../../../lib/domain/postal/localities.ts';
import { DAY, MINUTE, startOfDate, toDate, toLocalDay } from '../../../lib/shared/time/time.ts';
import type { DemoContact } from './office.ts';
import { Random } from './random.ts';

/** Jobs per agent and working day of the year, including booked ones; one more on every fifth day. */
const JOBS_A_DAY = 4;
/** Jobs of the day that crosses town, and the time between them. */
const JOBS_ACROSS_TOWN = 5;
const LONG_DRIVE = 45 * MINUTE;
/** Days planned before and after today. */
const DAYS = { before: 365, after: 14 };
const SEED = 20_260_301;
const GRID = 15 * MINUTE;
/** Categories whose crews do nothing else. */
const OWN_CREWS = ['Lighting', 'Snow'];

const onGrid = (at: number): number => Math.ceil(at / GRID) * GRID;

const offer = z.strictObject({
  service: z.string(),
  months: z.string().length(12),
  minutes: z.array(z.int()).nonempty(),
  quantities: z.array(z.number()).nonempty().optional(),
  needs: z.enum(['lawn_area', 'gutter_feet']).optional(),
  part: z.string().optional(),
  leads: z.boolean().default(false),
  notes: z.array(z.string()).nonempty(),
});

const texts = z.strictObject({
  offers: z.array(offer),
  cancellations: z.array(z.strictObject({ reason: z.string(), note: z.string() })),
  feedback: z.array(z.strictObject({ Score: z.int(), Note: z.string(), ContactMe: z.boolean().optional() })),
  calls: z.array(z.strictObject({ Direction: z.enum(['Inbound', 'Outbound']), Note: z.string() })),
  tasks: z.array(z.strictObject({ Description: z.string(), TaskType: z.int(), Category: z.string() })),
});

/** What the demo company sells, and what people say about it. */
export const catalogue = texts.parse(parse(readFileSync(join(import.meta.dirname, 'catalogue.yaml'), 'utf8')));

type Offer = z.infer<typeof offer>;

/** The outcome of a planned job. */
type Fate = 'completed' | 'started' | 'scheduled' | 'tentative' | 'canceled';

export interface PlannedJob {
  readonly contact: DemoContact;
  readonly offer: Offer;
  /** Whether completing it creates its invoice; otherwise the office does. */
  readonly isBilled: boolean;
  readonly agentId: number;
  readonly start: number;
  readonly minutes: number;
  /** When the client expects it; absent for its start. */
  readonly window?: Interval;
  readonly fate: Fate;
  /** Its own source of randomness, so that changes to one job do not affect others. */
  readonly random: Random;
}

interface Ends {
  readonly south: readonly DemoContact[];
  readonly north: readonly DemoContact[];
  /** The latitude of the contact in the middle. */
  readonly middle: number;
}

interface Branch {
  readonly now: number;
  readonly organization: OrganizationRecord;
  readonly agents: readonly ServiceAgentRecord[];
  readonly services: readonly ServiceRecord[];
  /** Sorted by postal code. */
  readonly contacts: readonly DemoContact[];
  /** Existing bookings. */
  readonly jobs: readonly Job[];
  /** Its contacts in the south and in the north: the next weekday crosses town. Absent where no day does. */
  readonly ends?: Ends | undefined;
}

type Agent = Pick<ServiceAgentRecord, 'Id' | 'TimeSlots'>;

interface AgentDay {
  readonly agent: Agent;
  readonly day: LocalDay;
  readonly working: readonly Interval[];
}

/** Plans the jobs of one organization from a year before today to two weeks ahead. */
export function planWork(branch: Branch, before = DAYS.before): PlannedJob[] {
  const { now, organization, agents, jobs } = branch;
  const { agents: calendars, holidays, zone } = buildCalendar(organization, agents, jobs);
  const planned: PlannedJob[] = [];
  // By dates: from 0:44 in New York, 14 × 24 hours over the end of summer time reach 13 days.
  const today = toLocalDay(now, zone);
  let nextWeekday = '';
  for (let date = today - before; date <= today + DAYS.after; date++) {
    const day = dayAt(startOfDate(toDate(date), zone), zone);
    const off = timeOffOn([day], holidays);
    for (const calendar of calendars) {
      const { agent } = calendar;
      const working = workingTime([day], agent.TimeSlots, calendar, off);
      if (!working.length) continue;
      if (!nextWeekday && day.start > now && isWeekday(day)) nextWeekday = day.date;
      const ends = day.date === nextWeekday ? branch.ends : undefined;
      const agentDay = { agent, day, working };
      const across = ends ? planAcrossTown(branch, ends, agentDay) : [];
      planned.push(...(across.length ? across : planDay(branch, agentDay)));
    }
  }
  return planned;
}

const isWeekday = ({ weekday }: LocalDay): boolean => weekday >= 1 && weekday <= 5;

/** The southern and the northern third of some contacts. */
export function endsOf(contacts: readonly DemoContact[], positionAt: (code: string) => Position | null): Ends {
  const latitudeOf = ({ zip }: DemoContact): number => positionAt(zip)?.latitude ?? 0;
  const sorted = contacts.filter(latitudeOf).toSorted((one, other) => latitudeOf(one) - latitudeOf(other));
  const third = Math.floor(sorted.length / 3);
  const median = sorted[Math.floor(sorted.length / 2)];
  return { south: sorted.slice(0, third), north: sorted.slice(-third), middle: median ? latitudeOf(median) : 0 };
}

/**
 * Short jobs at any time of the day, in an order that crosses town: appointments/dayplan finds a better one. An empty
 * list if the day has too little time for as many as usual.
 */
function planAcrossTown(branch: Branch, ends: Ends, agentDay: AgentDay): PlannedJob[] {
  const { agent, day, working } = agentDay;
  const random = new Random(SEED + agent.Id * 100_003 + Math.floor(day.midnight / DAY));
  const booked = branch.jobs
    .filter((job) => job.agentId === agent.Id && overlaps(job, day))
    .sort((one, other) => one.start - other.start);
  const south = workChooser({ ...branch, contacts: ends.south }, agentDay, random);
  const north = workChooser({ ...branch, contacts: ends.north }, agentDay, random);
  const taken = merge(booked.map(({ start, end }) => ({ start: start - LONG_DRIVE, end: end + LONG_DRIVE })));
  const window = { start: working[0]?.start ?? day.start, end: working.at(-1)?.end ?? day.end };
  const jobs: PlannedJob[] = [];
  for (const { start, end } of subtract(working, taken)) {
    const before = booked.findLast((job) => job.end <= start)?.position;
    let isSouth = before ? before.latitude > ends.middle : jobs.length % 2 === 0;
    const next = () => (isSouth ? south : north)(true);
    for (let at = onGrid(start + LONG_DRIVE), work = next(); work; isSouth = !isSouth, work = next()) {
      const finish = at + work.minutes * MINUTE;
      if (finish > end || booked.length + jobs.length === JOBS_ACROSS_TOWN) break;
      const seed = random.between(0, 2 ** 31);
      jobs.push({ ...work, agentId: agent.Id, start: at, window, fate: 'scheduled', random: new Random(seed) });
      at = onGrid(finish + LONG_DRIVE);
    }
  }
  return booked.length + jobs.length < JOBS_A_DAY ? [] : jobs;
}

/** Fills the remaining time with consecutive jobs, sometimes with one more that was canceled. */
function planDay(branch: Branch, agentDay: AgentDay): PlannedJob[] {
  const { agent, day, working } = agentDay;
  const random = new Random(SEED + agent.Id * 100_003 + Math.floor(day.midnight / DAY));
  const booked = branch.jobs.filter((job) => job.agentId === agent.Id && overlaps(job, day));
  const next = workChooser(branch, agentDay, random);
  const fateOf = (start: number, finish: number): Fate => {
    if (finish <= branch.now) return 'completed';
    return start <= branch.now ? 'started' : random.chance(0.08) ? 'tentative' : 'scheduled';
  };
  const fill = (wanted: number, drive: number, isShort: boolean): PlannedJob[] => {
    const taken = merge(booked.map(({ start, end }) => ({ start: start - drive, end: end + drive })));
    const jobs: PlannedJob[] = [];
    for (const { start, end } of subtract(working, taken))
      for (let at = onGrid(start), work = next(isShort); work && jobs.length < wanted; work = next(isShort)) {
        const finish = at + work.minutes * MINUTE;
        if (finish > end) break;
        const seed = random.between(0, 2 ** 31);
        jobs.push({ ...work, agentId: agent.Id, start: at, fate: fateOf(at, finish), random: new Random(seed) });
        at = onGrid(finish + drive);
      }
    return jobs;
  };
  const least = JOBS_A_DAY - booked.length;
  const usual = fill(least + Number(random.chance(0.2)), 20 * MINUTE, false);
  // On a short day, or between scattered appointments, uses the shortest work.
  const jobs = usual.length < least ? fill(least, 10 * MINUTE, true) : usual;
  const [first] = jobs;
  const other = first && random.chance(0.06) ? next(false) : undefined;
  // Its time was sold again.
  return first && other ? [{ ...first, ...other, fate: 'canceled' }, ...jobs] : jobs;
}

const isSoldOn = ({ SeasonStart, SeasonExpiration }: ServiceRecord, date: string): boolean =>
  isInSeason({ date }, { seasonFirst: firstDate(SeasonStart), seasonLast: lastDate(SeasonExpiration) });

type Work = Pick<PlannedJob, 'contact' | 'offer' | 'isBilled' | 'minutes'>;

/**
 * Chooses work for an agent on a day: what is sold in that month, for contacts in the order of their postal codes,
 * which keeps drives short.
 */
function workChooser(
  { now, services, contacts }: Branch,
  { agent, day }: AgentDay,
  random: Random,
): (isShort: boolean) => Work | undefined {
  const slots = agent.TimeSlots.filter(
    ({ DayOfWeek, StartDate, EndDate }) =>
      DayOfWeek === day.weekday && StartDate <= day.date && day.date <= (EndDate || day.date),
  );
  const categories = new Set(slots.map(({ ServiceCategoryName }) => ServiceCategoryName));
  const isServed = ({ zip }: DemoContact) =>
    slots.some(({ PostalCodes }) => !PostalCodes || PostalCodes.split(',').includes(zip));
  const isDone = ({ Category }: ServiceRecord) =>
    categories.has(Category) || (categories.has('') && !OWN_CREWS.includes(Category));
  const month = Number(day.date.slice(5, 7)) - 1;
  const sold = catalogue.offers.flatMap((offer) => {
    const service = services.find(({ Name }) => Name === offer.service);
    if (!service || !isDone(service)) return [];
    // Past estimates would make a customer of a lead; the season of a service is the present or the next one.
    if (day.start <= now ? offer.leads : !isSoldOn(service, day.date)) return [];
    const weight = Number(offer.months[month]) || (categories.has('') ? 0 : 1);
    return Array.from({ length: weight }, () => ({ offer, isBilled: service.IsMigrateInvoice }));
  });
  const leastOf = ({ minutes }: Offer) => Math.min(...minutes);
  const shortest = Math.min(...sold.map(({ offer }) => leastOf(offer)));
  const brief = sold.filter(({ offer }) => leastOf(offer) === shortest);
  let place = random.between(0, contacts.length - 1);
  return (isShort) => {
    const { offer, isBilled } = random.pick(isShort ? brief : sold);
    const minutes = isShort ? leastOf(offer) : random.pick(offer.minutes);
    const isAble = (contact: DemoContact) =>
      contact.isCustomer !== offer.leads && (!offer.needs || contact.fields.has(offer.needs)) && isServed(contact);
    const behind = contacts.findIndex((contact, index) => index >= place && isAble(contact));
    const found = behind < 0 ? contacts.findIndex(isAble) : behind;
    const contact = contacts[found];
    place = found + 1;
    return contact && { contact, offer, isBilled, minutes };
  };
}

/** The UTC days whose bookings count as planned, as in a stored calendar. */
export const plannedDays = (now: number): string[] =>
  calendarDays({ start: now - (DAYS.before + 1) * DAY, end: now + (DAYS.after + 2) * DAY });
