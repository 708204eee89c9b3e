import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { toLocal, toLocalDate, toUsStyle, toUtc } from '../../lib/shared/time/time.ts';
import {
  parseDate,
  parseMoment,
  parseRangeEnd,
  parseRangeStart,
  parseTimeSpan,
  withoutFraction,
} from '../../lib/shared/time/read-moments.ts';
import { anyCharacter } from '../support/random/characters.ts';

const NEW_YORK = 'America/New_York';

function instant(text: string, zone: string): string {
  const parsed = parseMoment(text, zone);
  return parsed.ok ? new Date(parsed.at).toISOString() : parsed.reason;
}

describe('a moment is read however it is written', () => {
  test.each([
    ['2026-03-08T09:00', '2026-03-08T13:00:00.000Z'],
    ['2026-03-08 09:00:30', '2026-03-08T13:00:30.000Z'],
    ['2026-3-8 9:00', '2026-03-08T13:00:00.000Z'],
    ['2026-03-08T09:00:30.5', '2026-03-08T13:00:30.000Z'],
    ['2026-03-08T09:00:30,123456789', '2026-03-08T13:00:30.000Z'],
    ['2026-03-08T09:00:00Z', '2026-03-08T09:00:00.000Z'],
    ['2026-03-08t09:00:00z', '2026-03-08T09:00:00.000Z'],
    ['2026-03-08T09:00:00-05:00', '2026-03-08T14:00:00.000Z'],
    ['2026-03-08T09:00:00+0530', '2026-03-08T03:30:00.000Z'],
    ['2026-03-08T09:00 +05', '2026-03-08T04:00:00.000Z'],
    ['1970-01-01T00:00:00-00:44:30', '1970-01-01T00:44:30.000Z'],
    ['3/8/2026 9:00 AM', '2026-03-08T13:00:00.000Z'],
    ['03/08/2026 09:00:15 pm', '2026-03-09T01:00:15.000Z'],
    ['3/8/2026, 9:00:00 AM', '2026-03-08T13:00:00.000Z'],
    ['3/8/2026 21:00', '2026-03-09T01:00:00.000Z'],
    ['3/8/2026 12:00 AM', '2026-03-08T05:00:00.000Z'],
    ['3/8/2026 12:30 p.m.', '2026-03-08T16:30:00.000Z'],
    ['3/8/2026 9:00\u202fAM', '2026-03-08T13:00:00.000Z'],
    ['  2026-03-08  ', '2026-03-08T05:00:00.000Z'],
    ['3/8/2026', '2026-03-08T05:00:00.000Z'],
    ['03/08/2026', '2026-03-08T05:00:00.000Z'],
    ['2024-02-29', '2024-02-29T05:00:00.000Z'],
  ])('%s in New York is %s', (text, expected) => {
    expect(instant(text, NEW_YORK)).toBe(expected);
  });
});

describe('a text that is no moment returns a sentence', () => {
  test.each([
    ['', /^Write a date such as/],
    ['tomorrow', /^Write a date such as/],
    ['8.3.2026', /^Write a date such as/],
    ['3/8/26', /^Write a date such as/],
    ['2026-03', /^Write a date such as/],
    ['1772978400', /^Write a date such as/],
    ['2026-03-08T09', /^Write a date such as/],
    ['2026-03-08T09:00:00-05:00[America/New_York]', /^Write a date such as/],
    [`2026-03-08${' '.repeat(10_000)}`, /^Write a date such as/],
    ['2026-02-30', /not in the calendar/],
    ['2025-02-29', /not in the calendar/],
    ['2026-13-01', /not in the calendar/],
    ['0/8/2026', /not in the calendar/],
    ['13/8/2026', /not in the calendar/],
    ['2026-03-08T24:00', /not on the clock/],
    ['2026-03-08T09:60', /not on the clock/],
    ['2026-03-08T09:00:60', /not on the clock/],
    ['3/8/2026 13:00 PM', /not on the clock/],
    ['3/8/2026 0:30 AM', /not on the clock/],
    ['2026-03-08T09:00+25:00', /^The offset of .* is out of range/],
    ['1899-12-31', /^The year \d+ is not in 1900 to 2200/],
    ['2201-01-01T00:00Z', /^The year \d+ is not in 1900 to 2200/],
  ])('%j', (text, reason) => {
    const parsed = parseMoment(text, NEW_YORK);
    expect(parsed).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });
});

