import { bookingPeriodOf, firstBookableDay } from '../booking/reserve.ts';
import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { lastDate } from '../../domain/pricebook/calendar-dates.ts';
import { type FreeStarts, findFreeStarts } from '../../domain/scheduling/free-starts.ts';
import { arrivalWindowAt, arrivalWindowsOf } from '../../domain/scheduling/arrival-windows.ts';
import { DEFAULT_WINDOW_DAYS, type Slot, offeredStart, offeredTime } from '../../domain/scheduling/slots.ts';
import type { Reason } from '../../domain/scheduling/explain.ts';
import type { OutsideCause } from '../../pages/booking-outside.ts';
import type { FreeMonth, OfferedTime } from '../../pages/booking-month.ts';
import { DAY, dayNumber, startOfDate, toDate, toLocalDate, toLocalDay } from '../../shared/time/time.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import { SEARCH, resolveInput } from '../booking/input.ts';
import { priceWork } from '../booking/price.ts';
import { loadBookingContext } from '../booking/resolve.ts';
import { type SearchEnd, searchCalendar } from '../appointments/search-calendar.ts';
import { type Booker, organizationContext } from './booker.ts';
import { MAX_DAYS_AHEAD, beginNear, earliestStart, nearestTo } from './free-times.ts';
import { findFullDays } from './stranger-days.ts';

/** The work that a client wants, and its place. */
interface Wish {
  readonly service: ServiceRecord;
  readonly zip: string;
}

/** A time in the form. */
export interface ChosenTime {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly agentId: number | undefined;
}

interface Days extends Wish {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly days: number;
  /** Whether later days are not needed; by default all are searched. */
  readonly isEnough?: (starts: readonly Slot[]) => boolean;
}

export const contactOf = ({ organization, client }: Booker, zip: string): ContactRecord =>
  client ??
  contactEntity.blank({ Id: 0, Hash: '', OrganizationId: organization.Id, LocationID: '', Created: 0, Zip: zip });

/** The free starts of some days, as slotsearch finds them; for a stranger, without days that strangers have filled. */
async function searchDays(
  booker: Booker,
  { service, zip, from, days, isEnough = () => false }: Days,
): Promise<{ readonly found: FreeStarts; readonly end: SearchEnd | null }> {
  const { store, organization } = booker;
  const reading = organizationContext(booker);
  const reference = { ServiceId: service.Id };
  const loading = loadBookingContext(reading, { organizationId: organization.Id, service: reference });
  const [loaded, fullDays] = await Promise.all([
    loading,
    booker.client ? [] : findFullDays(store, organization, { from, loading }),
  ]);
  const booking = { contact: contactOf(booker, zip), ...loaded, closedDays: fullDays };
  const { work: input } = resolveInput(SEARCH, { request: reference });
  const { Duration: minutes } = await priceWork(reading, booking, input);
  const span = { minutes, from, days, arrivalWindows: arrivalWindowsOf(booking) };
  return searchCalendar(reading, booking, span, {
    search({ calendar, work, window }) {
      const found = findFreeStarts(calendar, work, window);
      return { found, isEnough: isEnough(found.starts) };
    },
  });
}

/** A start as the page offers it: with the agent's first name, if the organization shows it. */
export const toOffered = (
  { organization }: Booker,
  { agentId, agentName, ...slot }: Pick<Slot, 'start' | 'arrival' | 'agentId' | 'agentName'>,
): OfferedTime => ({
  ...offeredTime(slot),
  agent: organization.ShowTechnician ? { id: agentId, name: agentName.split(' ')[0] ?? '' } : undefined,
});

/** A time that a client chose, with the name of the expected agent. */
export async function nameChosen(
  booker: Booker,
  service: ServiceRecord,
  { start, agentId }: ChosenTime,
): Promise<OfferedTime> {
  const { store, organization } = booker;
  const slot = { start, arrival: arrivalWindowAt({ organization, service }, start) };
  if (!organization.ShowTechnician || agentId === undefined) return offeredTime(slot);
  const agents = await agentsOf(store, organization.Id);
  const agentName = agents.get(agentId)?.Name;
  return agentName === undefined ? offeredTime(slot) : toOffered(booker, { ...slot, agentId, agentName });
}

