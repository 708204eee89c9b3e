import { describe, expect, test } from 'vitest';
import { dueDate, dueDays, isOverdue } from '../../../lib/domain/invoices/due-date.ts';
import { invoiceOver } from '../../support/invoices.ts';

describe('the days that Terms name', () => {
  test.each([
    ['Net 30', 30],
    ['net 15 days', 15],
    ['NET15', 15],
    ['Net-7', 7],
    ['30 days', 30],
    ['30 days net', 30],
    ['14 days from the date of invoice.', 14],
    ['Due on receipt', 0],
    ['Payment is due upon receipt. A fee of 5 % after 30 days.', 0],
    ['On receipt', 0],
    ['2/10 net 30', 30],
    ['2% 10, net 45', 45],
    ['Due in 10 days', 10],
    ['Please pay within 21 days.', 21],
    ['Payment due within 20 days of receipt', 20],
    ['Work is guaranteed for 90 days.\nTerms: Net 30.', 30],
  ])('%s: %i', (terms, days) => {
    expect(dueDays(terms)).toBe(days);
  });

  test.each([
    '',
    'Thank you!',
    'Work is guaranteed for 90 days.',
    'Pay by check. Our guarantee is good for 90 days.',
    'Net 30 EOM',
    'Net 1,500.00 plus tax',
    'Net 5% of the total',
    'Due at the end of the month',
    'Cabinet 12',
  ])('%s: none', (terms) => {
    expect(dueDays(terms)).toBeUndefined();
  });
});

/** 11 PM on June 3 in New York. */
const EVENING = Date.UTC(2026, 5, 4, 3);
const invoice = invoiceOver(100, { Id: 1, Date: EVENING, Terms: 'Net 15' });

test('an invoice is due so many days after its date in the zone of the organization', () => {
  expect(dueDate(invoice)).toBe('2026-06-18');
  expect(dueDate({ ...invoice, Day: '2026-06-01' })).toBe('2026-06-16');
  expect(dueDate({ ...invoice, Terms: 'Due on receipt' })).toBe('2026-06-03');
  expect(dueDate({ ...invoice, Terms: 'Thank you!' })).toBeNull();
});

test('an invoice is overdue from the day after it was due in its zone, while something is to be paid', () => {
  const night = Date.UTC(2026, 5, 19, 4);
  expect([isOverdue(invoice, night - 1), isOverdue(invoice, night)]).toEqual([false, true]);
  expect(isOverdue({ ...invoice, BalanceDue: 0 }, night)).toBe(false);
  expect(isOverdue({ ...invoice, Terms: '' }, night)).toBe(false);
});
