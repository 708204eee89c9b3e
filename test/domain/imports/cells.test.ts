import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellText, readCents, readDay, readHours, readTimes } from '../../../lib/domain/imports/cells.ts';

describe('cells of other systems', () => {
  test.each([
    ['="52"', '52'],
    ['="say ""hi"""', 'say "hi"'],
    ["'+1 217 555 0143", '+1 217 555 0143'],
    ['  plain ', 'plain'],
    ['="', '="'],
  ])('%s is the text %s', (cell, text) => expect(cellText(cell)).toBe(text));

  test.each([
    ['$1,234.50', 123_450],
    ['(12.00)', -1_200],
    ['-$3.5', -350],
    ['0', 0],
    ['12.345', undefined],
    ['twelve', undefined],
    ['', undefined],
  ])('%s is %s cents', (text, cents) => expect(readCents(text)).toBe(cents));

  test('amounts are read as they are written, to the cent', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e11, max: 1e11 }), (cents) => {
        const text = (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
        expect(readCents(text)).toBe(cents);
      }),
    );
  });

  test.each([
    ['Sep 24, 2026', '2026-09-24'],
    ['Thu Sep 24, 2026 9:00 AM', '2026-09-24'],
    ['24 September 2026', '2026-09-24'],
    ['9/24/26', '2026-09-24'],
    ['09/24/2026', '2026-09-24'],
    ['2026-09-24 09:00:00 -0600', '2026-09-24'],
    ['Feb 30, 2026', undefined],
    ['soon', undefined],
  ])('%s is the day %s', (text, day) => expect(readDay(text)).toBe(day));

  test.each([
    ['9:00 AM - 11:30 AM', { start: 540, end: 690 }],
    ['9 - 11 AM', { start: 540, end: 660 }],
    ['11 AM – 1 PM', { start: 660, end: 780 }],
    ['09:00 to 17:15', { start: 540, end: 1_035 }],
    ['12:30 AM', { start: 30, end: undefined }],
    ['Anytime', undefined],
    ['25:00', undefined],
  ])('%s is %o', (text, times) => expect(readTimes(text)).toEqual(times));

  test.each([
    ['1.5', 90],
    ['0', undefined],
    ['2h', undefined],
  ])('%s hours are %s minutes', (text, minutes) => expect(readHours(text)).toBe(minutes));
});
