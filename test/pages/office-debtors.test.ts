import { expect, test } from 'vitest';
import { Invoice } from '../../lib/entities/invoices.ts';
import { toDebtors } from '../../lib/pages/office/money-page.ts';
import { emptyOf } from '../../lib/resources/fields.ts';
import { DAY } from '../../lib/shared/time/time.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');

const owed = (ContactId: number, days: number, BalanceDue: number): Invoice => ({
  ...emptyOf(Invoice),
  ContactId,
  Date: new Date(NOW - days * DAY).toISOString(),
  BalanceDue,
});

test.each([
  [0, [10, 0, 0, 0]],
  [30, [10, 0, 0, 0]],
  [31, [0, 10, 0, 0]],
  [60, [0, 10, 0, 0]],
  [61, [0, 0, 10, 0]],
  [90, [0, 0, 10, 0]],
  [91, [0, 0, 0, 10]],
])('what is owed for %i days is in its bracket', (days, byAge) => {
  expect(toDebtors([owed(1, days, 10)], NOW)).toMatchObject([{ contactId: 1, byAge, total: 10 }]);
});

test('debtors have the sum of their invoices to the cent, and those who owe most come first', () => {
  const invoices = [owed(1, 5, 0.1), owed(2, 40, 7.5), owed(1, 6, 0.2), owed(3, 10, 0)];
  expect(toDebtors(invoices, NOW)).toMatchObject([
    { contactId: 2, total: 7.5 },
    { contactId: 1, total: 0.3, byAge: [0.3, 0, 0, 0] },
  ]);
});
