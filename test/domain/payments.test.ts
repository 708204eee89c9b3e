import { type InvoiceRecord, InvoiceStatus, InvoiceType } from '../../lib/entities/invoices.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type PaymentInput,
  applyPayment,
  applyPaymentInput,
  blankPayment,
  inputErrors,
  invoiceErrors,
  isSamePayment,
  paymentToResource,
  selectPayments,
  touchesInvoice,
} from '../../lib/domain/payments.ts';
import { add, subtract } from '../../lib/shared/money.ts';
import { invoiceOver } from '../support/invoices.ts';

const ZONE = 'America/New_York';
const NOW = new Date('2026-03-09T15:04:05.678Z');
const invoice = invoiceOver(100, { Id: 7, ContactId: 3, Number: 'A-1' });
const blank = { ...blankPayment(invoice, NOW), Id: 9 };
const recorded = applyPaymentInput(
  blank,
  { Amount: 25.5, Reference: 'Visa 4242', TransactionId: 'ch_1', Method: 'Card', Date: '2026-03-01T10:00' },
  ZONE,
);

test('a payment takes invoice and contact from its invoice, and by default the current second as its date', () => {
  expect(paymentToResource({ ...blank, Amount: 5 })).toEqual({
    Id: 9,
    InvoiceId: 7,
    ContactId: 3,
    InvoiceNumber: 'A-1',
    Reference: '',
    TransactionId: '',
    Date: '2026-03-09T15:04:05Z',
    Amount: 5,
    Method: '',
    SplitOf: null,
  });
  expect(paymentToResource(recorded)).toMatchObject({
    Date: '2026-03-01T15:00:00Z',
    Amount: 25.5,
    Reference: 'Visa 4242',
    Method: 'Card',
  });
});

test.each<[PaymentInput, object]>([
  [
    { Reference: ' a ', Method: ' Cash\n' },
    { Reference: 'a', Method: 'Cash' },
  ],
  [
    { Reference: null, Method: '' },
    { Reference: '', Method: '' },
  ],
  [
    { Date: null, Amount: null, TransactionId: null },
    { Date: recorded.Date, Amount: 25.5, TransactionId: 'ch_1' },
  ],
  [{ Date: '3/1/2026' }, { Day: '2026-03-01', Date: Date.UTC(2026, 2, 1, 5) }],
  [{ Date: '2026-03-01T10:00:00.999Z' }, { Date: Date.UTC(2026, 2, 1, 10) }],
])('the input %j changes the fields it contains and no other', (input, expected) => {
  expect(applyPaymentInput(recorded, input, ZONE)).toEqual({ ...recorded, ...expected });
});

test('a response that is sent back changes nothing and causes no errors', () => {
  const again = applyPaymentInput(recorded, paymentToResource(recorded), ZONE);
  expect([again, isSamePayment(recorded, again)]).toEqual([recorded, true]);
  expect(invoiceErrors(paymentToResource(recorded), { ...invoice, Number: 'B-2', ContactId: 4 }, recorded)).toEqual([]);
});

describe('errors', () => {
  const fieldsOf = (errors: readonly { field: string }[]) => errors.map(({ field }) => field);

  test.each<[PaymentInput, string[]]>([
    [{ Amount: 0.01 }, []],
    [{ Amount: -1234.56 }, []],
    [{ Amount: 0 }, ['Amount']],
    [{ Amount: 0.001 }, ['Amount']],
    [{ Amount: 19.9999 }, ['Amount']],
    [{ Date: '2026-02-30' }, ['Date']],
    [{ Date: '2026-03-08T02:30' }, ['Date']],
    [{ Amount: 10_000_000_000 }, []],
    [{ Amount: 10_000_000_000.01 }, ['Amount']],
    [{ Amount: -1e15 }, ['Amount']],
    [{ Date: 'soon', Amount: 1.005 }, ['Amount', 'Date']],
  ])('of the input %j alone', (input, errors) => {
    expect(fieldsOf(inputErrors(input, ZONE))).toEqual(errors);
  });

  test.each<[PaymentInput, string[]]>([
    [{ InvoiceId: 7, InvoiceNumber: ' a-1 ', ContactId: 3 }, []],
    [{ InvoiceId: 0, InvoiceNumber: ' ', ContactId: 0, TransactionId: 'ch_1' }, []],
    [{ InvoiceId: 8 }, ['InvoiceId']],
    [{ InvoiceNumber: 'A-11' }, ['InvoiceNumber']],
    [{ ContactId: 4 }, ['ContactId']],
    [{ TransactionId: 'ch_2' }, ['TransactionId']],
    [
      { InvoiceId: 8, InvoiceNumber: 'B', ContactId: 4, TransactionId: 'x' },
      ['InvoiceId', 'InvoiceNumber', 'ContactId', 'TransactionId'],
    ],
  ])('of the input %j beside its invoice', (input, errors) => {
    expect(fieldsOf(invoiceErrors(input, invoice, recorded))).toEqual(errors);
    const fresh = errors.filter((field) => field !== 'TransactionId');
    expect(fieldsOf(invoiceErrors(input, invoice))).toEqual(fresh);
  });

  test('a payment without a TransactionId cannot get one later', () => {
    expect(fieldsOf(invoiceErrors({ TransactionId: 'new' }, invoice, { ...recorded, TransactionId: '' }))).toEqual([
      'TransactionId',
    ]);
  });
});

