import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import { currencyOf } from '../../lib/shared/currency.ts';
import { Failure } from '../../lib/shared/failure.ts';
import type { Notice } from '../../lib/pages/frame.ts';
import type { CheckoutOrder } from '../../lib/payments/provider.ts';
import { type CheckoutTarget, checkoutKey, findCheckout, writeCheckoutState } from '../../lib/store/client-payments.ts';
import { openProviderOf } from '../../lib/workflows/payments/open-provider.ts';
import { settleCheckout } from '../../lib/workflows/payments/settle-checkout.ts';
import { startCheckout } from '../../lib/workflows/payments/start-checkout.ts';
import { readPaymentKey } from '../../lib/secrets/held-secret.ts';
import { type FormCall, type PageCall, seeOther } from './page.ts';

/** The path to which the provider returns a client: `/c/{page}/{handle}/return?…&checkout={id}`. */
export const RETURN = 'return';

/** What the client pays on a page, or whose card is saved. */
export interface CheckoutRequest extends Pick<CheckoutOrder, 'price'> {
  readonly organization: number;
  readonly country: string;
  readonly email: string;
  readonly customer: string;
}

const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 200;

/**
 * Sends a client to the provider's page. If a payment has been made in the meantime, returns to our page, which shows
 * it. If the provider fails or is no longer connected, `show` answers with a notice.
 */
export async function sendToCheckout(
  call: FormCall,
  { organization, country, price, email, customer }: CheckoutRequest,
  show: (notice: Notice) => Promise<PageAnswer | undefined>,
): Promise<PageAnswer | undefined> {
  const { store, target, now } = call.context;
  const { path, wording } = call.frame();
  const { account, page, id } = target;
  const failed = (): Promise<PageAnswer | undefined> =>
    show({ kind: 'bad', title: wording.text('paymentFailed'), text: wording.text('paymentFailedText') });
  const opened = await openProviderOf(store, organization, readPaymentKey);
  if (!opened) return failed();
  const address = `${process.env['BASE_URL'] ?? ''}${path}`;
  const order: Omit<CheckoutOrder, 'expiresAt'> = {
    purpose: { account, organization, page, id },
    ...(price ? { price } : {}),
    currency: currencyOf(country),
    returnTo: `${address}/${RETURN}?lang=${wording.language}&checkout=`,
    cancelTo: `${address}?lang=${wording.language}`,
    language: wording.language,
    email: looksLikeEmail(email) ? email : '',
    customer,
  };
  try {
    const url = await startCheckout(order, { store, opened, now });
    return { status: 303, body: '', headers: { Location: url } };
  } catch (error) {
    if (error instanceof Failure && error.status === 409) return seeOther(call, '');
    const answer = await failed();
    return answer && { ...answer, status: 502, error };
  }
}

/**
 * Handles a client's return: records the provider's state, which may be known here before its webhook, and shows the
 * page. While the provider does not answer, the payment counts as being processed; the worker asks again.
 */
export async function returnFromCheckout(call: PageCall): Promise<PageAnswer> {
  const { store, target, now } = call.context;
  const id = call.event.queryStringParameters?.['checkout'] ?? '';
  const page: CheckoutTarget = { Page: target.page as CheckoutTarget['Page'], RecordId: target.id };
  const key = checkoutKey(store, page, /^\w{1,200}$/.test(id) ? id : 'none');
  const checkout = await findCheckout(store, key);
  if (!checkout) return seeOther(call, '');
  try {
    const opened = await openProviderOf(store, checkout.OrganizationId, readPaymentKey);
    if (opened) await settleCheckout(id, { store, opened, now });
    return seeOther(call, '');
  } catch (error) {
    if (checkout.State === 'open') await writeCheckoutState(store, key, 'open', 'processing');
    return { ...seeOther(call, ''), error };
  }
}
