import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { firstInstantAt, isZone, offsetAt, resolveWallTime } from '../../lib/shared/time/time.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test.each(['America/New_York', 'Asia/Kolkata', 'UTC', 'Etc/GMT+5', 'America/Indiana/Knox'])('%s is a zone', (zone) => {
  expect(isZone(zone)).toBe(true);
});

const NO_ZONES = ['', 'Eastern', 'New York', '+05:00', '-0500', 'America/Nowhere', 'UTC; drop', 'A'.repeat(100)];

test.each(NO_ZONES)('%j is no zone', (zone) => {
  expect(isZone(zone)).toBe(false);
  expect(() => offsetAt(0, zone)).toThrow(RangeError);
});

/**
 * Zones whose changes are unlike the usual hour at 2 o'clock: half hours, at midnight, a minute after it, whole days,
 * local mean time.
 */
const ZONES = [
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Europe/Amsterdam',
  'Europe/Dublin',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Antarctica/Troll',
];

test.each(ZONES)('every change of clocks in %s since 1900 is seen as Temporal sees it', (zone) => {
  const end = Temporal.Instant.from('2040-01-01T00:00Z');
  const start = Temporal.Instant.from('1900-01-01T00:00Z').toZonedDateTimeISO(zone);
  for (let change = start.getTimeZoneTransition('next'); change; change = change.getTimeZoneTransition('next')) {
    if (Temporal.Instant.compare(change.toInstant(), end) > 0) break;
    for (const distance of [-DAY - 1, -HOUR, -1, 0, 1, HOUR, DAY]) {
      const at = change.epochMilliseconds + distance;
      const there = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
      expect(offsetAt(at, zone)).toBe(there.offsetNanoseconds / 1e6);
      const first = there.toPlainDateTime().toZonedDateTime(zone, { disambiguation: 'earlier' }).epochMilliseconds;
      expect(resolveWallTime(at + offsetAt(at, zone), zone)).toEqual({ exists: true, at: first });
      const midnight = Date.UTC(there.year, there.month - 1, there.day);
      expect(firstInstantAt(midnight, zone)).toBe(there.startOfDay().epochMilliseconds);
    }
  }
});

describe('a time that clocks skip', () => {
  test.each([
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:30:00Z'],
    ['Africa/Cairo', '2026-04-24T00:30', '2026-04-23T22:00:00Z'],
    ['Asia/Beirut', '2026-03-29T00:00', '2026-03-28T22:00:00Z'],
    ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T10:00:00Z'],
  ])('%s %s has no instant; time continues at %s', (zone, local, resumes) => {
    expect(resolveWallTime(Date.parse(`${local}Z`), zone)).toEqual({ exists: false, resumes: Date.parse(resumes) });
  });
});

test('any local time of any zone is the instant that Temporal finds, or in a gap for both', () => {
  const walls = fc.integer({ min: Date.UTC(1900, 0, 2) / 60_000, max: Date.UTC(2200, 11, 30) / 60_000 });
  fc.assert(
    fc.property(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), walls, (zone, minutes) => {
      const wall = minutes * 60_000;
      const local = Temporal.PlainDateTime.from(new Date(wall).toISOString().slice(0, -1));
      const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
      const placed = resolveWallTime(wall, zone);
      expect(placed.exists).toBe(earlier.toPlainDateTime().equals(local));
      if (placed.exists) expect(placed.at).toBe(earlier.epochMilliseconds);
    }),
    { numRuns: 500 },
  );
});