test('payments of an invoice are selected by every criterion, in the order of date and id', () => {
  const payment = (Id: number, Date: number, Created: number, OrganizationId = 1, ContactId = 3) => ({
    ...recorded,
    Id,
    Date,
    Created,
    OrganizationId,
    ContactId,
  });
  const all = [payment(1, 50, 1), payment(2, 40, 2), payment(3, 40, 3), payment(4, 60, 4, 2), payment(5, 45, 5, 1, 8)];
  const ids = (criteria: object) =>
    selectPayments(all, { organization: null, date: {}, created: {}, zone: 'UTC', ...criteria }).map(({ Id }) => Id);
  expect([
    ids({}),
    ids({ organization: 1 }),
    ids({ contact: 8 }),
    ids({ date: { from: 45, through: 50 } }),
    ids({ created: { through: 2 } }),
    ids({ date: { from: 45 }, created: { from: 5 } }),
  ]).toEqual([[2, 3, 5, 1, 4], [2, 3, 5, 1], [5], [5, 1], [2, 1], [5]]);
});

const { Unapproved, Open, Paid, Voided } = InvoiceStatus;
const MARCH = Date.UTC(2026, 2, 9);
const APRIL = Date.UTC(2026, 3, 9);

const openInvoice = (total: number, input: Partial<InvoiceRecord> = {}): InvoiceRecord =>
  invoiceOver(total, { Id: 7, ...input });
const credit = (total: number) => openInvoice(total, { InvoiceType: InvoiceType.Credit });
/** An invoice that was voided with this amount paid. */
const voided = (invoice: InvoiceRecord, Paid: number): InvoiceRecord => ({
  ...invoice,
  Status: Voided,
  Paid,
  BalanceDue: 0,
});

/**
 * [Paid, BalanceDue, Status, DatePaid] of the invoice after payments of these amounts in March; or the reason of a
 * refusal.
 */
function after(invoice: InvoiceRecord, ...amounts: number[]) {
  let current = invoice;
  for (const Amount of amounts) {
    const applied = applyPayment(current, undefined, { Amount, Date: MARCH });
    if (applied.kind === 'refused') return applied.message;
    current = applied.invoice;
  }
  return [current.Paid, current.BalanceDue, current.Status, current.DatePaid];
}

