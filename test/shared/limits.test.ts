import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatInteger } from '../../lib/shared/limits.ts';

it('writes an integer with a comma between thousands, as en-US does', () => {
  expect([0, 999, 1_000, 350_000, 6_291_456, -1_000].map(formatInteger)).toEqual([
    '0',
    '999',
    '1,000',
    '350,000',
    '6,291,456',
    '-1,000',
  ]);
  fc.assert(fc.property(fc.maxSafeInteger(), (value) => formatInteger(value) === value.toLocaleString('en-US')));
});
