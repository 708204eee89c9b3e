import { serviceAgentEntity } from '../../../lib/entities/service-agents.ts';
import type { ServiceRecord } from '../../../lib/entities/services.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildWork } from '../../../lib/domain/appointments/calendar.ts';
import { type PriceBook, emptyBook } from '../../../lib/domain/pricebook/record.ts';
import { checkSlot } from '../../../lib/domain/scheduling/check.ts';
import { findSlots } from '../../../lib/domain/scheduling/slots.ts';
import { applyAgentInput } from '../../../lib/domain/service-agents.ts';
import { findProration } from '../../../lib/domain/subscriptions/proration.ts';
import { findPartVisits, findRecurrence } from '../../../lib/domain/subscriptions/recurrence.ts';
import { dateText } from '../../../lib/shared/time/calendar-dates.ts';
import { parseMoment } from '../../../lib/shared/time/read-moments.ts';
import { HERE, agent, calendar, shift } from '../../support/calendars.ts';
import { applyEntries } from '../pricebook/book-plans.ts';

const ZONES = ['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC'] as const;

/** DATES=5000 for more. */
const RUNS = Number(process.env['DATES'] ?? 30);

const summer = { SeasonStart: '2027-04-01', SeasonExpiration: '2027-10-31' };

/** A service and a part of the whole account, written where the zone of the account is New York. */
const bookOf = (season: typeof summer): PriceBook =>
  applyEntries(emptyBook, {
    services: [
      { Name: 'Mowing', BasePrice: 214, IsSubscription: true, SubscriptionProRate: true, VisitCount: 6, ...season },
    ],
    parts: [{ Name: 'Seed', DistributionStart: season.SeasonStart, DistributionEnd: season.SeasonExpiration }],
  });
const only = <Value>(records: ReadonlyMap<number, Value>): Value => [...records.values()][0] as Value;
const mowing = (season: typeof summer = summer): ServiceRecord => only(bookOf(season).services);

const at = (text: string, zone: string): number => {
  const parsed = parseMoment(text, zone);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.at;
};

const work = (service: ServiceRecord) => buildWork(service, { minutes: 30, zip: '10001', position: HERE });
const always = (zone: string) =>
  calendar({ zone, agents: [agent(1, { TimeSlots: [shift({ StartMinute: 0, Minutes: 1440 })] })] });

const daysWithSlots = (service: ServiceRecord, zone: string, from: string, days: number): string[] => {
  const window = { from: at(from, zone), days, now: 0, granularity: 720, timeframe: { from: 720, to: 1440 } };
  const { slots } = findSlots(always(zone), work(service), window);
  return slots.map(({ start }) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(start));
};
const canBook = (service: ServiceRecord, zone: string, start: string): boolean =>
  checkSlot(always(zone), work(service), { agentId: 1, start: at(start, zone) }).ok;

/** The dates from one to another, both included, counted one by one. */
const datesFrom = (first: string, last: string): string[] => {
  const dates: string[] = [];
  for (const date = new Date(first); date <= new Date(last); date.setUTCDate(date.getUTCDate() + 1))
    dates.push(date.toISOString().slice(0, 10));
  return dates;
};

