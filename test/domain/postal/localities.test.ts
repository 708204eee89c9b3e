import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SourceCode, packPostal } from '../../../infra/pack/postal.ts';
import {
  EARTH_RADIUS_MILES,
  type Position,
  parsePostalData,
  miles,
  normalizePostalCode,
} from '../../../lib/domain/postal/localities.ts';

const position = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

/** Great-circle miles by the angle between two vectors from the earth's centre: another formula than the project's. */
function milesByVectors(from: Position, to: Position): number {
  const vector = ({ latitude, longitude }: Position): [number, number, number] => {
    const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
  };
  const [[a, b, c], [x, y, z]] = [vector(from), vector(to)];
  const cross = Math.hypot(b * z - c * y, c * x - a * z, a * y - b * x);
  return EARTH_RADIUS_MILES * Math.atan2(cross, a * x + b * y + c * z);
}

describe('great-circle miles', () => {
  test.each([
    ['one degree on the equator is R·π/180', 0, 0, 0, 1, 69.0934],
    ['a quarter of the earth is R·π/2', 0, 0, 90, 0, 6218.408],
    ['opposite points are R·π apart', 0, 0, 0, 180, 12436.816],
    ['a degree of longitude at 60° north is half of one on the equator', 60, 0, 60, 1, 34.5462],
    ['the worked example of the docstring', 40.7484, -73.9967, 34.0888, -118.4061, 2453.3405],
    ['the same point', 40.7484, -73.9967, 40.7484, -73.9967, 0],
    ['across the date line', 52, 179.5, 52, -179.5, 42.5374],
  ])('%s', (_, latitude, longitude, otherLatitude, otherLongitude, expected) => {
    const found = miles({ latitude, longitude }, { latitude: otherLatitude, longitude: otherLongitude });
    expect(Math.abs(found - expected)).toBeLessThan(0.001);
  });

  test('JFK to Los Angeles airport is the published 2,475 miles within the half percent of a round earth', () => {
    const found = miles({ latitude: 40.6398, longitude: -73.7789 }, { latitude: 33.9425, longitude: -118.408 });
    expect(Math.abs(found / 2475 - 1)).toBeLessThan(0.005);
  });

  test('is symmetric, obeys the triangle inequality and agrees with the angle between vectors', () => {
    fc.assert(
      fc.property(position, position, position, (a, b, c) => {
        expect(miles(a, b)).toBe(miles(b, a));
        expect(miles(a, c)).toBeLessThanOrEqual(miles(a, b) + miles(b, c) + 1e-3);
        expect(Math.abs(miles(a, b) - milesByVectors(a, b))).toBeLessThan(1e-3);
      }),
    );
  });
});

describe('the text of a code', () => {
  test.each([
    ['90210', '90210'],
    [' 90210 ', '90210'],
    ['90210-1234', '90210'],
    ['90210 1234', '90210'],
    ['902101234', '90210'],
    ['00501', '00501'],
    ['501', undefined],
    ['9021', undefined],
    ['902101', undefined],
    ['90210-12', undefined],
    ['K1A 0B1', undefined],
    ['', undefined],
    ['９０２１０', undefined],
    ['90210\n90211', undefined],
  ])('%j is %j', (text, expected) => expect(normalizePostalCode(text)).toBe(expected));
});

describe('a packed table', () => {
  const rows = fc
    .uniqueArray(
      fc.record({
        zip: fc.integer({ min: 0, max: 99_999 }).map((code) => String(code).padStart(5, '0')),
        latitude: fc.integer({ min: -900_000, max: 900_000 }).map((units) => units / 10_000),
        longitude: fc.integer({ min: -1_800_000, max: 1_800_000 }).map((units) => units / 10_000),
        city: fc.constantFrom('Springfield', 'Mc Lean', "Coeur D'Alene", 'Añasco'),
        state: fc.constantFrom('IL', 'MO', 'ID', 'PR'),
      }),
      { selector: (row) => row.zip, minLength: 1, maxLength: 60 },
    )
    .map((list) => list.sort((a, b) => Number(a.zip) - Number(b.zip)));

  test('gives back every row as it went in', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const postal = parsePostalData(packPostal(list));
        expect(postal.count).toBe(list.length);
        for (const { zip, city, state, latitude, longitude } of list) {
          const found = postal.find(zip);
          expect(found).toMatchObject({ code: zip, city, state, country: 'US' });
          expect(found?.position).toEqual(latitude === 0 && longitude === 0 ? undefined : { latitude, longitude });
        }
      }),
    );
  });

  const row = (zip: string, latitude: number, longitude: number, city: string): SourceCode => {
    return { zip, latitude, longitude, city, state: 'KS' };
  };
  const postal = parsePostalData(
    packPostal([
      row('00000', 0, 0, 'Nowhere'),
      row('67001', 38, -97, 'Far'),
      row('67002', 37, -97, 'Near'),
      row('67003', 37, -97, 'Near'),
      row('67004', 37.5, -97, 'Far'),
    ]),
  );
  const center = { latitude: 37, longitude: -97 };

  test('lists codes nearest first, equals by code, and none whose place is unknown', () => {
    expect(postal.codesWithin(center, 13_000).map(({ code }) => code)).toEqual(['67002', '67003', '67004', '67001']);
    expect(postal.codesWithin({ latitude: 0, longitude: 0 }, 1)).toEqual([]);
    const nowhere = { code: '00000', city: 'Nowhere', state: 'KS', country: 'US', timeZone: 'America/Chicago' };
    expect(postal.find('00000')).toEqual(nowhere);
  });

  test('counts the border in', () => {
    const border = miles(center, { latitude: 38, longitude: -97 });
    expect(postal.codesWithin(center, border)).toHaveLength(4);
    expect(postal.codesWithin(center, border - 1e-9)).toHaveLength(3);
    expect(postal.codesWithin(center, 0).map(({ code }) => code)).toEqual(['67002', '67003']);
  });

  test('lists a city once, by its nearest code', () => {
    expect(postal.citiesWithin(center, 100).map(({ city, code }) => `${city} ${code}`)).toEqual([
      'Near 67002',
      'Far 67004',
    ]);
  });

  test.each([-1, Number.NaN, Number.NEGATIVE_INFINITY])('holds nothing within %d miles', (radius) => {
    expect(postal.codesWithin(center, radius)).toEqual([]);
  });

  test('is refused when cut off or when it is something else', () => {
    const whole = packPostal([row('67001', 38, -97, 'Far')]);
    expect(() => parsePostalData(whole.subarray(0, 10))).toThrow('ends too early');
    expect(() => parsePostalData(new TextEncoder().encode('{"brotli":""}'))).toThrow('not postal data');
    expect(() => parsePostalData(new Uint8Array())).toThrow('not postal data');
  });
});
