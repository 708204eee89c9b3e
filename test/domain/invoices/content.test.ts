import { expect, test } from 'vitest';
import { contentAsRead, invoiceContent } from '../../../lib/domain/invoices/content.ts';
import type { InvoiceInput } from '../../../lib/domain/invoices/record.ts';

test('equal content is equal text, whatever the order of fields, and null equals absent', () => {
  const one: InvoiceInput = { ContactId: 1, Number: 'A', Lines: [{ Rate: 1, Qty: 2 }] };
  const other: InvoiceInput = {
    Terms: null,
    Lines: [{ Qty: 2, Rate: 1, PartId: undefined }],
    Number: 'A',
    ContactId: 1,
  };
  expect(invoiceContent(other)).toBe(invoiceContent(one));
  expect(invoiceContent({ ...one, Lines: [{ Rate: 1, Qty: 3 }] })).not.toBe(invoiceContent(one));
});

const ZONE = 'America/New_York';
const contentOf = (input: InvoiceInput) => invoiceContent(contentAsRead({ ContactId: 1, Number: 'A', ...input }, ZONE));

test.each<[InvoiceInput, InvoiceInput]>([
  [{ Date: '2022-05-01' }, { Date: ' 5/1/2022' }],
  [{ Date: '2022-05-01' }, { Date: '2022-5-1 0:00' }],
  [{ Date: '2022-05-01T09:05' }, { Date: '5/1/2022 9:05:00 AM' }],
  [{ Date: '2022-05-01T09:05:00-04:00' }, { Date: '2022-05-01T13:05:00.000Z' }],
  [{ Number: ' A ' }, { Id: 0, DatePaid: '2022-05-02', BalanceDue: 3, ClientPayUrl: 'https://example.com/c/1' }],
  [{ Lines: [{ Id: 0, Rate: 1 }] }, { Lines: [{ Rate: 1.0 }] }],
])('%j is read as %j', (one, other) => {
  expect(contentOf(one)).toBe(contentOf(other));
});

test.each<[InvoiceInput, InvoiceInput]>([
  [{ Date: '2022-05-01' }, { Date: '2022-05-02' }],
  [{ Date: '2022-05-01T09:05' }, { Date: '2022-05-01T09:05Z' }],
  [{ Date: '2022-05-01' }, {}],
  [{ Lines: [{ Rate: 1 }] }, { Lines: [{ Rate: 2 }] }],
])('%j is other content than %j', (one, other) => {
  expect(contentOf(one)).not.toBe(contentOf(other));
});