describe.each(ZONES)('a season of April 1 to October 31 in %s', (zone) => {
  test('has slots from April 1 through October 31', () => {
    expect(daysWithSlots(mowing(), zone, '2027-03-30', 4)).toEqual(['2027-04-01', '2027-04-02']);
    expect(daysWithSlots(mowing(), zone, '2027-10-30', 4)).toEqual(['2027-10-30', '2027-10-31']);
  });

  test('can be booked from its first midnight to its last evening, and not before or after', () => {
    const starts = ['2027-03-31T23:30', '2027-04-01T00:30', '2027-10-31T22:30', '2027-11-01T00:30'];
    expect(starts.map((start) => canBook(mowing(), zone, start))).toEqual([false, true, true, false]);
  });

  test('has its first visit on April 1 and 214 days, of which 213 are left on April 2', () => {
    expect(findRecurrence(mowing(), { date: '2027-03-01' }).visits.map(dateText)[0]).toBe('2027-04-01');
    expect(findProration(mowing(), 1, { date: '2027-04-01' })).toBeUndefined();
    expect(findProration(mowing(), 1, { date: '2027-04-02' })).toMatchObject({ daysLeft: 213, days: 214 });
    expect(findProration(mowing(), 1, { date: '2027-10-31' })).toMatchObject({ daysLeft: 1, days: 214 });
  });

  test.each([
    ['dates', '2027-04-01', '2027-10-31'],
    ['dates of the older dialect', '4/1/2027', '10/31/2027'],
    ['midnights of UTC, as typed clients send them', '2027-04-01T00:00:00Z', '2027-10-31T00:00:00Z'],
    ['midnights of a zone west of UTC', '2027-04-01T00:00:00-07:00', '2027-10-31T23:59:59-07:00'],
    ['midnights of a zone east of UTC', '2027-04-01T00:00:00+12:00', '2027-10-31T23:59:59.999+13:00'],
    ['local times without an offset', '2027-04-01 0:00', '2027-10-31 11:59:59 PM'],
  ])('is the same season when it is written as %s', (_, SeasonStart, SeasonExpiration) => {
    const written = mowing({ SeasonStart, SeasonExpiration });
    expect(canBook(written, zone, '2027-03-31T23:30')).toBe(false);
    expect(canBook(written, zone, '2027-04-01T00:00')).toBe(true);
    expect(canBook(written, zone, '2027-10-31T23:00')).toBe(true);
    expect(canBook(written, zone, '2027-11-01T00:00')).toBe(false);
  });

  test('is the same season where a record of an earlier version has it as moments', () => {
    const moments = [
      ['2027-04-01T07:00:00Z', '2027-11-01T06:59:59Z'],
      ['2027-04-01T04:00:00Z', '2027-11-01T03:59:59Z'],
      ['2027-04-01T00:00:00Z', '2027-10-31T23:59:59Z'],
      ['2027-03-31T18:30:00Z', '2027-10-31T18:29:59Z'],
      ['2027-03-31T11:00:00Z', '2027-10-31T10:59:59Z'],
    ] as const;
    for (const [SeasonStart, SeasonExpiration] of moments) {
      const stored = { ...mowing(), SeasonStart, SeasonExpiration };
      expect(findProration(stored, 1, { date: '2027-04-02' })).toMatchObject({ daysLeft: 213, days: 214 });
      expect(canBook(stored, zone, '2027-10-31T22:30')).toBe(true);
      expect(canBook(stored, zone, '2027-11-01T00:30')).toBe(false);
    }
  });

  test('distributes a part over the visits of those dates', () => {
    const { parts, services } = bookOf(summer);
    const weekly = { ...only(services), SeasonStart: null, SeasonExpiration: null, IntervalDays: 1, VisitCount: 366 };
    const recurrence = findRecurrence(weekly, { date: '2027-03-30' });
    const visits = findPartVisits(only(parts), recurrence).map((visit) => dateText(recurrence.visits[visit] ?? 0));
    expect(visits).toEqual(datesFrom('2027-04-01', '2027-10-31'));
  });

  test('StartDate and EndDate of an agent and of hours are the dates as written', () => {
    const dates = { StartDate: '2027-04-01T00:00:00Z', EndDate: '2027-10-31T23:00:00-07:00' };
    const { agent: applied } = applyAgentInput(serviceAgentEntity.blank({ Id: 1, OrganizationId: 1, Created: 0 }), {
      Name: 'Ana',
      ...dates,
      TimeSlots: [{ StartMinute: 0, Minutes: 1440, ...dates }],
    });
    const expected = { StartDate: '2027-04-01', EndDate: '2027-10-31' };
    expect(applied).toMatchObject({ ...expected, TimeSlots: [expected] });
  });
});

describe(`${RUNS} random seasons in each zone`, () => {
  const day = fc.integer({ min: Date.UTC(2026, 0, 1) / 86_400_000, max: Date.UTC(2028, 11, 31) / 86_400_000 });
  const iso = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10);
  const suffix = fc.constantFrom('', 'T00:00:00Z', 'T23:59:59-10:00', 'T00:00:00+13:00', ' 12:00');
  const season = fc.record({ first: day, length: fc.integer({ min: 1, max: 300 }), from: suffix, through: suffix });

  test.each(ZONES)('%s: slots, bookings, proration and visits follow the list of its dates', (zone) => {
    fc.assert(
      fc.property(season, fc.integer({ min: -3, max: 3 }), ({ first, length, from, through }, shifted) => {
        const [start, end] = [iso(first), iso(first + length - 1)];
        const service = mowing({ SeasonStart: `${start}${from}`, SeasonExpiration: `${end}${through}` });
        const inSeason = datesFrom(start, end);
        for (const edge of [first, first + length - 1]) {
          const searched = datesFrom(iso(edge - 2), iso(edge + 2));
          const open = searched.filter((date) => inSeason.includes(date));
          expect(daysWithSlots(service, zone, iso(edge - 2), 5)).toEqual(open);
          for (const date of searched) expect(canBook(service, zone, `${date}T12:00`)).toBe(inSeason.includes(date));
        }
        const saleDate = inSeason[Math.min(Math.max(shifted, 0), length - 1)] ?? start;
        const left = inSeason.filter((date) => date >= saleDate);
        const proration = findProration(service, 1, { date: saleDate });
        expect(proration && [proration.daysLeft, proration.days]).toEqual(
          saleDate === start ? undefined : [left.length, inSeason.length],
        );
        const visits = findRecurrence(service, { date: saleDate }).visits.map(dateText);
        expect(visits[0]).toBe(saleDate);
        expect(visits.filter((date) => !left.includes(date))).toEqual([]);
      }),
      { numRuns: RUNS, seed: 10 },
    );
  });
});
