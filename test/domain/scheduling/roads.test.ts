import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateDrive, greatCircleDriving } from '../../../lib/domain/scheduling/plans.ts';
import { areaOf, centerOf, factorBetween, factorOf, roadDriving } from '../../../lib/domain/scheduling/roads.ts';

const place = fc.record({
  latitude: fc.double({ min: 25, max: 49, noNaN: true }),
  longitude: fc.double({ min: -124, max: -67, noNaN: true }),
});
const factor = fc.double({ min: 0.5, max: 10, noNaN: true });
const HERE = { latitude: 39.93, longitude: -89.68 };

test('an area is named after its corner in the southwest, and contains its center', () => {
  expect(areaOf(HERE)).toBe('798,-1794');
  expect(centerOf('798,-1794')).toEqual({ latitude: 39.925, longitude: -89.675 });
  fc.assert(
    fc.property(place, (position) => {
      const center = centerOf(areaOf(position));
      expect(areaOf(center)).toBe(areaOf(position));
      expect(Math.abs(center.latitude - position.latitude)).toBeLessThanOrEqual(0.025_001);
      expect(Math.abs(center.longitude - position.longitude)).toBeLessThanOrEqual(0.025_001);
    }),
  );
});

test('a drive takes its estimate times the factor of the areas, both ways, rounded up', () => {
  fc.assert(
    fc.property(place, place, factor, (from, to, times) => {
      const [one, other] = [areaOf(from), areaOf(to)];
      fc.pre(one !== other);
      const drive = roadDriving(new Map([[one, new Map([[other, times]])]]));
      expect(drive(from, to)).toBe(Math.ceil(estimateDrive(from, to) * times - 1e-9));
      expect(drive(to, from)).toBe(drive(from, to));
    }),
  );
});

test('the factor of two areas gives the minutes by road between their centers, to a thousandth', () => {
  fc.assert(
    fc.property(place, place, fc.double({ min: 1, max: 600, noNaN: true }), (from, to, minutes) => {
      const [one, other] = [areaOf(from), areaOf(to)];
      fc.pre(one !== other);
      const estimate = estimateDrive(centerOf(one), centerOf(other));
      expect(Math.abs(factorOf(minutes, one, other) * estimate - minutes)).toBeLessThanOrEqual(estimate * 0.000_501);
    }),
  );
});

test('within an area, and without a factor, a drive takes its estimate; without a place no time', () => {
  const drive = roadDriving(new Map());
  const near = { ...HERE, latitude: 39.94 };
  const far = { ...HERE, latitude: 41 };
  for (const to of [near, far]) expect(drive(HERE, to)).toBe(greatCircleDriving()(HERE, to));
  expect([drive(null, HERE), drive(HERE, null)]).toEqual([0, 0]);
  expect(factorBetween(new Map(), '1,1', '1,2')).toBeUndefined();
});
