import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dependsOnCountry, readFlag, readNumber } from '../../lib/shared/text/read-values.ts';

test.each([
  [['true', 'TRUE', ' Yes ', 'on', '1'], true],
  [['false', 'False', 'no\n', 'OFF', '0'], false],
  [['', ' ', 'maybe', '2', 'y', 'null', 'truefalse'], undefined],
])('%j are the flag %s', (texts, flag) => {
  expect(texts.map(readFlag)).toEqual(texts.map(() => flag));
});

test.each([
  ['275', 275],
  [' 007 ', 7],
  ['-12', -12],
  ['+3', 3],
  ['1.0', 1],
  ['.5', 0.5],
  ['5.', 5],
  ['1.234', 1.234],
  ['-0', 0],
  ['1,234,567', 1_234_567],
  ['1,234.50', 1234.5],
  ['12,34,567.5', 1_234_567.5],
  ['1.234.567', 1_234_567],
  ['1.234,50', 1234.5],
  ['1.234.567,5', 1_234_567.5],
  ['1 234 567', 1_234_567],
  ['1\u202f234,5', 1234.5],
  ['1\u00a0234.5', 1234.5],
  ['1’234.50', 1234.5],
])('%j is the number %d in every country', (text, number) => {
  expect([undefined, '', 'US', 'DE', 'FR', 'IN'].map((country) => readNumber(text, country))).toEqual(
    Array.from({ length: 6 }, () => number),
  );
});

test.each([
  '',
  ' ',
  '.',
  '-',
  'ten',
  '1e3',
  '0x10',
  'Infinity',
  'NaN',
  '$5',
  '12 %',
  '1-2',
  '1,23,4',
  '1.23.4',
  '1,2345,678',
  '1.234,567.8',
  '1,234 567',
  '12:30',
  '2026-03-08',
  '9'.repeat(41),
])('%j is no number', (text) => {
  expect([undefined, 'US', 'DE'].map((country) => readNumber(text, country))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

const COMMA = ['DE', 'FR', 'ES', 'BR', 'PL'];
const POINT = ['', 'US', 'GB', 'AU', 'MX', 'IN', 'CH', 'de', 'USA'].filter((country) => country !== 'de');

test.each([
  ['1,234', undefined, 1234],
  ['-999,000', undefined, -999_000],
  ['1,5', 1.5, undefined],
  ['0,750', 0.75, undefined],
  ['1234,567', 1234.567, undefined],
  ['12,3456', 12.3456, undefined],
])('one comma in %j is read as %s where people write a decimal comma, else as %s', (text, comma, point) => {
  expect(dependsOnCountry(text)).toBe(true);
  expect(readNumber(text)).toBeUndefined();
  expect(COMMA.map((country) => readNumber(text, country))).toEqual(COMMA.map(() => comma));
  expect(POINT.map((country) => readNumber(text, country))).toEqual(POINT.map(() => point));
});

test('a number is read from each way in which its country writes it, or not at all, and never as another', () => {
  const countries = ['US', 'GB', 'DE', 'FR', 'CH', 'IN', 'BR', 'SE'];
  const locales = ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'de-CH', 'en-IN', 'pt-BR', 'sv-SE'];
  const number = fc.integer({ min: 0, max: 10 ** 12 }).map((cents) => cents / 100);
  fc.assert(
    fc.property(number, fc.nat({ max: countries.length - 1 }), fc.boolean(), (value, index, useGrouping) => {
      const text = value.toLocaleString(locales[index], { useGrouping, minimumFractionDigits: 2 });
      expect(readNumber(text, countries[index])).toBe(value);
      const whole = Math.floor(value).toLocaleString(locales[index], { useGrouping });
      // 1.234 may be a decimal, which programs write so.
      const isPoint = /^\d+\.\d{3}$/.test(whole);
      expect(readNumber(whole, countries[index])).toBe(isPoint ? Number(whole) : Math.floor(value));
    }),
  );
});

test('a number as programs print it is read as that number', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), fc.constantFrom(1, 100, 10_000), (whole, parts) => {
      expect(readNumber(String(whole / parts))).toBe(whole / parts + 0);
    }),
  );
});
