import { InvoiceStatus } from '../../lib/entities/invoices.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COUNT, act, cents } from '../support/credits/acts.ts';
import { Books } from '../support/credits/books.ts';
import { Ledger } from '../support/credits/ledger.ts';

const RUNS = Number(process.env['CREDIT_RUNS'] ?? 150);

test(`over ${RUNS} random histories, every sum is that of a ledger of its own, and the credit is never below 0`, () => {
  fc.assert(
    fc.property(
      fc.array(cents, { minLength: COUNT, maxLength: COUNT }),
      fc.array(act, { minLength: 5, maxLength: 40, size: 'max' }),
      (totals, acts) => {
        const [ledger, books] = [new Ledger(totals), new Books(totals)];
        for (const each of acts) {
          expect([each, books.apply(each)]).toEqual([each, ledger.apply(each)]);
          expect(books.credit()).toBe(ledger.credit);
          expect(ledger.credit).toBeGreaterThanOrEqual(0);
        }
        const whole = (amount: number) => Math.round(amount * 100);
        expect(
          books.invoices.map(({ Total, Paid, BalanceDue, Status }) => [
            whole(Total),
            whole(Paid),
            whole(BalanceDue),
            Status === InvoiceStatus.Voided,
          ]),
        ).toEqual(
          ledger.invoices.map(({ total, paid, isVoided }, index) => [total, paid, ledger.due(index), isVoided]),
        );
        const paid = (id: number) =>
          books.payments
            .filter(({ InvoiceId }) => InvoiceId === id)
            .reduce((sum, { Amount }) => sum + whole(Amount), 0);
        expect(books.invoices.map(({ Id }) => paid(Id))).toEqual(ledger.invoices.map((each) => each.paid));
        expect(books.payments.reduce((sum, { Amount }) => sum + whole(Amount), 0)).toBe(ledger.cash);
      },
    ),
    { numRuns: RUNS, endOnFailure: RUNS > 1_000 },
  );
});
