import { DAY, HOUR, toLocalDay } from '../shared/time/time.ts';
import { type DateSpan, type TimeSpan, hasDays, isInSpan } from '../shared/time/read-moments.ts';
import { type OrganizationZones, type Zones, findZones } from './accounts/organization-zones.ts';
import type { StoreReader } from './store.ts';
import type { Facts } from './dynamodb/filters.ts';
import { factNames } from './keys.ts';

/** The clocks of the world: a day begins up to 14 hours before, and ends up to 12 hours after that of UTC. */
const [EARLIEST, LATEST] = [14 * HOUR, 12 * HOUR];

/** An entry of an index: its date, and what its record says of it. */
export interface DatedEntry {
  readonly at: number;
  readonly facts: Facts;
}

const fact = (facts: Facts, name: 'day' | 'localDay' | 'organization'): number | undefined =>
  facts[factNames['all']?.[name] ?? name] as number | undefined;

/** The moments that hold a span in every zone. */
export const widest = ({ from, through, firstDay, lastDay }: DateSpan): TimeSpan => ({
  from: firstDay === undefined ? from : firstDay * DAY - EARLIEST,
  through: lastDay === undefined ? through : (lastDay + 1) * DAY + LATEST - 1,
});

interface DateFilterOptions {
  /** Of the date that lists are ordered by. */
  readonly date: DateSpan;
  /** Of moments among the facts, by the names that the table has for them. */
  readonly moments: Readonly<Record<string, DateSpan>>;
}

/**
 * The records that show dates within spans. A day is that of each record: its calendar date, else the day of its moment
 * where its organization is now. Indexes are in the order of moments, so a wider range is read where zones differ, and
 * what the entries say decides.
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

  /** Whether moments alone decide: the spans have no days, or all their records have one zone and had no other. */
  get isExact(): boolean {
    return !this.#zones || this.#zones.only;
  }

  /** The moments of an index that hold all records of the span of dates. */
  get range(): TimeSpan {
    return this.#widest(this.#date);
  }

  /** The same of each moment among the facts. */
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

  /** The zones of entries that earlier versions wrote do not follow from them, nor do those of other moments. */
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

/** The day of an entry: of its calendar date, in the zone that its organization has now, or as it was written. */
function dayOf(at: number, facts: Facts, zones: OrganizationZones): number {
  const zone = zones.get(fact(facts, 'organization') ?? 0);
  const calendarDay = fact(facts, 'day');
  if (calendarDay !== undefined) return calendarDay;
  if (zone !== undefined) return toLocalDay(at, zone);
  return fact(facts, 'localDay') ?? Math.floor(at / DAY);
}
