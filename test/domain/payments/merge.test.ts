import { describe, expect, test } from 'vitest';
import {
  type PaymentInput,
  blankPayment,
  inputErrors,
  invoiceErrors,
  isSamePayment,
  applyPaymentInput,
  paymentToResource,
  selectPayments,
} from '../../../lib/domain/payments.ts';
import { invoiceOver } from '../../support/invoices.ts';

const ZONE = 'America/New_York';
const NOW = new Date('2026-03-09T15:04:05.678Z');
const invoice = invoiceOver(100, { Id: 7, ContactId: 3, Number: 'A-1' });
const blank = { ...blankPayment(invoice, NOW), Id: 9 };
const kept = applyPaymentInput(
  blank,
  { Amount: 25.5, Reference: 'Visa 4242', TransactionId: 'ch_1', Method: 'Card', Date: '2026-03-01T10:00' },
  ZONE,
);

test('a payment is of its invoice and dated to the second when it was made, unless said otherwise', () => {
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
  });
  expect(paymentToResource(kept)).toMatchObject({
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
    { Date: kept.Date, Amount: 25.5, TransactionId: 'ch_1' },
  ],
  [{ Date: '3/1/2026' }, { Date: Date.UTC(2026, 2, 1, 5) }],
  [{ Date: '2026-03-01T10:00:00.999Z' }, { Date: Date.UTC(2026, 2, 1, 10) }],
])('laid over a payment, %j changes what it says and nothing else', (input, expected) => {
  expect(applyPaymentInput(kept, input, ZONE)).toEqual({ ...kept, ...expected });
});

test('what was answered and is sent back changes nothing and contradicts nothing', () => {
  const again = applyPaymentInput(kept, paymentToResource(kept), ZONE);
  expect([again, isSamePayment(kept, again)]).toEqual([kept, true]);
  expect(invoiceErrors(paymentToResource(kept), { ...invoice, Number: 'B-2', ContactId: 4 }, kept)).toEqual([]);
});

describe('at fault', () => {
  const fieldsOf = (errors: readonly { field: string }[]) => errors.map(({ field }) => field);

  test.each<[PaymentInput, string[]]>([
    [{ Amount: 0.01 }, []],
    [{ Amount: -1234.56 }, []],
    [{ Amount: 0 }, ['Amount']],
    [{ Amount: 0.001 }, ['Amount']],
    [{ Amount: 19.9999 }, ['Amount']],
    [{ Date: '2026-02-30' }, ['Date']],
    [{ Date: '2026-03-08T02:30' }, ['Date']],
    [{ Date: 'soon', Amount: 1.005 }, ['Amount', 'Date']],
  ])('by itself: %j', (input, errors) => {
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
  ])('beside the invoice: %j', (input, errors) => {
    expect(fieldsOf(invoiceErrors(input, invoice, kept))).toEqual(errors);
    const fresh = errors.filter((field) => field !== 'TransactionId');
    expect(fieldsOf(invoiceErrors(input, invoice))).toEqual(fresh);
  });

  test('a payment without TransactionId does not get one later', () => {
    expect(fieldsOf(invoiceErrors({ TransactionId: 'new' }, invoice, { ...kept, TransactionId: '' }))).toEqual([
      'TransactionId',
    ]);
  });
});

test('payments of an invoice are chosen by every criterion, in the order of date and id', () => {
  const made = (Id: number, Date: number, Created: number, OrganizationId = 1, ContactId = 3) => ({
    ...kept,
    Id,
    Date,
    Created,
    OrganizationId,
    ContactId,
  });
  const all = [made(1, 50, 1), made(2, 40, 2), made(3, 40, 3), made(4, 60, 4, 2), made(5, 45, 5, 1, 8)];
  const ids = (criteria: object) =>
    selectPayments(all, { organization: null, date: {}, created: {}, ...criteria }).map(({ Id }) => Id);
  expect([
    ids({}),
    ids({ organization: 1 }),
    ids({ contact: 8 }),
    ids({ date: { from: 45, through: 50 } }),
    ids({ created: { through: 2 } }),
    ids({ date: { from: 45 }, created: { from: 5 } }),
  ]).toEqual([[2, 3, 5, 1, 4], [2, 3, 5, 1], [5], [5, 1], [2, 1], [5]]);
});
