import { invoicePage } from '../../lib/pages/invoice.ts';
import { loadInvoicePage } from '../../lib/workflows/pages/invoice.ts';
import { type Page, htmlAnswer, pdfAnswer } from './page.ts';

/** The page of an invoice, and its PDF. */
export const invoice: Page = {
  async show(call) {
    const loaded = await loadInvoicePage(call.context);
    if (!loaded) return undefined;
    const frame = call.frame(loaded);
    if (call.file === undefined) return htmlAnswer(invoicePage(frame, loaded.view));
    if (call.file !== 'pdf') return undefined;
    const { invoicePdf } = await import('../../lib/pages/pdf/invoice.ts');
    return pdfAnswer(await invoicePdf(frame.wording, loaded.view));
  },

  send: () => Promise.resolve(undefined),
};