const asCredit = (rest: string): string =>
  ` Record the other ${rest} as credit of the contact: a payment with ContactId 1 and InvoiceId 0.`;

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
    expect(after(openInvoice(total), ...amounts)).toEqual(expected);
  });

  test.each<[InvoiceRecord, number[], string]>([
    [openInvoice(107.2), [107.21], `Invoice 7 has 107.20 due; a payment of 107.21 exceeds that.${asCredit('0.01')}`],
    [openInvoice(107.2), [100, 7.21], `Invoice 7 has 7.20 due; a payment of 7.21 exceeds that.${asCredit('0.01')}`],
    [openInvoice(107.2), [107.2, 0.01], `Invoice 7 has 0.00 due; a payment of 0.01 exceeds that.${asCredit('0.01')}`],
    [openInvoice(0), [5], `Invoice 7 has 0.00 due; a payment of 5.00 exceeds that.${asCredit('5.00')}`],
    [openInvoice(107.2), [-0.01], 'Invoice 7 has 0.00 paid; a refund of 0.01 exceeds that.'],
    [openInvoice(107.2), [50, -50.01], 'Invoice 7 has 50.00 paid; a refund of 50.01 exceeds that.'],
    [credit(-50), [-50.01], 'Invoice 7 is a credit with 50.00 left to refund; a refund of 50.01 exceeds that.'],
    [credit(-50), [-20, -30.01], 'Invoice 7 is a credit with 30.00 left to refund; a refund of 30.01 exceeds that.'],
    [credit(-50), [10], 'Invoice 7 is a credit with 0.00 refunded; a payment of 10.00 exceeds that.'],
    [credit(-50), [-20, 20.01], 'Invoice 7 is a credit with 20.00 refunded; a payment of 20.01 exceeds that.'],
    [openInvoice(50, { Status: Voided }), [10], 'Invoice 7 is Voided; it takes no payment.'],
    [openInvoice(50, { Status: Voided }), [-10], 'Invoice 7 has 0.00 paid; a refund of 10.00 exceeds that.'],
    [voided(openInvoice(50), 30), [-20, -10.01], 'Invoice 7 has 10.00 paid; a refund of 10.01 exceeds that.'],
    [voided(openInvoice(50), 30), [-20, 5], 'Invoice 7 is Voided; it takes no payment.'],
    [voided(credit(-50), -30), [-5], 'Invoice 7 is Voided; it takes no refund.'],
    [voided(credit(-50), -30), [30.01], 'Invoice 7 is a credit with 30.00 refunded; a payment of 30.01 exceeds that.'],
    [
      openInvoice(50, { Status: Unapproved }),
      [10],
      'Invoice 7 is Unapproved. Open it with invoice/import before you record payments.',
    ],
  ])('is refused with both amounts if it does not fit: %#', (invoice, amounts, message) => {
    expect(after(invoice, ...amounts)).toBe(message);
  });

  test('that is a refund settles a credit, and a later payment opens it again', () => {
    expect(after(credit(-50), -20)).toEqual([-20, -30, Open, null]);
    expect(after(credit(-50), -20, -30)).toEqual([-50, 0, Paid, MARCH]);
    expect(after(credit(-50), -50, 10)).toEqual([-40, -10, Open, null]);
  });

  test('of a Voided invoice is refunded, and the invoice stays Voided with nothing due', () => {
    expect(after(voided(openInvoice(50), 30), -20)).toEqual([10, 0, Voided, null]);
    expect(after(voided(openInvoice(50), 30), -20, -10)).toEqual([0, 0, Voided, null]);
    expect(after(voided(credit(-50), -30), 30)).toEqual([0, 0, Voided, null]);
    const { kind } = applyPayment(
      voided(openInvoice(50), 30),
      { Amount: 30, Date: MARCH },
      { Amount: 20, Date: MARCH },
    );
    expect(kind).toBe('refused');
  });

  test('that settles it sets DatePaid, whatever the dates of earlier payments', () => {
    const half = { ...openInvoice(100), Paid: 50, BalanceDue: 50 };
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
    expect(change({ ...openInvoice(100), Paid: paid, BalanceDue: 100 - paid }, from, to)).toMatchObject({
      kind: 'applied',
      invoice: expected,
    });
  });

  test.each<[number, number, number, string]>([
    [
      80,
      30,
      50.01,
      'Changing 30.00 to 50.01 would make 100.01 the amount paid of invoice 7; it must be from 0.00 to 100.00.',
    ],
    [
      40,
      100,
      50,
      'Changing 100.00 to 50.00 would make -10.00 the amount paid of invoice 7; it must be from 0.00 to 100.00.',
    ],
  ])('of %d paid, %d may not become %d', (paid, from, to, message) => {
    expect(change({ ...openInvoice(100), Paid: paid, BalanceDue: 100 - paid }, from, to)).toEqual({
      kind: 'refused',
      code: 'overpayment',
      message,
    });
  });

  test('changes its invoice by its amount, and by its date if the invoice is Paid since that date', () => {
    const [before, redated] = [
      { Amount: 50, Date: MARCH },
      { Amount: 50, Date: APRIL },
    ];
    const paid = { ...openInvoice(50), Status: Paid, DatePaid: MARCH };
    expect([
      touchesInvoice(openInvoice(50), before, { ...before, Amount: 49 }),
      touchesInvoice(openInvoice(50), before, redated),
      touchesInvoice(paid, before, redated),
      touchesInvoice({ ...paid, DatePaid: APRIL }, before, redated),
      touchesInvoice(paid, before, before),
    ]).toEqual([true, false, true, false, false]);
  });
});

test('Paid is the sum of all payments, between 0 and Total, and the status follows, whatever is paid, refunded and changed', () => {
  const money = fc.integer({ min: -5_000, max: 5_000 }).map((cents) => cents / 100);
  const action = fc.record({ place: fc.option(fc.nat(20), { nil: undefined }), amount: money });
  const total = fc.integer({ min: -8_000, max: 8_000 }).map((cents) => cents / 100);
  fc.assert(
    fc.property(total, fc.array(action, { maxLength: 40 }), (whole, actions) => {
      let invoice = openInvoice(whole);
      const payments: number[] = [];
      for (const { place, amount } of actions) {
        if (!amount) continue;
        const index = place === undefined || !payments.length ? payments.length : place % payments.length;
        const previous = payments[index];
        const applied = applyPayment(invoice, previous === undefined ? undefined : { Amount: previous, Date: MARCH }, {
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
