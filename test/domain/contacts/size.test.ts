import { expect, test } from 'vitest';
import { contactSizeErrors } from '../../../lib/domain/contacts/record.ts';
import { someContact } from '../../support/contacts.ts';

test('contacts too large for an item or a transaction are invalid before they are stored', () => {
  const large = (bytes: number) => someContact(1, { CustomFields: [{ Id: 1, Value: 'x'.repeat(bytes) }] });
  const noted = (bytes: number) => someContact(1, { Notes: [{ Id: 1, Title: '', Body: '€'.repeat(bytes / 3) }] });
  expect(contactSizeErrors([large(190_000), noted(2_500_000)])).toEqual([]);
  expect(contactSizeErrors([large(100), large(201_000)])).toMatchObject([{ index: 1, field: 'CustomFields' }]);
  expect(contactSizeErrors([noted(1_500_000), noted(1_600_000), noted(3_000)])).toMatchObject([
    { index: 1, field: 'Notes' },
  ]);
});

test('open documents do not prevent a change of their contact', () => {
  const open = { Date: '2026-03-09', Service: 'x'.repeat(80) };
  const OpenInvoices = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [String(index), open]));
  expect(contactSizeErrors([someContact(1, { OpenInvoices })])).toEqual([]);
});
