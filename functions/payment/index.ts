import { group } from '../../lib/api/group.ts';
import { importPayment } from './import.ts';
import { query } from './query.ts';

export const payment = group('payment', 'Payments and refunds of invoices.', { import: importPayment, query });
export const { handler } = payment;
