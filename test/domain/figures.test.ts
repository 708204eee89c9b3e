import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FIGURE_MONTHS,
  type MonthRecords,
  dueMonths,
  figuresToResource,
  monthSpan,
  monthsThrough,
  nightAt,
  toFigures,
} from '../../lib/domain/figures.ts';
import { toUtc } from '../../lib/shared/time/time.ts';

const at = (text: string): Date => new Date(text);

describe('the months that are counted', () => {
  test.each([
    ['2026-03-01T04:00:00Z', 'America/New_York', ['2026-02', '2026-01', '2025-12']],
    ['2026-03-01T06:00:00Z', 'America/New_York', ['2026-03', '2026-02', '2026-01']],
    ['2026-01-31T23:00:00Z', 'Pacific/Auckland', ['2026-02', '2026-01', '2025-12']],
  ])('at %s in %s are %j', (now, zone, months) => {
    expect(monthsThrough(at(now), zone, 3)).toEqual(months);
  });

  test.each([
    ['2026-11', 'America/New_York', '2026-11-01T04:00:00Z', '2026-12-01T04:59:59Z', 30],
    ['2028-02', 'America/Denver', '2028-02-01T07:00:00Z', '2028-03-01T06:59:59Z', 29],
  ])('%s in %s is from %s through %s', (month, zone, from, through, days) => {
    const span = monthSpan(month, zone);
    expect([toUtc(span.from), toUtc(span.through)]).toEqual([from, through]);
    expect(span.lastDay - span.firstDay + 1).toBe(days);
  });

  test('have every moment in one of them', () => {
    const zones = fc.constantFrom('America/New_York', 'Pacific/Apia', 'Asia/Kathmandu', 'America/St_Johns');
    const moments = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) });
    fc.assert(
      fc.property(zones, moments, (zone, moment) => {
        const months = monthsThrough(new Date(moment), zone, FIGURE_MONTHS);
        const spans = months.map((month) => monthSpan(month, zone));
        expect(new Set(months).size).toBe(FIGURE_MONTHS);
        expect(spans.filter(({ from, through }) => from <= moment && moment <= through)).toEqual([spans[0]]);
        for (const [index, span] of spans.slice(1).entries()) expect(span.through + 1).toBe(spans[index]?.from);
      }),
    );
  });
});

describe('a night', () => {
  test.each([
    ['2026-11-29T07:59:59Z', '2026-11-28T08:00:00Z'],
    ['2026-11-30T07:59:59Z', '2026-11-29T08:00:00Z'],
  ])('lasts until %s and began at %s', (last, first) => {
    expect(nightAt(at(last))).toBe(nightAt(at(first)));
    expect(nightAt(new Date(at(last).getTime() + 1_000))).toBe(nightAt(at(first)) + 1);
  });

  const months = monthsThrough(at('2026-11-29T12:00:00Z'), 'UTC', FIGURE_MONTHS);

  test('counts the current and the previous month, two older ones, and those that are missing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20_000, max: 30_000 }), fc.subarray(months), (night, counted) => {
        const due = dueMonths(months, new Set(counted), night);
        expect(due).toEqual(expect.arrayContaining([months[0], months[1]]));
        const missing = months.filter((month) => !counted.includes(month));
        expect(due).toEqual(expect.arrayContaining(missing));
        const again = due.slice(2).filter((month) => counted.includes(month));
        expect(again.length).toBeLessThanOrEqual(2);
      }),
    );
  });

  test('and the five behind it count every older month', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20_000, max: 30_000 }), (night) => {
        const all = [0, 1, 2, 3, 4, 5].flatMap((later) => dueMonths(months, new Set(months), night + later));
        expect([...new Set(all)].sort()).toEqual(months.toSorted());
      }),
    );
  });
});

const of = { OrganizationId: 3, Month: '2026-11', CountedAt: Date.UTC(2026, 10, 29) };
const nothing: MonthRecords = { invoices: [], visits: [], proposals: [], channels: [] };
const count = (records: Partial<MonthRecords>) => toFigures({ ...nothing, ...records }, of);

describe('the figures of a month', () => {
  test('have the revenue of open and paid invoices to the cent, without unapproved and voided ones', () => {
    // Unapproved, Open, Paid, Voided, and one that credits.
    const invoices = [
      { Status: 0, Subtotal: 1000 },
      { Status: 1, Subtotal: 0.1 },
      { Status: 2, Subtotal: 0.2 },
      { Status: 3, Subtotal: 500 },
      { Status: 2, Subtotal: -0.05 },
    ];
    expect(count({ invoices }).Revenue).toBe(0.25);
  });

  test('count visits that have a time and are not canceled', () => {
    // Queued, Scheduled, Started, Completed, Canceled, Tentative.
    expect(count({ visits: [0, 1, 2, 3, 4, 5] }).Visits).toBe(4);
  });

  test('count proposals that were sent, and those of them that were accepted, whatever followed', () => {
    // Internal, Open, Accepted, Declined, Invoiced, Scheduled, Complete, Expired.
    expect(count({ proposals: [0, 1, 2, 3, 4, 5, 6, 7] })).toMatchObject({ Proposals: 7, AcceptedProposals: 4 });
  });

  test('have the leads of each channel, in any case, most first', () => {
    const channels = ['Web', 'referral', '', 'web ', 'WEB', ''];
    expect(figuresToResource(count({ channels }))).toMatchObject({
      Leads: 6,
      LeadsByChannel: [
        { Channel: 'Web', Leads: 3 },
        { Channel: '', Leads: 2 },
        { Channel: 'referral', Leads: 1 },
      ],
    });
  });

  test('name at most 50 channels, however many texts callers send, and count the leads of all', () => {
    const channels = Array.from({ length: 80 }, (_, index) => `Channel ${index}`);
    const { Leads, LeadsByChannel } = count({ channels });
    expect([Leads, LeadsByChannel.length]).toEqual([80, 50]);
  });
});
