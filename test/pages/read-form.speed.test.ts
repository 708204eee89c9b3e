import { expect, test } from 'vitest';
import { readForm } from '../../lib/api/http/read-form.ts';
import { invoicePage } from '../../lib/pages/invoice.ts';
import { costOf } from '../support/cpu.ts';
import { frame, invoiceViewOf } from '../support/page-views.ts';

test.each([
  ['of very many fields', 'a&'.repeat(256 * 1024)],
  ['of very many encoded characters', `a=${'%41'.repeat(170_000)}`],
  ['with a large signature', `drawing=${'x'.repeat(500_000)}`],
])('a form %s costs less than thirty plain pages', async (_, body) => {
  const plain = await costOf(() => invoicePage(frame, invoiceViewOf('Work')));
  const attempt = () => {
    try {
      readForm({ body, headers: {}, isBase64Encoded: false });
    } catch {
      // Refused.
    }
  };
  expect(await costOf(attempt)).toBeLessThan(30 * plain);
});
