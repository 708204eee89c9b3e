import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DayHours, parseHours, formatHours } from '../../../../infra/cli/company-file/hours.ts';

const written = (text: string) => {
  const stretches = parseHours(text);
  return stretches && formatHours(stretches);
};

describe('weekly hours', () => {
  const texts: readonly (readonly [string, readonly string[]])[] = [
    ['Mon-Fri 8:00-12:00, 13:00-17:00', ['Mon-Fri 8:00-12:00, 13:00-17:00']],
    ['Sat, Sun 9 AM-1 PM', ['Sat, Sun 9:00-13:00']],
    ['Daily 7:00-19:00', ['Mon-Sun 7:00-19:00']],
    ['Monday–Friday 12 PM-1:30 pm', ['Mon-Fri 12:00-13:30']],
    ['Sat-Mon 8-9', ['Mon, Sat, Sun 8:00-9:00']],
    ['Fri 22:00-6:00', ['Fri 22:00-24:00', 'Sat 0:00-6:00']],
    ['Tue 0:00-24:00', ['Tue 0:00-24:00']],
  ];
  test.each(texts)('%s is %j', (text, lines) => {
    expect(written(text)).toEqual(lines);
  });

  test.each([
    'Mon',
    '8:00-17:00',
    'M 8-9',
    'Mon 8',
    'Mon 25:00-26:00',
    'Mon 13 PM-2 PM',
    'Mon 8:60-9:00',
    'Mon-Tue-Wed 8-9',
    'Funday 8-9',
    '',
  ])('%j is not accepted', (text) => {
    expect(parseHours(text)).toBeUndefined();
  });

  test('formatted hours parse to the same hours', () => {
    const stretch = fc.record({
      day: fc.integer({ min: 0, max: 6 }),
      start: fc.integer({ min: 0, max: 1439 }),
      length: fc.integer({ min: 1, max: 1440 }),
    });
    const key = ({ day, start, minutes }: DayHours) => `${day} ${start} ${minutes}`;
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 20 }), (input) => {
        const stretches = input.map(({ day, start, length }) => ({
          day,
          start,
          minutes: Math.min(length, 1440 - start),
        }));
        const again = formatHours(stretches).flatMap((line) => parseHours(line) ?? []);
        expect(new Set(again.map(key))).toEqual(new Set(stretches.map(key)));
      }),
    );
  });
});
