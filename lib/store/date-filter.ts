import { DAY, HOUR, toLocalDay } from '../shared/time/time.ts';
import { type DateSpan, type TimeSpan, hasDays, isInSpan } from '../shared/time/read-moments.ts';
import { type OrganizationZones, type Zones, findZones } from './accounts/organization-zones.ts';
import type { StoreReader } from './store.ts';
import type { Facts } from './dynamodb/filters.ts';
import { factNames } from './keys.ts';

/** Extremes of the world's clocks: a day begins up to 14 hours before UTC's, and ends up to 12 hours after it. */
const [EARLIEST, LATEST] = [14 * HOUR, 12 * HOUR];

/** An entry of an index: its date, and its record's facts about it. */
export interface DatedEntry {
  readonly at: number;
  readonly facts: Facts;
}

const fact = (facts: Facts, name: 'day' | 'localDay' | 'organization'): number | undefined =>
  facts[factNames['all']?.[name] ?? name] as number | undefined;

/** The moments that include a span in every zone. */
export const widest = ({ from, through, firstDay, lastDay }: DateSpan): TimeSpan => ({
  from: firstDay === undefined ? from : firstDay * DAY - EARLIEST,
  through: lastDay === undefined ? through : (lastDay + 1) * DAY + LATEST - 1,
});

interface DateFilterOptions {
  /** The date that lists are ordered by. */
  readonly date: DateSpan;
  /** Moments among the facts, by the table's names for them. */
  readonly moments: Readonly<Record<string, DateSpan>>;
}

/**
 * The records that show dates within spans. A day is that of each record: its calendar date, otherwise the day of its
 * moment in the organization's current zone. Indexes are in the order of moments, so a wider range is read if zones
 * differ, and the entries' facts decide.
 */
export class DateFilter {
  readonly #date: DateSpan;
  readonly #moments: readonly (readonly [name: string, span: DateSpan])[];
  readonly #zones: Zones | undefined;

  private constructor({ date, moments }: DateFilterOptions, zones: Zones | undefined) {
    this.#date = date;
    this.#moments = Object.entries(moments);
    this.#zones = zones;
  }

  static async open(store: StoreReader, spans: DateFilterOptions): Promise<DateFilter> {
    const isOfDays = [spans.date, ...Object.values(spans.moments)].some(hasDays);
    return new DateFilter(spans, isOfDays ? await findZones(store) : undefined);
  }

  /** Whether moments alone decide: the spans have no days, or all their records share one zone that never changed. */
  get isExact(): boolean {
    return !this.#zones || this.#zones.only;
  }

  /** The moments of an index that include all records of the span of dates. */
  get range(): TimeSpan {
    return this.#widest(this.#date);
  }

  /** The same for each moment among the facts. */
  get momentRanges(): Readonly<Record<string, TimeSpan>> {
    return Object.fromEntries(this.#moments.map(([name, span]) => [name, this.#widest(span)]));
  }

  #widest({ from, through, ...days }: DateSpan): TimeSpan {
    return this.isExact ? { from, through } : widest({ from, through, ...days });
  }

  /** The entries of the range that are in the spans. */
  async select<Entry extends DatedEntry>(entries: readonly Entry[]): Promise<readonly Entry[]> {
    if (this.isExact || !this.#zones) return entries.filter(({ at }) => isInSpan(at, 0, this.range));
    const zones = await this.#findZonesOf(entries, this.#zones);
    const ofDays = this.#moments.filter(([, span]) => hasDays(span));
    return entries.filter(
      ({ at, facts }) =>
        isInSpan(at, dayOf(at, facts, zones), this.#date) &&
        ofDays.every(([name, span]) => isInSpanOf(facts[name], zones.get(fact(facts, 'organization') ?? 0), span)),
    );
  }

  /** Entries that earlier versions wrote do not determine their zones, and neither do other moments. */
  async #findZonesOf(entries: readonly DatedEntry[], { moved, find }: Zones): Promise<OrganizationZones> {
    const isOfMoments = this.#moments.some(([, span]) => hasDays(span));
    const isOfDates = hasDays(this.#date);
    const unknown = entries.flatMap(({ facts }) => {
      const organization = fact(facts, 'organization') ?? 0;
      const isKnown = fact(facts, 'day') !== undefined || fact(facts, 'localDay') !== undefined;
      return moved.has(organization) || !(isOfMoments || (isOfDates && !isKnown)) ? [] : [organization];
    });
    return unknown.length ? new Map([...(await find(unknown)), ...moved]) : moved;
  }
}

const isInSpanOf = (at: unknown, zone: string | undefined, span: DateSpan): boolean =>
  typeof at === 'number' && isInSpan(at, zone === undefined ? Math.floor(at / DAY) : toLocalDay(at, zone), span);

/** The day of an entry: its calendar date, or the day in its organization's current zone, or as it was written. */
function dayOf(at: number, facts: Facts, zones: OrganizationZones): number {
  const zone = zones.get(fact(facts, 'organization') ?? 0);
  const calendarDay = fact(facts, 'day');
  if (calendarDay !== undefined) return calendarDay;
  if (zone !== undefined) return toLocalDay(at, zone);
  return fact(facts, 'localDay') ?? Math.floor(at / DAY);
}
