import { dayNumber, toLocalDay } from '../shared/time/format-moments.ts';
import { type DateSpan, isInSpan } from '../shared/time/read-moments.ts';
import { DAY, HOUR } from '../shared/time/time.ts';
import { type OrganizationZones, type Zones, findZones } from './organizations/organization-zones.ts';
import type { TableReader } from './dynamodb/client.ts';
import type { Facts, Span } from './dynamodb/filters.ts';
import { factNames } from './keys.ts';

/** What an index has of the day of a record, in days since 1970. */
export interface DayFacts {
  /** Its calendar date, whatever the zone of its organization becomes. */
  readonly day?: number;
  /** The date of its moment, in the zone that the organization had. */
  readonly localDay?: number;
}

/** Of a record with a calendar date, or with a moment in a zone (`''`: unknown). */
export function dayFacts({ day, at, zone }: { day: string; at: number | null; zone: string }): DayFacts {
  if (day) return { day: dayNumber(day) };
  return at === null || !zone ? {} : { localDay: toLocalDay(at, zone) };
}

/** The clocks of the world: a day begins up to 14 hours before, and ends up to 12 hours after that of UTC. */
const [EARLIEST, LATEST] = [14 * HOUR, 12 * HOUR];

/** An entry of an index: its date, and what its record says of it. */
export interface DatedEntry {
  readonly at: number;
  readonly facts: Facts;
}

const fact = (facts: Facts, name: 'day' | 'localDay' | 'organization'): number | undefined =>
  facts[factNames['all']?.[name] ?? name] as number | undefined;

const hasDays = ({ firstDay, lastDay }: DateSpan): boolean => firstDay !== undefined || lastDay !== undefined;

/**
 * The records that show a date within a span. A day is that of each record: its calendar date, else the day of its
 * moment where its organization is now. Indexes are in the order of moments, so a wider range is read where zones
 * differ, and what the entries say decides.
 */
export class DateFilter {
  readonly #table: TableReader;
  readonly #span: DateSpan;
  readonly #zones: Zones | undefined;

  private constructor(table: TableReader, span: DateSpan, zones: Zones | undefined) {
    this.#table = table;
    this.#span = span;
    this.#zones = zones;
  }

  static async open(
    table: TableReader,
    scope: { readonly accountId: string; readonly organizationId: number | null },
    span: DateSpan,
  ): Promise<DateFilter> {
    return new DateFilter(table, span, hasDays(span) ? await findZones(table, scope) : undefined);
  }

  /** Whether moments alone decide: the span has no days, or all its records have one zone and had no other. */
  get isExact(): boolean {
    return !this.#zones || this.#zones.only;
  }

  /** The moments of an index that hold all records of the span. */
  get range(): Span {
    const { from, through, firstDay, lastDay } = this.#span;
    if (this.isExact) return { from, through };
    return {
      from: firstDay === undefined ? from : firstDay * DAY - EARLIEST,
      through: lastDay === undefined ? through : (lastDay + 1) * DAY + LATEST - 1,
    };
  }

  /** The entries of the range that are in the span. */
  async select<Entry extends DatedEntry>(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const zones = this.isExact ? undefined : this.#zones;
    const zoneOf = zones && (await this.#findZonesOf(entries, zones));
    return entries.filter(({ at, facts }) =>
      isInSpan(at, zoneOf ? dayOf(at, facts, zoneOf) : 0, this.#inOneZone(zones)),
    );
  }

  #inOneZone(zones: Zones | undefined): DateSpan {
    return zones ? this.#span : { from: this.#span.from, through: this.#span.through };
  }

  /** The zones of entries that earlier versions wrote do not follow from them. */
  async #findZonesOf(entries: readonly DatedEntry[], { moved, find }: Zones): Promise<OrganizationZones> {
    const unknown = entries.flatMap(({ facts }) => {
      const organization = fact(facts, 'organization') ?? 0;
      const isKnown = fact(facts, 'day') !== undefined || fact(facts, 'localDay') !== undefined;
      return isKnown || moved.has(organization) ? [] : [organization];
    });
    return unknown.length ? new Map([...(await find(this.#table, unknown)), ...moved]) : moved;
  }
}

/** The day of an entry: of its calendar date, in the zone that its organization has now, or as it was written. */
function dayOf(at: number, facts: Facts, zones: OrganizationZones): number {
  const zone = zones.get(fact(facts, 'organization') ?? 0);
  const calendarDay = fact(facts, 'day');
  if (calendarDay !== undefined) return calendarDay;
  if (zone !== undefined) return toLocalDay(at, zone);
  return fact(facts, 'localDay') ?? Math.floor(at / DAY);
}
