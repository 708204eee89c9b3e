import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import { cardPage } from '../../lib/pages/card.ts';
import type { Notice } from '../../lib/pages/frame.ts';
import { checkoutOrigin } from '../../lib/payments/stripe.ts';
import { loadCardPage } from '../../lib/workflows/pages/card.ts';
import { RETURN, returnFromCheckout, sendToCheckout } from './checkout.ts';
import { type Page, type PageCall, htmlAnswer } from './page.ts';

async function show(call: PageCall, notice?: Notice): Promise<PageAnswer | undefined> {
  const loaded = await loadCardPage(call.context);
  if (!loaded) return undefined;
  return { ...htmlAnswer(cardPage(call.frame(loaded), loaded.view, notice)), formOrigins: [checkoutOrigin()] };
}

/** The page on which a client saves a card for later payments. */
export const card: Page = {
  async show(call) {
    if (call.file === undefined) return show(call);
    return call.file === RETURN ? returnFromCheckout(call) : undefined;
  },

  async send(call) {
    const loaded = await loadCardPage(call.context);
    if (!loaded || call.action !== 'save-card') return undefined;
    return sendToCheckout(call, loaded, (notice) => show(call, notice));
  },
};
