import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatInteger } from '../../lib/shared/text/text.ts';

test('a whole number has commas as people write it in English', () => {
  const format = new Intl.NumberFormat('en-US');
  fc.assert(fc.property(fc.maxSafeInteger(), (value) => formatInteger(value) === format.format(value)));
  expect([0, -100, 999, 1_000, -1_000, 350_000].map(formatInteger)).toEqual([
    '0',
    '-100',
    '999',
    '1,000',
    '-1,000',
    '350,000',
  ]);
});
