import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type InvoiceRecord, InvoiceStatus, InvoiceType } from '../../../lib/domain/invoices/record.ts';
import { applyPayment, touchesInvoice } from '../../../lib/domain/payments.ts';
import { add, subtract } from '../../../lib/shared/money.ts';
import { invoiceOver } from '../../support/invoices.ts';

const { Unapproved, Open, Paid, Voided } = InvoiceStatus;
const MARCH = Date.UTC(2026, 2, 9);
const APRIL = Date.UTC(2026, 3, 9);

const of = (total: number, input: Partial<InvoiceRecord> = {}): InvoiceRecord =>
  invoiceOver(total, { Id: 7, ...input });
const credit = (total: number) => of(total, { InvoiceType: InvoiceType.Credit });
/** With so much paid, and voided then. */
const voided = (invoice: InvoiceRecord, Paid: number): InvoiceRecord => ({
  ...invoice,
  Status: Voided,
  Paid,
  BalanceDue: 0,
});

/** The invoice after payments of these amounts in March, as [Paid, BalanceDue, Status, DatePaid]; or why not. */
function after(invoice: InvoiceRecord, ...amounts: number[]) {
  let now = invoice;
  for (const Amount of amounts) {
    const applied = applyPayment(now, undefined, { Amount, Date: MARCH });
    if (applied.kind === 'refused') return applied.message;
    now = applied.invoice;
  }
  return [now.Paid, now.BalanceDue, now.Status, now.DatePaid];
}

describe('a payment of an invoice', () => {
  test.each<[number, number[], (number | null)[]]>([
    [107.2, [100], [100, 7.2, Open, null]],
    [107.2, [100, 7.2], [107.2, 0, Paid, MARCH]],
    [107.2, [107.2], [107.2, 0, Paid, MARCH]],
    // 0.1 + 0.2 is 0.30000000000000004 in binary: 0.3 must still be Paid.
    [0.3, [0.1, 0.2], [0.3, 0, Paid, MARCH]],
    [107.2, [107.2, -7.2], [100, 7.2, Open, null]],
    [107.2, [107.2, -107.2], [0, 107.2, Open, null]],
    [107.2, [50, -50, 107.2], [107.2, 0, Paid, MARCH]],
    [9_999_999_999.99, [9_999_999_999.98, 0.01], [9_999_999_999.99, 0, Paid, MARCH]],
  ])('of %d: %j makes %j', (total, amounts, expected) => {
    expect(after(of(total), ...amounts)).toEqual(expected);
  });

  test.each<[InvoiceRecord, number[], string]>([
    [of(107.2), [107.21], 'Invoice 7 has 107.20 due: a payment of 107.21 is more than that.'],
    [of(107.2), [100, 7.21], 'Invoice 7 has 7.20 due: a payment of 7.21 is more than that.'],
    [of(107.2), [107.2, 0.01], 'Invoice 7 has 0.00 due: a payment of 0.01 is more than that.'],
    [of(0), [5], 'Invoice 7 has 0.00 due: a payment of 5.00 is more than that.'],
    [of(107.2), [-0.01], 'Of invoice 7, 0.00 was paid: a refund of 0.01 is more than that.'],
    [of(107.2), [50, -50.01], 'Of invoice 7, 50.00 was paid: a refund of 50.01 is more than that.'],
    [credit(-50), [-50.01], 'Of invoice 7, a credit, 50.00 is left: a refund of 50.01 is more than that.'],
    [credit(-50), [-20, -30.01], 'Of invoice 7, a credit, 30.00 is left: a refund of 30.01 is more than that.'],
    [credit(-50), [10], 'Of invoice 7, a credit, 0.00 was refunded: a payment of 10.00 is more than that.'],
    [credit(-50), [-20, 20.01], 'Of invoice 7, a credit, 20.00 was refunded: a payment of 20.01 is more than that.'],
    [of(50, { Status: Voided }), [10], 'Invoice 7 is Voided; it takes no payment.'],
    [of(50, { Status: Voided }), [-10], 'Of invoice 7, 0.00 was paid: a refund of 10.00 is more than that.'],
    [voided(of(50), 30), [-20, -10.01], 'Of invoice 7, 10.00 was paid: a refund of 10.01 is more than that.'],
    [voided(of(50), 30), [-20, 5], 'Invoice 7 is Voided; it takes no payment.'],
    [voided(credit(-50), -30), [-5], 'Invoice 7 is Voided; it takes no refund.'],
    [
      voided(credit(-50), -30),
      [30.01],
      'Of invoice 7, a credit, 30.00 was refunded: a payment of 30.01 is more than that.',
    ],
    [of(50, { Status: Unapproved }), [10], 'Invoice 7 is Unapproved; open it with invoice/import before it is paid.'],
  ])('is refused with both figures where it does not fit: %#', (invoice, amounts, message) => {
    expect(after(invoice, ...amounts)).toBe(message);
  });

  test('that is a refund settles a credit, and what is paid back opens it again', () => {
    expect(after(credit(-50), -20)).toEqual([-20, -30, Open, null]);
    expect(after(credit(-50), -20, -30)).toEqual([-50, 0, Paid, MARCH]);
    expect(after(credit(-50), -50, 10)).toEqual([-40, -10, Open, null]);
  });

  test('of a voided one is given back, and it stays Voided with nothing due', () => {
    expect(after(voided(of(50), 30), -20)).toEqual([10, 0, Voided, null]);
    expect(after(voided(of(50), 30), -20, -10)).toEqual([0, 0, Voided, null]);
    expect(after(voided(credit(-50), -30), 30)).toEqual([0, 0, Voided, null]);
    const { kind } = applyPayment(voided(of(50), 30), { Amount: 30, Date: MARCH }, { Amount: 20, Date: MARCH });
    expect(kind).toBe('refused');
  });

  test('that settles it dates it, whatever the dates of those before', () => {
    const half = { ...of(100), Paid: 50, BalanceDue: 50 };
    expect(applyPayment(half, undefined, { Amount: 50, Date: APRIL })).toMatchObject({ invoice: { DatePaid: APRIL } });
  });
});

