import { createHash } from 'node:crypto';
import type { CheckoutRecord } from '../../entities/payments.ts';
import type { CheckoutOrder } from '../../payments/provider.ts';
import { conflict } from '../../shared/failure.ts';
import { MINUTE, SECOND } from '../../shared/time/time.ts';
import { type CheckoutTarget, listCheckouts, writeCheckout } from '../../store/client-payments.ts';
import type { CheckoutContext } from './open-provider.ts';
import { settleCheckout } from './settle-checkout.ts';

/** A checkout is open for an hour or a little more: Stripe takes 30 minutes to 24 hours. */
const OPEN = 60 * MINUTE;
/** The minimum time left to pay for an open checkout to be reused. */
const ENOUGH = 10 * MINUTE;

/**
 * Sends a client to the provider's page: the address of a new checkout, or of the open one for the same amount, so that
 * two tabs pay once. Open checkouts for other amounts are ended. Writes at once. Throws conflict if a payment is under
 * way or was made meanwhile: the page then shows it.
 */
export async function startCheckout(
  order: Omit<CheckoutOrder, 'expiresAt'>,
  context: CheckoutContext,
): Promise<string> {
  const { store, opened, now } = context;
  const { organization, page, id } = order.purpose;
  const target: CheckoutTarget = { Page: page as CheckoutTarget['Page'], RecordId: id };
  const checkouts = await listCheckouts(store, target);
  const isPending = checkouts.some(({ State }) => State === 'processing');
  if (isPending && page === 'invoice') throw conflict('wrong_state', 'A payment is being processed.');
  const cents = order.price?.cents ?? 0;
  const open = checkouts.filter(({ State, ExpiresAt }) => State === 'open' && ExpiresAt > now.getTime() + MINUTE);
  const isSame = ({ Cents, Currency, ExpiresAt }: CheckoutRecord) =>
    Cents === cents && Currency === order.currency && ExpiresAt > now.getTime() + ENOUGH;
  const usable = open.find(isSame);
  if (usable) return usable.Url;
  await Promise.all(open.map((checkout) => endCheckout(checkout, context)));
  // Rounded to half hours, so that two tabs at once send the same order and the provider gives them the same checkout.
  const expiresAt = (Math.floor(now.getTime() / (30 * MINUTE)) * 30 * MINUTE + OPEN + 30 * MINUTE) / SECOND;
  const whole: CheckoutOrder = { ...order, expiresAt };
  const repeatKey = createHash('sha256')
    .update(JSON.stringify([whole, checkouts.length]))
    .digest('base64url');
  const { id: checkout, url } = await opened.provider.createCheckout(whole, repeatKey);
  await writeCheckout(store, {
    ...target,
    Checkout: checkout,
    OrganizationId: organization,
    Cents: cents,
    Currency: order.currency,
    Url: url,
    ExpiresAt: expiresAt * SECOND,
    State: 'open',
    Queue: 'checkouts',
    Created: now.getTime(),
  });
  return url;
}

/** Ends an open checkout. Throws conflict if it was paid meanwhile: that payment is then recorded. */
async function endCheckout(stored: CheckoutRecord, context: CheckoutContext): Promise<void> {
  try {
    await context.opened.provider.endCheckout(stored.Checkout);
  } catch {
    // A checkout that is over or paid cannot be ended.
  }
  const state = await settleCheckout(stored.Checkout, context, stored);
  if (state === 'done' || state === 'processing') throw conflict('wrong_state', 'A payment was made meanwhile.');
}
