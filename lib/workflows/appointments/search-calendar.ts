import { buildCalendar, buildWork } from '../../domain/appointments/calendar.ts';
import {
  type Calendar,
  type Job,
  type SearchWindow,
  type Timeframe,
  type Work,
  ANYTIME,
  DEFAULT_GRANULARITY,
  calendarDays,
  reachableSpan,
  visitSpan,
} from '../../domain/scheduling/calendar.ts';
import { formatDay } from '../../domain/scheduling/explain.ts';
import { daysBack } from '../../domain/scheduling/plans.ts';
import { DEFAULT_WINDOW_DAYS } from '../../domain/scheduling/slots.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { distinctJobs, listAgentJobs, listJobs } from '../../store/calendars.ts';
import { bookingPeriodOf } from '../booking/reserve.ts';
import type { PagerContext } from '../context.ts';
import { loadPlaces } from '../roads/load-places.ts';
import { loadRoads } from '../roads/load-roads.ts';
import type { BookingContext } from '../booking/types.ts';

export interface SearchSpan {
  readonly minutes: number;
  /** Epoch milliseconds. */
  readonly from: number;
  /** Defaults to the organization's setting. */
  readonly days?: number | undefined;
  readonly timeframe?: Timeframe;
  readonly appointmentId?: number | undefined;
  /** The only agents whose time matters; defaults to all. */
  readonly agentIds?: readonly number[] | undefined;
  /** Handles of holds to ignore. */
  readonly released?: ReadonlySet<string> | undefined;
  /** Offered in place of exact starts. */
  readonly arrivalWindows?: readonly Timeframe[] | undefined;
}

/** The first days of a window, with all their jobs. */
export interface SearchedDays {
  readonly calendar: Calendar;
  readonly work: Work;
  readonly window: SearchWindow;
}

/** Where a search stopped before the last day of its window. */
export interface SearchEnd {
  /** For example `Fri, Mar 12 2027`. */
  readonly through: string;
  /** The following day, `2027-03-13`. */
  readonly next: string;
}

interface SearchOptions<Found> {
  /** Searches the days; `isEnough` if later days are not needed. */
  readonly search: (days: SearchedDays) => { readonly found: Found; readonly isEnough: boolean };
  readonly consistent?: boolean;
}

/** The postal code of a contact; `null` for a visitor (without an Id yet) who gave none. */
export const placeOf = ({ Id, Zip }: Pick<ContactRecord, 'Id' | 'Zip'>): string | null => (Id ? Zip : Zip || null);

/** Read units that a search may spend, and the rounds in which it spends them. */
const MAX_UNITS = 115;
const MAX_ROUNDS = 3;
/** Agent days that the first round reads: 45 units with 7 appointments each, about 110 with 20. */
const FIRST_AGENT_DAYS = 800;
/** Reading one agent's day by its key costs half a unit, as much as twelve agents' days in a range. */
const FEW_AGENTS = 12;

/**
 * Searches the days of a window in order until there is enough, or the search has cost 115 read units or three rounds.
 * Worked example: 20 agents and 14 days cost 7 units in one round. 500 agents with 7 appointments a day cost 25 units
 * per UTC day: the first local day takes four of them, and the first day is always searched.
 */
export async function searchCalendar<Found>(
  context: PagerContext,
  booking: BookingContext,
  { minutes, from, days: requestedDays, timeframe = ANYTIME, arrivalWindows, ...span }: SearchSpan,
  { search, consistent = false }: SearchOptions<Found>,
): Promise<{ readonly found: Found; readonly end: SearchEnd | null }> {
  const { appointmentId, agentIds, released } = span;
  const { store, now } = context;
  const { organization, agents, service, contact, closedDays = [] } = booking;
  const open = { ...organization, Holidays: [...organization.Holidays, ...closedDays] };
  const period = bookingPeriodOf(context, booking);
  const maxDays = requestedDays ?? (organization.SlotSearchWindowDays || DEFAULT_WINDOW_DAYS);
  const granularity = organization.OpenTimeGranularity ?? DEFAULT_GRANULARITY;
  const places = await loadPlaces(context, organization, [contact]);
  const position = places.of(contact);
  const work = buildWork(service, { minutes, zip: placeOf(contact), position, appointmentId });
  const options = { now, released, consistent };
  const window = { from, now: now.getTime(), granularity, timeframe, arrivalWindows, period };
  const searchDays = async (jobs: readonly Job[], days: number) => {
    const roads = await loadRoads(context, places.start, { work: [position], jobs });
    const calendar = buildCalendar(open, agents.values(), distinctJobs(jobs), roads);
    return search({ calendar, work, window: { ...window, days } });
  };
  const zone = organization.Timezone;
  const back = daysBack(zone, [...agents.values()], from);
  /** The UTC days that hold the jobs of the first days of the window. */
  const storedDays = (days: number) => calendarDays(reachableSpan(zone, from, days, work, back));

  const all = storedDays(maxDays);
  if (agentIds && agents.size > agentIds.length * FEW_AGENTS) {
    const jobs = await listAgentJobs(store, organization.Id, agentIds, all, options);
    return { found: (await searchDays(jobs, maxDays)).found, end: null };
  }
  const jobs: Job[] = [];
  let [units, read, days] = [0, 0, 0];
  let count = Math.floor(FIRST_AGENT_DAYS / agents.size);
  for (let round = 1; ; round++) {
    const needed = storedDays(days + 1).length - read;
    const page = await listJobs(store, organization.Id, all.slice(read, read + Math.max(needed, count)), options);
    jobs.push(...page.jobs);
    units += page.units;
    read = Math.min(all.length, read + Math.max(needed, count));
    while (days < maxDays && storedDays(days + 1).length <= read) days = read === all.length ? maxDays : days + 1;
    const { found, isEnough } = await searchDays(jobs, days);
    if (isEnough || days === maxDays) return { found, end: null };
    count = Math.floor(((MAX_UNITS - units) * read) / Math.max(units, 1));
    if (round === MAX_ROUNDS || count < storedDays(days + 1).length - read) {
      const [last, next] = visitSpan(zone, from, days + 1, work, back).days.slice(-2);
      return { found, end: { through: formatDay(last?.start ?? from, zone), next: next?.date ?? '' } };
    }
  }
}
