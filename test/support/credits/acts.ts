import fc from 'fast-check';
import type { Act } from './ledger.ts';

/** Invoices of a history. */
export const COUNT = 4;
export const cents = fc.oneof(fc.integer({ min: 1, max: 15_000 }), fc.constantFrom(1, 2_500, 5_000, 10_000));
const signed = fc.oneof({ weight: 3, arbitrary: cents }, { weight: 1, arbitrary: cents.map((amount) => -amount) });
const invoice = fc.nat(COUNT - 1);
export const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constantFrom('pay' as const, 'pay' as const, 'byCredit' as const), invoice, amount: signed }),
  fc.record({ kind: fc.constant('keep' as const), amount: signed }),
  fc.record({ kind: fc.constant('change' as const), payment: fc.nat(30), amount: signed }),
  fc
    .record({
      sign: fc.constantFrom(1, 1, -1),
      shares: fc.dictionary(fc.constantFrom('0', '1', '2', '3'), cents, { minKeys: 1, maxKeys: COUNT }),
      rest: fc.oneof(fc.constant(0), cents),
    })
    .map(({ sign, shares, rest }): Act => {
      const parts = Object.entries(shares).map(([index, part]) => [Number(index), sign * part] as const);
      return { kind: 'divide', parts, amount: parts.reduce((sum, [, part]) => sum + part, sign * rest) };
    }),
  fc.record({ kind: fc.constant('void' as const), invoice }),
  fc.record({ kind: fc.constant('reprice' as const), invoice, total: cents }),
  fc.constant<Act>({ kind: 'spend' }),
);