describe('changes of clocks', () => {
  const leap = 'the calendar there skips that day.';
  const jump = 'clocks there go forward over that time.';

  test.each([
    ['2026-03-08T02:30', NEW_YORK, `2026-03-08T02:30 does not exist in America/New_York: ${jump}`],
    ['10/4/2026 2:15 AM', 'Australia/Lord_Howe', `10/4/2026 2:15 AM does not exist in Australia/Lord_Howe: ${jump}`],
    ['2026-04-24 00:30', 'Africa/Cairo', `2026-04-24 00:30 does not exist in Africa/Cairo: ${jump}`],
    ['2011-12-30', 'Pacific/Apia', `2011-12-30 does not exist in Pacific/Apia: ${leap}`],
    ['2026-03-08T03:00', NEW_YORK, '2026-03-08T07:00:00.000Z'],
    ['2026-11-01T01:30', NEW_YORK, '2026-11-01T05:30:00.000Z'],
    ['2026-11-01T01:30-05:00', NEW_YORK, '2026-11-01T06:30:00.000Z'],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
    ['2026-03-08T09:00', 'Asia/Kolkata', '2026-03-08T03:30:00.000Z'],
    ['2026-03-08T09:00', 'America/St_Johns', '2026-03-08T11:30:00.000Z'],
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  ])('%s in %s is %s', (text, zone, expected) => {
    expect(instant(text, zone)).toBe(expected);
  });
});

describe('a range', () => {
  const edges = (text: string, zone: string) =>
    [parseRangeStart(text, zone), parseRangeEnd(text, zone)].map((edge) =>
      edge.ok ? new Date(edge.at).toISOString() : edge.reason,
    );

  test.each([
    ['3/8/2026', NEW_YORK, '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
    ['2026-11-01', NEW_YORK, '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z', '2026-04-24T20:59:59.999Z'],
    ['2026-10-29', 'Africa/Cairo', '2026-10-28T21:00:00.000Z', '2026-10-29T21:59:59.999Z'],
    ['2011-12-29', 'Pacific/Apia', '2011-12-29T10:00:00.000Z', '2011-12-30T09:59:59.999Z'],
    ['2026-12-31', 'UTC', '2026-12-31T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
  ])('of the date %s in %s is its whole day', (text, zone, start, end) => {
    expect(edges(text, zone)).toEqual([start, end]);
  });

  test.each(['2026-03-08T09:00:00Z', '2026-03-08T09:00:00.000Z', '2026-03-08T09:00:00.250Z', '3/8/2026 5:00:00.0 AM'])(
    'from and through the moment %s is its whole second',
    (text) => {
      expect(edges(text, NEW_YORK)).toEqual(['2026-03-08T09:00:00.000Z', '2026-03-08T09:00:00.999Z']);
    },
  );

  test('returns the error of parseMoment', () => {
    expect(parseRangeEnd('soon', NEW_YORK)).toEqual(parseMoment('soon', NEW_YORK));
    expect(parseRangeEnd('2011-12-30', 'Pacific/Apia').ok).toBe(false);
  });

  test('consecutive days leave no gap and no overlap, in any zone', () => {
    const days = fc.integer({ min: Date.UTC(1900, 0, 2) / 864e5, max: Date.UTC(2200, 11, 29) / 864e5 });
    fc.assert(
      fc.property(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), days, (zone, day) => {
        const [today, tomorrow] = [day, day + 1].map((number) => new Date(number * 864e5).toISOString().slice(0, 10));
        const [end, start] = [parseRangeEnd(today ?? '', zone), parseRangeStart(tomorrow ?? '', zone)];
        if (end.ok && start.ok) expect(start.at - end.at).toBe(1);
        else expect(zone).toMatch(/Pacific|Asia\/Manila/);
      }),
      { numRuns: 300 },
    );
  });
});

test.each([
  ['3/8/2026', '2026-03-08'],
  ['2011-12-30', '2011-12-30'],
  ['2026-03-08T02:00Z', '2026-03-07'],
  ['2026-03-08T23:30', '2026-03-08'],
])('as a date, %s in New York is %s', (text, date) => {
  expect(parseDate(text, NEW_YORK)).toEqual({ ok: true, date });
});

test('as a date, a day or a time that does not exist is an error', () => {
  expect(parseDate('2026-02-30', NEW_YORK).ok).toBe(false);
  expect(parseDate('2026-03-08T02:30', NEW_YORK).ok).toBe(false);
});

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const seconds = fc.integer({ min: Date.UTC(1900, 0, 2) / 1000, max: Date.UTC(2200, 11, 30) / 1000 });

test('a formatted moment reads back as the same second, in every zone', () => {
  fc.assert(
    fc.property(zones, seconds, (zone, second) => {
      const at = second * 1000;
      expect(parseMoment(toUtc(at), zone)).toEqual({ ok: true, at, dateOnly: false });
      expect(parseMoment(toLocal(at, zone), 'UTC')).toEqual({ ok: true, at, dateOnly: false });
      expect(parseDate(toLocal(at, zone), zone)).toEqual({ ok: true, date: toLocalDate(at, zone) });
      // Without a zone the second of two like readings is lost: it reads back as the first.
      const usStyle = parseMoment(toUsStyle(at, zone), zone);
      if (usStyle.ok) expect(toUsStyle(usStyle.at, zone)).toBe(toUsStyle(at, zone));
      else expect.unreachable(usStyle.reason);
    }),
    { numRuns: 500 },
  );
});

test('a local time is the instant that Temporal finds', () => {
  fc.assert(
    fc.property(zones, seconds, (zone, second) => {
      const text = new Date(second * 1000).toISOString().slice(0, 19);
      const local = Temporal.PlainDateTime.from(text);
      const expected = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
      const parsed = parseMoment(text, zone);
      const exists = expected.toPlainDateTime().equals(local);
      expect(parsed.ok).toBe(exists);
      if (parsed.ok) expect(parsed).toEqual({ ok: true, at: expected.epochMilliseconds, dateOnly: false });
    }),
    { numRuns: 500 },
  );
});

test('never throws, and every error is a sentence', () => {
  const dateLike = fc.string({ unit: fc.constantFrom(...'0123456789-/:. TZ+APMapm,'), maxLength: 45 });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), dateLike), (text) => {
      for (const parsed of [parseMoment(text, NEW_YORK), parseRangeEnd(text, NEW_YORK), parseDate(text, NEW_YORK)]) {
        if (!parsed.ok) expect(parsed.reason).toMatch(/^.{20,200}\.$/s);
      }
    }),
    { numRuns: 2000 },
  );
});

