import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import { cardPage } from '../../lib/pages/card.ts';
import type { Notice } from '../../lib/pages/frame.ts';
import { checkoutOrigin } from '../../lib/payments/stripe.ts';
import { readPaymentKey } from '../../lib/secrets/held-secret.ts';
import { type LoadedCardPage, loadCardPage, removeCard } from '../../lib/workflows/pages/card.ts';
import { openProviderOf } from '../../lib/workflows/payments/open-provider.ts';
import { RETURN, returnFromCheckout, sendToCheckout } from './checkout.ts';
import { type FormCall, type Page, type PageCall, doneBefore, htmlAnswer, seeOther } from './page.ts';

async function show(call: PageCall, notice?: Notice): Promise<PageAnswer | undefined> {
  const loaded = await loadCardPage(call.context);
  if (!loaded) return undefined;
  return { ...htmlAnswer(cardPage(call.frame(loaded), loaded.view, notice)), formOrigins: [checkoutOrigin()] };
}

const removedNotice = (call: PageCall): Notice | undefined =>
  doneBefore(call) === 'removed' ? { kind: 'good', title: call.frame().wording.text('cardRemoved') } : undefined;

/** Removes the card at the provider first, then here: while the provider does not answer, it stays. */
async function remove(call: FormCall, loaded: LoadedCardPage): Promise<PageAnswer | undefined> {
  const { organization, customer } = loaded;
  const failed = () => show(call, { kind: 'bad', title: call.frame().wording.text('tryAgain') });
  try {
    const opened = customer ? await openProviderOf(call.context.store, organization, readPaymentKey) : undefined;
    await opened?.provider.removeCards(customer);
  } catch (error) {
    const answer = await failed();
    return answer && { ...answer, status: 502, error };
  }
  const failure = await call.commit(() => removeCard(call.context));
  return failure ? failed() : seeOther(call, 'removed');
}

/** The page on which a client saves a card for later payments. */
export const card: Page = {
  async show(call) {
    if (call.file === undefined) return show(call, removedNotice(call));
    return call.file === RETURN ? returnFromCheckout(call) : undefined;
  },

  async send(call) {
    const loaded = await loadCardPage(call.context);
    if (loaded && call.action === 'remove-card') return remove(call, loaded);
    if (!loaded || call.action !== 'save-card') return undefined;
    return sendToCheckout(call, loaded, (notice) => show(call, notice));
  },
};
