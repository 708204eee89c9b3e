import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import { barPlot } from '../../lib/pages/office/plots/bar-plot.ts';
import { sharePlot } from '../../lib/pages/office/plots/share-plot.ts';
import type { Html } from '../../lib/pages/html.ts';

type Attributes = Readonly<Record<string, string>>;

/** The elements of a picture as a parser reads them. */
function elementsOf({ text }: Html, name: string): Attributes[] {
  const found: Attributes[] = [];
  const parser = new Parser({ onopentag: (tag, attributes) => void (tag === name && found.push(attributes)) });
  parser.end(text);
  return found;
}

const months = ['2026-09', '2026-10', '2026-11'].map((month) => ({ month, label: month }));
const format = String;

test('bars are as high as their values, and series lie on each other', () => {
  const values = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(values, values, (one, other) => {
      const series = [one, other].map((each, number) => ({ name: `${number}`, values: each }));
      const bars = elementsOf(barPlot({ months, series, format, name: 'Plot' }), 'rect');
      const shown = [one, other].flat().filter((value) => value > 0);
      expect(bars).toHaveLength(shown.length);
      const heights = bars.map(({ height }) => Number(height));
      const highest = Math.max(...shown);
      const unit = (heights[shown.indexOf(highest)] ?? 0) / highest;
      // Coordinates have one decimal.
      for (const [index, height] of heights.entries())
        expect(Math.abs(height - unit * (shown[index] ?? 0))).toBeLessThan(0.2);
      const bottoms = bars.map(({ y, height }) => Math.round(Number(y) + Number(height)));
      const ofFirst = bottoms.slice(0, one.filter((value) => value > 0).length);
      expect(new Set(ofFirst).size).toBeLessThanOrEqual(1);
    }),
  );
});

test('no bar leaves the picture, whatever the values are', () => {
  const values = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(values, (each) => {
      const bars = elementsOf(barPlot({ months, series: [{ name: 'a', values: each }], format, name: 'Plot' }), 'rect');
      for (const { y, height } of bars) {
        expect(Number(y)).toBeGreaterThanOrEqual(0);
        expect(Number(y) + Number(height)).toBeLessThanOrEqual(220);
      }
    }),
  );
});

test('a share has a point at its height, and a month of which nothing is known has none', () => {
  const picture = sharePlot({ months, shares: [0, undefined, 1], format, name: 'Plot' });
  const heights = elementsOf(picture, 'circle').map(({ cy }) => Number(cy));
  expect(heights).toEqual([184, 10]);
  const [path] = elementsOf(picture, 'path');
  expect(path?.['d']?.match(/M/g)).toHaveLength(2);
});

test('without any value a picture has its axes', () => {
  const picture = barPlot({ months, series: [], format, name: 'Plot' });
  expect(elementsOf(picture, 'rect')).toEqual([]);
  expect(elementsOf(picture, 'line').length).toBeGreaterThan(1);
});