describe('a time span of a query', () => {
  test.each<[string, [string | null | undefined, string | null | undefined], number | undefined]>([
    ['America/New_York', ['2026-03-07', '2026-03-07'], 24],
    ['America/New_York', ['2026-03-08', '2026-03-08'], 23],
    ['America/New_York', ['2026-11-01', '11/1/2026'], 25],
    ['Australia/Lord_Howe', ['2026-04-05', '2026-04-05'], 24.5],
    ['Asia/Kolkata', ['2026-03-08T00:00', '2026-03-08T23:59:59'], 24],
    ['UTC', [undefined, '2026-03-08'], undefined],
    ['UTC', ['2026-03-08', null], undefined],
    ['UTC', ['', ''], undefined],
  ])('in %s, %j covers whole days', (zone, input, hours) => {
    const { span, errors } = parseTimeSpan(
      ['DueFrom', 'DueThrough'],
      { DueFrom: input[0], DueThrough: input[1] },
      zone,
    );
    expect(errors).toEqual([]);
    expect(
      span.from === undefined || span.through === undefined ? undefined : (span.through + 1 - span.from) / 3_600_000,
    ).toBe(hours);
    expect([span.from === undefined, span.through === undefined]).toEqual(input.map((text) => !text));
  });

  test.each<[[string, string], string[]]>([
    [
      ['then', 'now'],
      ['DueFrom', 'DueThrough'],
    ],
    [['2026-03-08', 'now'], ['DueThrough']],
    [['2026-03-09', '2026-03-08'], ['DueThrough']],
    [['2026-03-08T02:30', '2026-03-09'], ['DueFrom']],
  ])('%j names the invalid fields', ([DueFrom, DueThrough], fields) => {
    expect(
      parseTimeSpan(['DueFrom', 'DueThrough'], { DueFrom, DueThrough }, 'America/New_York').errors.map(
        ({ field }) => field,
      ),
    ).toEqual(fields);
  });
});

describe('a fraction of a second', () => {
  test.each([
    ['2026-03-08T09:00:00.000Z', '2026-03-08T09:00:00Z'],
    ['2026-03-08T09:00:00.734-05:00', '2026-03-08T09:00:00-05:00'],
    ['2026-03-08T09:00:00.5', '2026-03-08T09:00:00'],
    ['2026-03-08T09:00:00Z', '2026-03-08T09:00:00Z'],
    ['Version 1.000Z', 'Version 1.000Z'],
    ['', ''],
  ])('%s is compared as %s', (text, expected) => {
    expect(withoutFraction(text)).toBe(expected);
  });
});
