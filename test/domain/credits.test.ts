import { describe, expect, test } from 'vitest';
import {
  allocationErrors,
  creditOf,
  dividePayment,
  isSameDivision,
  shareOf,
  spendCredit,
} from '../../lib/domain/credits.ts';
import { blankPayment } from '../../lib/domain/payments.ts';
import { type InvoiceRecord, InvoiceStatus, InvoiceType } from '../../lib/entities/invoices.ts';
import type { PaymentRecord } from '../../lib/entities/payments.ts';
import { invoiceOver } from '../support/invoices.ts';

const NOW = new Date('2026-03-09T15:04:05Z');

const payment = (of: InvoiceRecord, Amount: number, more: Partial<PaymentRecord> = {}): PaymentRecord => ({
  ...blankPayment(of, NOW),
  TransactionId: 't',
  Amount,
  ...more,
});

/** What each invoice has after, and each part of the payment: its invoice and amount, and what it counts as credit. */
function divide(invoices: readonly InvoiceRecord[], amounts: readonly number[], Amount: number, FromCredit = false) {
  const first = invoices[0] as InvoiceRecord;
  const of = payment(first, Amount, { FromCredit });
  const shares = amounts.length
    ? invoices.map((invoice, index) => ({ invoice, amount: amounts[index] ?? 0 }))
    : [shareOf(first, of)];
  const divided = dividePayment(of, shares);
  if (divided.kind === 'refused') return divided.message;
  const parts = divided.parts.map((part) => [part.InvoiceId, part.Amount, creditOf(part), part.TransactionId]);
  return [divided.invoices.map(({ after }) => after.BalanceDue), parts];
}

describe('a payment', () => {
  const [one, other] = [invoiceOver(100, { Id: 7 }), invoiceOver(50, { Id: 8 })];

  test.each([
    ['of what is due is whole', divide([one], [], 100), [[0], [[7, 100, 0, 't']]]],
    [
      'above that leaves credit',
      divide([one], [], 120),
      [
        [0],
        [
          [7, 100, 0, 't'],
          [0, 20, 20, ''],
        ],
      ],
    ],
    [
      'is divided, and what is left is credit',
      divide([one, other], [60.1, 50], 120),
      [
        [39.9, 0],
        [
          [7, 60.1, 0, 't'],
          [8, 50, 0, ''],
          [0, 9.9, 9.9, ''],
        ],
      ],
    ],
    [
      'by credit takes off the credit what the invoices get',
      divide([one, other], [60, 40], 100, true),
      [
        [40, 10],
        [
          [7, 60, 0, 't'],
          [8, 40, 0, ''],
          [0, -100, -100, ''],
        ],
      ],
    ],
    [
      'that is a refund of a credit invoice by credit is credit',
      divide([invoiceOver(-30, { Id: 9, InvoiceType: InvoiceType.Credit })], [], -30, true),
      [
        [0],
        [
          [9, -30, 0, 't'],
          [0, 30, 30, ''],
        ],
      ],
    ],
    ['of two invoices names the one that does not take its part', divide([one, other], [60, 50.01], 200), undefined],
    [
      'by credit is never above what is due',
      divide([one], [], 100.01, true),
      'Invoice 7 has 100.00 due; a payment of 100.01 exceeds that.',
    ],
  ])('%s', (_, result, expected) => {
    expect(result).toEqual(
      expected ??
        'Invoice 8 has 50.00 due; a payment of 50.01 exceeds that. Record the other 0.01 as credit of the contact: a ' +
          'payment with ContactId 1 and InvoiceId 0.',
    );
  });

  test.each([
    [{ Amount: 10 }, [{ InvoiceId: 1, Amount: 10 }], []],
    [{ Amount: -10 }, [{ InvoiceId: 1, Amount: -4 }], []],
    [{ Amount: 10 }, [{ InvoiceId: 1, Amount: 10.01 }], ['Allocations']],
    [{ Amount: 10, Method: 'credit ' }, [{ InvoiceId: 1, Amount: 9 }], ['Allocations']],
    [
      { Amount: 10, InvoiceId: 1, InvoiceNumber: 'x' },
      [{ InvoiceId: 1, Amount: 1 }],
      ['Payment.InvoiceId', 'Payment.InvoiceNumber'],
    ],
    [
      { Amount: 10 },
      [{ InvoiceId: 1, Amount: -1 }, { Amount: 0 }, { InvoiceId: 1, Amount: 0.001 }],
      [
        'Allocations[0].Amount',
        'Allocations[1].InvoiceId',
        'Allocations[1].Amount',
        'Allocations[2].InvoiceId',
        'Allocations[2].Amount',
      ],
    ],
  ])('of %j with the parts %j has the wrong fields %j', (input, allocations, expected) => {
    expect(allocationErrors(input, allocations).map(({ field }) => field)).toEqual(expected);
  });

  test('that is repeated is the same only with the same parts', () => {
    const recorded = [
      { InvoiceId: 1, Amount: 60, PaymentId: 4 },
      { InvoiceId: 2, Amount: 40 },
      { InvoiceId: 0, Amount: 20 },
    ];
    const same = (requested: object[]) => isSameDivision(recorded, requested);
    expect([
      same([
        { InvoiceId: 1, Amount: 60 },
        { InvoiceId: 2, Amount: 40 },
      ]),
      same([{ InvoiceId: 1, Amount: 60 }]),
      same([]),
    ]).toEqual([true, false, false]);
    expect(
      isSameDivision(
        [
          { InvoiceId: 1, Amount: 100 },
          { InvoiceId: 0, Amount: 20 },
        ],
        [],
      ),
    ).toBe(true);
  });
});

test('credit is spent on the oldest open invoices first, at most 20 at once', () => {
  const at = (day: number) => Date.UTC(2026, 2, day);
  const invoices = Array.from({ length: 25 }, (_, index) => invoiceOver(10, { Id: index + 1, Date: at(25 - index) }));
  const spent = (credit: number) => spendCredit(credit, invoices).map(({ invoice, amount }) => [invoice.Id, amount]);
  expect(spent(14.5)).toEqual([
    [25, 10],
    [24, 4.5],
  ]);
  expect(spent(1_000)).toHaveLength(20);
  expect(spendCredit(5, [invoiceOver(10, { Id: 1, Status: InvoiceStatus.Voided, BalanceDue: 0 })])).toEqual([]);
});
