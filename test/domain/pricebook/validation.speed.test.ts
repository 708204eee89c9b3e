import { expect, test } from 'vitest';
import { emptyBook } from '../../../lib/domain/pricebook/record.ts';
import { costOf } from '../../support/cpu.ts';
import { planErrors } from './book-plans.ts';

test('assemblies of a thousand parts are checked within seconds', async () => {
  const parts = Array.from({ length: 1_000 }, (_, index) => ({
    Name: `P${index}`,
    ...(index > 100 ? { AssemblyItems: [{ PartName: `P${index % 100}`, Quantity: 1 }] } : {}),
  }));
  const errors: unknown[] = [];
  expect(await costOf(() => errors.push(planErrors(emptyBook, { parts })), 1)).toBeLessThan(5_000);
  expect(errors).toEqual([[]]);
});
