import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDuration, MAX_DURATION, parseDuration } from '../../lib/shared/time/time.ts';
import { anyCharacter } from '../support/random/characters.ts';

test.each([
  ['90', 90],
  ['0', 0],
  ['1:30', 90],
  ['0:05', 5],
  ['1h30m', 90],
  ['1h', 60],
  ['45m', 45],
  ['1.5h', 90],
  ['1,5 h', 90],
  ['1 hr 30 min', 90],
  ['2 hours', 120],
  ['1 day 2 hours', 1560],
  ['PT1H30M', 90],
  ['pt90m', 90],
  ['PT5400S', 90],
  ['PT1.5H', 90],
  ['P1DT2H', 1560],
  ['P7D', 10_080],
  ['PT0S', 0],
  [' 90 ', 90],
  ['PT0.1H', 6],
])('%s is %i minutes', (text, minutes) => {
  expect(parseDuration(text)).toEqual({ ok: true, minutes });
});

test.each([
  ['', /^Write/],
  ['-90', /^Write/],
  ['PT-1H', /^Write/],
  ['-PT1H', /^Write/],
  ['1:60', /^Write/],
  ['P', /^Write/],
  ['PT', /^Write/],
  ['P1DT', /^Write/],
  ['P1M', /^Write/],
  ['P1W', /^Write/],
  ['1h30', /^Write/],
  ['90 minutes or so', /^Write/],
  ['1e3', /^Write/],
  ['9'.repeat(5000), /^Write/],
  ['PT30S', /whole number of minutes/],
  ['0.01h', /whole number of minutes/],
  ['10081', /at most 7 days/],
  ['P8D', /at most 7 days/],
  ['168:01', /at most 7 days/],
])('%j is an error', (text, reason) => {
  expect(parseDuration(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
});

test.each([
  [90, '1 hr 30 min'],
  [60, '1 hr'],
  [120, '2 hr'],
  [45, '45 min'],
  [0, '0 min'],
  [1560, '26 hr'],
])('%i minutes are %s', (minutes, text) => {
  expect(formatDuration(minutes)).toBe(text);
});

test('every duration reads back from each way of writing it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_DURATION }), (minutes) => {
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      const clock = `${hours}:${String(rest).padStart(2, '0')}`;
      const written = [`${minutes}`, formatDuration(minutes), clock, `${hours}h${rest}m`, `PT${hours}H${rest}M`];
      for (const text of written) expect(parseDuration(text)).toEqual({ ok: true, minutes });
    }),
  );
});

test('never throws', () => {
  const durationLike = fc.string({ unit: fc.constantFrom(...'0123456789PTDHMS:.-hm ') });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), durationLike), (text) => {
      const parsed = parseDuration(text);
      if (!parsed.ok) return;
      expect(Number.isInteger(parsed.minutes)).toBe(true);
      expect(Math.abs(parsed.minutes - MAX_DURATION / 2)).toBeLessThanOrEqual(MAX_DURATION / 2);
    }),
    { numRuns: 1000 },
  );
});
