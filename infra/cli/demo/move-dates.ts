import { DAY } from '../../../lib/shared/time/time.ts';
import { holidayRules } from './holidays.ts';

/** The date for which company.yaml and tasks.yaml are written. */
const WRITTEN = '2026-11-22';
const WEEK = 7 * DAY;
const DAYS_A_YEAR = 366;
/** How many days before today the calendars show. */
const SHOWN_DAYS = 14;

type Fields = Readonly<Record<string, unknown>>;
type Entries = readonly Fields[];
/** A company file as YAML: lists of entries by section. */
export type CompanyEntries = Readonly<Record<string, unknown>>;
interface Season {
  readonly from: string;
  readonly through: string;
}

const yearOf = (date: string): number => Number(date.slice(0, 4));
const midnightOf = (date: string): number => Date.parse(date.slice(0, 10));
const addDays = (date: string, days: number): string =>
  new Date(midnightOf(date) + days * DAY).toISOString().slice(0, 10) + date.slice(10);
const addYears = (date: string, years: number): string => `${yearOf(date) + years}${date.slice(4)}`;

/**
 * Moves the dates in the demo's files to the day on which the company is created, so that it is the same company in any
 * year: seasons and holidays fall in the same part of the year, appointments and tasks on the same weekday.
 */
export function moveDates(file: CompanyEntries, now: Date): CompanyEntries {
  const today = now.toISOString().slice(0, 10);
  const moves: Readonly<Record<string, (entry: Fields) => Fields>> = {
    organizations: (entry) => moveOrganization(entry, today),
    channels: (entry) => moveChannel(entry, today),
    services: (entry) => moveService(entry, today),
    blogs: ({ date, ...entry }) => ({ ...entry, date: lastAnniversary(date as string, today) }),
    tasks: (entry) => moveFields(entry, ['due', 'completed'], today),
  };
  return Object.fromEntries(
    Object.entries(file).map(([section, list]) => {
      const move = moves[section];
      return [section, move ? (list as Entries).map(move) : list];
    }),
  );
}

function moveOrganization({ holidays, forecasts, agents, ...organization }: Fields, today: string): Fields {
  return {
    ...organization,
    holidays: (holidays as Entries).flatMap(({ name }) => holidaysNamed(name as string, today)),
    forecasts: Object.fromEntries(
      Object.entries(forecasts as Fields).map(([year, targets]) => [Number(year) + yearsSinceWritten(today), targets]),
    ),
    agents: (agents as Entries).map(({ hours, timeOff, ...agent }) => ({
      ...agent,
      hours: (hours as readonly (string | Fields)[]).flatMap((each): readonly (string | Fields)[] =>
        typeof each === 'string' ? [each] : moveHours(each, today),
      ),
      ...(timeOff ? { timeOff: (timeOff as Entries).map((each) => moveFields(each, ['from', 'through'], today)) } : {}),
    })),
  };
}

/** The longest time between two Thanksgiving Days: 371 days, from 2040-11-22 to 2041-11-28. */
const DAYS_TO_NEXT_HOLIDAY = 371;

/** From a year ago through the next year. */
function holidaysNamed(name: string, today: string): Fields[] {
  const rule = holidayRules[name];
  if (!rule) throw new TypeError(`The demo has no rule for the holiday ${name}.`);
  const days = [-1, 0, 1].map((years) => rule(yearOf(today) + years));
  const isNear = (date: string) => date >= addDays(today, -DAYS_A_YEAR) && date <= addDays(today, DAYS_TO_NEXT_HOLIDAY);
  return days.filter(isNear).map((date) => ({ date, name }));
}

/** Seasonal hours are repeated each year. */
function moveHours(hours: Fields, today: string): Fields[] {
  const { from, through } = hours;
  if (typeof from !== 'string' || typeof through !== 'string') return [hours];
  const isNear = (season: Season) =>
    season.through >= addDays(today, -DAYS_A_YEAR) && season.from <= addDays(today, DAYS_A_YEAR);
  const near = seasonsAround({ from, through }, today).filter(isNear);
  return near.map((season) => ({ ...hours, ...season }));
}

function seasonsAround({ from, through }: Season, today: string): Season[] {
  const years = [-2, -1, 0, 1, 2].map((offset) => offset + yearsSinceWritten(today));
  return years.map((year) => ({ from: addYears(from, year), through: addYears(through, year) }));
}

/** The season in which the calendars show work, else the next one. A subscription is always sold for the next one. */
function moveService({ seasonStart, seasonExpiration, ...service }: Fields, today: string): Fields {
  if (typeof seasonStart !== 'string' || typeof seasonExpiration !== 'string') return service;
  const isSold = ({ from, through }: Season) =>
    service['subscription'] ? from > today : through >= addDays(today, -SHOWN_DAYS);
  const season = seasonsAround({ from: seasonStart, through: seasonExpiration }, today).find(isSold);
  return { ...service, seasonStart: season?.from, seasonExpiration: season?.through };
}

/** Budgets of this year and last year, and what was spent in the months that are over. */
function moveChannel({ campaigns, ...channel }: Fields, today: string): Fields {
  const month = Number(today.slice(5, 7));
  const repeat = (list: unknown) =>
    [-1, 0].flatMap((offset) =>
      ((list ?? []) as Entries).map((each) => ({ ...each, year: yearOf(today) + offset }) as Fields),
    );
  const isOver = (each: Fields) => each['year'] !== yearOf(today) || Number(each['month']) < month;
  return {
    ...channel,
    campaigns: (campaigns as Entries).map(({ budgets, actuals, ...campaign }) => ({
      ...campaign,
      budgets: repeat(budgets),
      actuals: repeat(actuals).filter(isOver),
    })),
  };
}

/** Moves by whole weeks, so that Mondays stay Mondays. */
function moveFields(entry: Fields, names: readonly string[], today: string): Fields {
  const days = Math.round((midnightOf(today) - midnightOf(WRITTEN)) / WEEK) * 7;
  const dates = names.flatMap((name): [string, string][] => {
    const date = entry[name];
    return typeof date === 'string' ? [[name, addDays(date, days)]] : [];
  });
  return { ...entry, ...Object.fromEntries(dates) };
}

const yearsSinceWritten = (today: string): number => yearOf(today) - yearOf(WRITTEN);

function lastAnniversary(date: string, today: string): string {
  const thisYear = addYears(date, yearOf(today) - yearOf(date));
  return midnightOf(thisYear) < midnightOf(today) ? thisYear : addYears(thisYear, -1);
}