describe('a changed payment', () => {
  const change = (invoice: InvoiceRecord, from: number, to: number) =>
    applyPayment(invoice, { Amount: from, Date: MARCH }, { Amount: to, Date: APRIL });

  test.each<[number, number, number, object]>([
    // Of 100.00, 80.00 is paid, 30.00 of it by this payment: 50.00 by the others.
    [80, 30, 50, { Paid: 100, BalanceDue: 0, Status: Paid, DatePaid: APRIL }],
    [80, 30, 20, { Paid: 70, BalanceDue: 30, Status: Open, DatePaid: null }],
    [80, 30, -50, { Paid: 0, BalanceDue: 100, Status: Open }],
    [100, 50, 30, { Paid: 80, BalanceDue: 20, Status: Open, DatePaid: null }],
    [80, -20, -10, { Paid: 90, BalanceDue: 10 }],
  ])('of %d paid, %d becomes %d', (paid, from, to, expected) => {
    expect(change({ ...of(100), Paid: paid, BalanceDue: 100 - paid }, from, to)).toMatchObject({
      kind: 'applied',
      invoice: expected,
    });
  });

  test.each<[number, number, number, string]>([
    [80, 30, 50.01, 'With 50.01 instead of 30.00, 100.01 would be paid of invoice 7: it must be from 0.00 to 100.00.'],
    [40, 100, 50, 'With 50.00 instead of 100.00, -10.00 would be paid of invoice 7: it must be from 0.00 to 100.00.'],
  ])('of %d paid, %d may not become %d', (paid, from, to, message) => {
    expect(change({ ...of(100), Paid: paid, BalanceDue: 100 - paid }, from, to)).toEqual({ kind: 'refused', message });
  });

  test('is one of its invoice by its amount, and by its date where the invoice is Paid since then', () => {
    const [before, dated] = [
      { Amount: 50, Date: MARCH },
      { Amount: 50, Date: APRIL },
    ];
    const paid = { ...of(50), Status: Paid, DatePaid: MARCH };
    expect([
      touchesInvoice(of(50), before, { ...before, Amount: 49 }),
      touchesInvoice(of(50), before, dated),
      touchesInvoice(paid, before, dated),
      touchesInvoice({ ...paid, DatePaid: APRIL }, before, dated),
      touchesInvoice(paid, before, before),
    ]).toEqual([true, false, true, false, false]);
  });
});

test('whatever is paid, refunded and changed: paid is the sum of the payments, between 0 and Total, and the status follows', () => {
  const money = fc.integer({ min: -5_000, max: 5_000 }).map((cents) => cents / 100);
  const act = fc.record({ place: fc.option(fc.nat(20), { nil: undefined }), amount: money });
  const total = fc.integer({ min: -8_000, max: 8_000 }).map((cents) => cents / 100);
  fc.assert(
    fc.property(total, fc.array(act, { maxLength: 40 }), (whole, acts) => {
      let invoice = of(whole);
      const payments: number[] = [];
      for (const { place, amount } of acts) {
        if (!amount) continue;
        const index = place === undefined || !payments.length ? payments.length : place % payments.length;
        const was = payments[index];
        const applied = applyPayment(invoice, was === undefined ? undefined : { Amount: was, Date: MARCH }, {
          Amount: amount,
          Date: MARCH,
        });
        const sum = add(...payments.filter((_, at) => at !== index), amount);
        const fits = sum >= Math.min(0, whole) && sum <= Math.max(0, whole);
        expect(applied.kind).toBe(fits ? 'applied' : 'refused');
        if (applied.kind === 'refused') continue;
        invoice = applied.invoice;
        payments[index] = amount;
        expect([invoice.Paid, invoice.BalanceDue]).toEqual([sum, subtract(whole, sum)]);
        expect([invoice.Status, invoice.DatePaid]).toEqual(sum === whole ? [Paid, MARCH] : [Open, null]);
      }
    }),
    { numRuns: 300 },
  );
});
