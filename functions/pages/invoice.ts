import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import { paidDeadPage } from '../../lib/pages/frame.ts';
import { invoicePage } from '../../lib/pages/invoice.ts';
import { checkoutOrigin } from '../../lib/payments/stripe.ts';
import { cents } from '../../lib/shared/money.ts';
import { type LoadedInvoicePage, loadInvoicePage } from '../../lib/workflows/pages/invoice.ts';
import { isPaidByClient } from '../../lib/workflows/pages/payment-state.ts';
import { logoPicture } from './assets.ts';
import { RETURN, returnFromCheckout, sendToCheckout } from './checkout.ts';
import { type FormCall, type Page, type PageCall, htmlAnswer, seeOther } from './page.ts';
import { pdfAnswer } from './pdf.ts';
import { refuseDigits } from './phone-check.ts';

function answer(
  call: PageCall,
  loaded: LoadedInvoicePage,
  { status = 200, ...shown }: { status?: number } & Parameters<typeof invoicePage>[2] = {},
): PageAnswer {
  const page = htmlAnswer(invoicePage(call.frame(loaded), loaded.view, shown), status);
  return loaded.view.canPay ? { ...page, formOrigins: [checkoutOrigin()] } : page;
}

/** Starts the payment of the balance in the record. */
async function pay(call: FormCall, loaded: LoadedInvoicePage): Promise<PageAnswer | undefined> {
  const { invoice, company, canPay } = loaded.view;
  if (!canPay) return seeOther(call, '');
  const { wording } = call.frame(loaded);
  const refused = await refuseDigits(call, wording, loaded);
  if (refused) {
    const { status, headers = {}, notice, errors } = refused;
    return { ...answer(call, loaded, { status, notice, phoneError: errors.phone }), headers };
  }
  const title = `${wording.text('invoiceNumber', { number: invoice.Number })}, ${company.name}`;
  const price = { cents: cents(invoice.BalanceDue), title: title.slice(0, 250) };
  return sendToCheckout(call, { ...loaded, price, customer: '' }, (notice) =>
    Promise.resolve(answer(call, loaded, { notice })),
  );
}

/** The page of an invoice, its PDF, and its payment. */
export const invoice: Page = {
  async show(call) {
    if (call.file === RETURN) return returnFromCheckout(call);
    const loaded = await loadInvoicePage(call.context);
    if (!loaded) return (await isPaidByClient(call.context)) ? htmlAnswer(paidDeadPage(call.frame())) : undefined;
    if (call.file === undefined) return answer(call, loaded);
    if (call.file !== 'pdf') return undefined;
    return pdfAnswer(call, loaded, async () => {
      const { invoicePdf } = await import('../../lib/pages/pdf/invoice.ts');
      const logo = await logoPicture(call.context.store, loaded.company);
      return invoicePdf(call.frame(loaded).wording, loaded.view, logo);
    });
  },

  async send(call) {
    const loaded = await loadInvoicePage(call.context);
    return loaded && call.action === 'pay' ? pay(call, loaded) : undefined;
  },
};
