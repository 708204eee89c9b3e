import { expect, test } from 'vitest';
import { isFormulaName, parseFormula } from '../../lib/domain/formula.ts';
import { normalizePostalCode, streetWords } from '../../lib/shared/addresses.ts';
import { parseDuration } from '../../lib/shared/durations.ts';
import { isEmail, normalizeEmail } from '../../lib/shared/emails.ts';
import { isPhoneText, normalizePhone } from '../../lib/shared/phones.ts';
import { parseCalendarDate, parseMoment, parseRangeEnd } from '../../lib/shared/read-moments.ts';
import { fold, splitWords, toKeyText } from '../../lib/shared/text.ts';
import * as webAddresses from '../../lib/shared/web-addresses.ts';

/** Everything that reads text from outside by patterns. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  isEmail,
  normalizeEmail,
  isPhoneText,
  normalizePhone: (text) => normalizePhone(text, 'US'),
  fold,
  splitWords,
  toKeyText,
  parseMoment: (text) => parseMoment(text, 'UTC'),
  parseRangeEnd: (text) => parseRangeEnd(text, 'UTC'),
  parseCalendarDate,
  parseDuration,
  normalizePostalCode,
  streetWords,
  isFormulaName,
  parseFormula: (text) => parseFormula(text, new Set(['quantity'])),
  ...Object.fromEntries(
    Object.entries(webAddresses).flatMap(([name, read]) =>
      typeof read === 'function' && name !== 'parseCallbackAddress' ? [[name, read as (text: string) => unknown]] : [],
    ),
  ),
};

/** Beginnings that fit a pattern, repeated, and an end that does not. */
const units = [
  'a',
  ' ',
  '1',
  'a ',
  '1-',
  'a@',
  'a.',
  '(',
  '\u0301',
  'é',
  'ﷺ',
  "'",
  '+1 ',
  '2026-',
  '1H',
  '#',
  '%',
  '/',
];
const hostile = (length: number): string[] =>
  ['', 'http://', 'a@', 'PT', '+1', '2026-'].flatMap((start) =>
    units.map((unit) => `${start}${unit.repeat(length / unit.length)}!`),
  );

/** The CPU of reading all texts of a length, in milliseconds; the less of two runs. */
function cpuOf(read: (text: string) => unknown, length: number): number {
  const texts = hostile(length);
  const figures = [1, 2].map(() => {
    const before = process.cpuUsage();
    for (const text of texts)
      try {
        read(text);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...figures);
}

test.each(Object.entries(readers))('%s takes no more than linear time for a text', (_, read) => {
  const [short, long] = [cpuOf(read, 1_000), cpuOf(read, 16_000)];
  // Linear is 16, square is 256; what takes less than a tenth of a millisecond a text is not measured.
  expect(long / Math.max(short, 1)).toBeLessThan(64);
});