/** The first moment and the last date on which a service can be booked. */
async function bookableSpan(booker: Booker, service: ServiceRecord): Promise<{ first: number; last: string }> {
  const { store, organization, now } = booker;
  const agents = await agentsOf(store, organization.Id);
  const [context, offering] = [organizationContext(booker), { organization, service, agents }];
  const period = bookingPeriodOf(context, offering);
  const until = Math.min(now.getTime() + MAX_DAYS_AHEAD * DAY, (period?.until ?? Infinity) - 1);
  const horizon = toLocalDate(until, organization.Timezone);
  const seasonEnd = lastDate(service.SeasonExpiration) ?? horizon;
  return {
    first: Math.max(earliestStart({ service, organization }, now.getTime()), firstBookableDay(context, offering)),
    last: seasonEnd < horizon ? seasonEnd : horizon,
  };
}

const monthOf = (date: string): string => date.slice(0, 'YYYY-MM'.length);
/** For example `2027-01` for `2026-12` and 1. */
const addMonths = (month: string, count: number): string => {
  const at = new Date(`${month}-01`);
  at.setUTCMonth(at.getUTCMonth() + count);
  return monthOf(at.toISOString());
};
const lastDayOf = (month: string): string => toDate(dayNumber(`${addMonths(month, 1)}-01`) - 1);
const within = (month: string, first: string, last: string): string =>
  month < first ? first : month > last ? last : month;

/** The month that a client views. */
export interface MonthChoice {
  /** For example `2026-12`; by default the first month with free times, of this one and the next. */
  readonly month: string | undefined;
  /** For example `2026-12-05`: earlier days are not searched, because an earlier search was too long. */
  readonly from: string | undefined;
}

interface FoundMonth extends FreeMonth {
  /** Why the first searched day has no times, if no day has any. */
  readonly cause: Reason['cause'] | undefined;
  /** Why nobody comes to the postal code; `undefined` if somebody does. */
  readonly outside: OutsideCause | undefined;
}

const OUTSIDE: Readonly<Partial<Record<Reason['cause'], OutsideCause>>> = {
  postalCode: 'unserved',
  address: 'unknown',
};

/** A month with its free times. One search of bounded cost; two if no month is requested and the first is full. */
export async function findFreeMonth(booker: Booker, wish: Wish, { month, from }: MonthChoice): Promise<FoundMonth> {
  const zone = booker.organization.Timezone;
  const { first, last } = await bookableSpan(booker, wish.service);
  const firstMonth = monthOf(toLocalDate(first, zone));
  const lastMonth = within(monthOf(last), firstMonth, monthOf(last));
  const search = async (shown: string): Promise<FoundMonth> => {
    const begin = from && monthOf(from) === shown ? from : `${shown}-01`;
    const start = Math.max(first, startOfDate(begin, zone));
    const end = monthOf(last) === shown ? last : lastDayOf(shown);
    const days = dayNumber(end) - toLocalDay(start, zone) + 1;
    const searched = days > 0 ? await searchDays(booker, { ...wish, from: start, days }) : undefined;
    const cause = searched?.found.reason?.cause;
    return {
      month: shown,
      times: searched?.found.starts.map((slot) => toOffered(booker, slot)) ?? [],
      previous: shown > firstMonth ? addMonths(shown, -1) : undefined,
      next: shown < lastMonth ? addMonths(shown, 1) : undefined,
      searchOn: searched?.end?.next,
      cause,
      outside: cause && OUTSIDE[cause],
    };
  };
  const found = await search(within(month ?? firstMonth, firstMonth, lastMonth));
  const mayBeLater = !found.times.length && found.searchOn === undefined && TIME_CAUSES.has(found.cause);
  return month === undefined && found.next !== undefined && mayBeLater ? search(found.next) : found;
}

/** Reasons for which a later month may have times: those of this one are over or taken. */
const TIME_CAUSES: ReadonlySet<FoundMonth['cause']> = new Set([
  undefined,
  'past',
  'notice',
  'hours',
  'booked',
  'season',
]);

/** The free starts closest to one that is taken, in order. */
export async function findNearestTimes(
  booker: Booker,
  { start, ...wish }: Wish & { readonly start: number },
  count: number,
): Promise<OfferedTime[]> {
  const { first, last } = await bookableSpan(booker, wish.service);
  const zone = booker.organization.Timezone;
  const from = Math.max(first, beginNear(start));
  const window = booker.organization.SlotSearchWindowDays || DEFAULT_WINDOW_DAYS;
  const days = Math.min(window, dayNumber(last) - toLocalDay(from, zone) + 1);
  if (days < 1) return [];
  const isEnough = (starts: readonly Slot[]) => starts.filter((slot) => offeredStart(slot) > start).length >= count;
  const { found } = await searchDays(booker, { ...wish, from, days, isEnough });
  const offered = found.starts.map((slot) => toOffered(booker, slot));
  return nearestTo(offered, start, count);
}
