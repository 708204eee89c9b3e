import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LruMap } from '../../lib/shared/caches.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), key, size: fc.nat({ max: 6 }) }),
  fc.record({ kind: fc.constantFrom('get' as const, 'delete' as const), key }),
);

test('it keeps the entries used last that fit both limits, and finds what was set last', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.nat({ max: 10 }), fc.array(step), (max, maxSize, steps) => {
      const map = new LruMap<number>({ max, maxSize });
      // The latest last.
      let kept: { key: string; value: number; size: number }[] = [];
      const fits = () => kept.length <= max && kept.reduce((sum, { size }) => sum + size, 0) <= maxSize;
      for (const [value, one] of steps.entries()) {
        const known = kept.find((entry) => entry.key === one.key);
        if (one.kind === 'get') expect(map.get(one.key)).toBe(known?.value);
        else if (one.kind === 'set') map.set(one.key, value, one.size);
        else map.delete(one.key);
        kept = kept.filter((entry) => entry !== known);
        if (one.kind === 'get' && known) kept.push(known);
        if (one.kind === 'set') kept.push({ key: one.key, value, size: one.size });
        while (!fits()) kept.shift();
      }
      for (const { key: each, value } of kept) expect(map.get(each)).toBe(value);
      const gone = ['a', 'b', 'c', 'd', 'e'].filter((each) => !kept.some((entry) => entry.key === each));
      for (const each of gone) expect(map.get(each)).toBeUndefined();
    }),
  );
});
