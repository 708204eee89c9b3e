import { expect, test } from 'vitest';
import { blankLine } from '../../lib/domain/invoices/record.ts';
import { wordingOf } from '../../lib/pages/language.ts';
import { invoicePdf } from '../../lib/pages/pdf/invoice.ts';
import { costOf } from '../support/cpu.ts';
import { invoiceViewOf } from '../support/page-views.ts';

/** The cost of the PDF of an invoice of 280 KB, which is about the largest. */
function costOfPdf(Description: string): Promise<number> {
  const view = invoiceViewOf('Work');
  const Lines = Array.from({ length: 28 }, (_, index) => blankLine({ Id: index + 1, Description, Rate: 50, Qty: 2 }));
  return costOf(() => invoicePdf(wordingOf('en', 'US'), { ...view, invoice: { ...view.invoice, Lines } }), 2);
}

/** Words of three to nine letters, none of which comes twice. */
const varied = Array.from({ length: 1_400 }, (_, index) => (index * 7_919 + 10 ** (index % 7)).toString(36)).join(' ');

test.each([
  ['words that differ', varied.repeat(2).slice(0, 9_900)],
  ['one word', 'x'.repeat(9_900)],
  ['words of 1,000 letters', `${'x'.repeat(999)} `.repeat(10)],
  ['nothing but line breaks', 'x\n\n\n'.repeat(20) + '\n'.repeat(9_800)],
])('a PDF whose lines are %s costs at most three times as much as one of as many letters in words', async (_, text) => {
  const plain = await costOfPdf('flowers and trees '.repeat(550));
  expect(await costOfPdf(text)).toBeLessThan(3 * plain);
});
