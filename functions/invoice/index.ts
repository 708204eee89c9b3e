import { group } from '../../lib/api/group.ts';
import { get } from './get.ts';
import { importInvoice } from './import.ts';
import { query } from './query.ts';

export const invoice = group('invoice', 'Invoices, deposits and credits.', { import: importInvoice, get, query });
export const { handler } = invoice;
