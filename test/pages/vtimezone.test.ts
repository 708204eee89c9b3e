import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { sampled } from '../support/sampled.ts';
import { timeZoneLines } from '../../lib/pages/vtimezone.ts';
import { DAY, HOUR, clockChanges, offsetAt } from '../../lib/shared/time/time.ts';

/** Time zones in calendars, read by a library that knows no zone but what the calendar says of it. */

const NOW = Date.parse('2026-11-29T12:00:00Z');

const PERIOD = { start: NOW - 40 * DAY, end: NOW + 190 * DAY };

const linesOf = (zone: string): string[] => timeZoneLines(zone, PERIOD).slice(2, -1);

test('a zone with the same rules each year has them', () => {
  expect(timeZoneLines('America/New_York', PERIOD)).toEqual([
    'BEGIN:VTIMEZONE',
    'TZID:America/New_York',
    'BEGIN:DAYLIGHT',
    'DTSTART:20250309T020000',
    'TZOFFSETFROM:-0500',
    'TZOFFSETTO:-0400',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
    'END:DAYLIGHT',
    'BEGIN:STANDARD',
    'DTSTART:20251102T020000',
    'TZOFFSETFROM:-0400',
    'TZOFFSETTO:-0500',
    'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
    'END:STANDARD',
    'END:VTIMEZONE',
  ]);
  expect(linesOf('Europe/Madrid')).toContain('RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU');
  expect(linesOf('Australia/Lord_Howe')).toContain('TZOFFSETFROM:+1030');
});

test('a zone that changes no clocks has one offset, and one without rules an observance for each change', () => {
  const fixed = ['BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:-0700', 'TZOFFSETTO:-0700', 'END:STANDARD'];
  expect(linesOf('America/Phoenix')).toEqual(fixed);
  const changes = linesOf('Asia/Gaza').filter((line) => /^(?:DTSTART|TZOFFSETTO|RRULE)/.test(line));
  expect(changes).toEqual([
    'DTSTART:19700101T000000',
    'TZOFFSETTO:+0300',
    'DTSTART:20261024T020000',
    'TZOFFSETTO:+0200',
    'DTSTART:20270327T020000',
    'TZOFFSETTO:+0300',
  ]);
});

/** The instant that a reader understands by a local time of a zone. */
function instantOf(zone: ICAL.Timezone, wall: number): number {
  const time = ICAL.Time.fromJSDate(new Date(wall), true);
  time.zone = zone;
  return time.toUnixTime() * 1000;
}

test('every zone means the same instants to a reader who knows none, at both changes of the clocks and each week of the period', () => {
  const all = Intl.supportedValuesOf('timeZone');
  expect(all.length).toBeGreaterThan(400);
  const zones = [...sampled(all), 'America/Chicago', 'America/Vancouver', 'Europe/Dublin', 'Africa/Cairo'];
  const wrong: string[] = [];
  const { start: from, end: until } = PERIOD;
  for (const name of zones) {
    const text = ['BEGIN:VCALENDAR', ...timeZoneLines(name, PERIOD), 'END:VCALENDAR'].join('\r\n');
    const component = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vtimezone');
    const zone = new ICAL.Timezone({ tzid: name, component: component ?? '' });
    const weeks = Array.from({ length: Math.floor((until - from) / (7 * DAY)) }, (_, week) => from + week * 7 * DAY);
    const changes = clockChanges(from, until, name).flatMap(({ at }) => [at - 3 * HOUR, at + 3 * HOUR]);
    for (const at of [...weeks, ...changes])
      if (instantOf(zone, at + offsetAt(at, name)) !== at) wrong.push(`${name} ${new Date(at).toISOString()}`);
  }
  expect(wrong).toEqual([]);
});
