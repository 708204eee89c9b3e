import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brandColors } from '../../lib/pages/style.ts';
import { contrastOf, parseColor } from '../../lib/shared/colors.ts';

test('contrast is that of WCAG 2.2', () => {
  expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastOf('#0b5cad', '#ffffff')).toBeCloseTo(6.67, 2);
});

test('every colour of a company can be read on the grounds of the pages, and the text on its buttons too', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(color, (each) => {
      const { light, dark } = brandColors(each);
      const pairs = [
        [light, '#f4f5f7'],
        [light, '#ffffff'],
        [dark, '#1f2327'],
        [dark, '#15181b'],
        [dark, '#0d1b2a'],
      ] as const;
      for (const [one, other] of pairs) expect(contrastOf(one, other)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 300 },
  );
});

test('a colour that can be read stays as it is', () => {
  expect(brandColors('#0b5cad').light).toBe('#0b5cad');
  expect(brandColors('#ffffff').light).not.toBe('#ffffff');
});

test.each([
  ['#2E7D32', '#2e7d32'],
  ['2e7d32', '#2e7d32'],
  ['green', undefined],
  ['#2e7d3', undefined],
  ['#2e7d32;}', undefined],
])('%s is read as %s', (text, color) => {
  expect(parseColor(text)).toBe(color);
});
