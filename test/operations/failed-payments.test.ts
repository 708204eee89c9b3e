import type { Contact } from '../../lib/entities/contacts.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import type { ContactMessage } from '../../lib/entities/messages.ts';
import type { CheckoutRecord } from '../../lib/entities/payments.ts';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { blankMessageSettings } from '../../lib/domain/messages/apply-settings.ts';
import { readPaymentKey } from '../../lib/secrets/held-secret.ts';
import { MINUTE, SECOND } from '../../lib/shared/time/time.ts';
import { checkoutKey, findCheckout } from '../../lib/store/client-payments.ts';
import { messageSettingsChange } from '../../lib/store/message-settings.ts';
import { accountStore } from '../../lib/store/store.ts';
import { checkCheckouts } from '../../lib/workflows/payments/check-checkouts.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { type TestStripe, checkoutId, connectStripe } from '../support/payments.ts';
import { type TestAccount, testAccount, testTable } from '../support/stack/stack.ts';

/** A client whose card or bank refuses the payment of an invoice, from the page to the message. */

let account: TestAccount;
let stripe: TestStripe;
let contact: number;

const setDelay = (DelaySeconds: number): Promise<void> =>
  testTable().commit([
    messageSettingsChange(
      { account: account.accountId },
      { ...blankMessageSettings(0), On: true, Since: Date.now(), DelaySeconds },
    ),
  ]);

beforeAll(async () => {
  account = await testAccount();
  stripe = await connectStripe(account);
  await setDelay(1);
  const { body } = await account.call('contacts/addupdate', { Name: 'Ana', Email: 'ana@example.com' });
  contact = (body['Matches'] as Contact[])[0]?.Id ?? 0;
});

/** An invoice of 100.00 whose client is on the page of the provider. */
async function startPaying() {
  const { body } = await account.call('invoice/import', {
    Invoice: { ContactId: contact, Lines: [{ Description: 'Work', Rate: 100, Qty: 1 }] },
  });
  const { Id, ClientPayUrl } = body['Invoice'] as Invoice;
  const answer = await sendForm(ClientPayUrl, await openPage(ClientPayUrl), 'pay', {});
  const url = answer.headers.get('location') ?? '';
  const key = checkoutKey({ account: account.accountId }, { Page: 'invoice', RecordId: Id ?? 0 }, checkoutId(url));
  const intent = async () =>
    (await stripe.client.checkout.sessions.retrieve(checkoutId(url), { expand: ['payment_intent'] }))
      .payment_intent as { id: string; latest_charge: { id: string } };
  return {
    url,
    intent,
    /** The webhook of an attempt that failed. */
    report: async () => (await stripe.notify('payment_intent.payment_failed', await intent())).status,
    stored: async () => (await findCheckout(accountStore(testTable(), account.accountId), key)) as CheckoutRecord,
    check: (after: number) => checkCheckouts(testTable(), [key], { now: new Date(Date.now() + after) }, readPaymentKey),
    messages: async () => {
      const answer = await account.call('contacts/messages', { ContactId: contact });
      const all = answer.body['Messages'] as ContactMessage[];
      return all.filter(({ Kind, RecordId }) => Kind === 'CardFailed' && RecordId === Id);
    },
  };
}

describe('a card that is refused', () => {
  test('is stored with the moment of its message, once, however often the webhook comes', async () => {
    await setDelay(60);
    const { url, report, stored, intent } = await startPaying();
    expect(await stripe.press(url, 'declined')).toBe(url);
    const before = Date.now();
    expect(await report()).toBe(200);
    const first = await stored();
    expect(first).toMatchObject({ State: 'open', FailedAttempt: (await intent()).latest_charge.id });
    expect(first.FailureDue).toBeGreaterThanOrEqual(before + 60 * SECOND);
    expect(first.FailureDue).toBeLessThanOrEqual(Date.now() + 60 * SECOND);
    expect(await report()).toBe(200);
    expect(await stored()).toEqual(first);
    await stripe.press(url, 'declined');
    await report();
    const second = await stored();
    expect(second.FailedAttempt).not.toBe(first.FailedAttempt);
    expect(second.FailureDue).toBeGreaterThan(first.FailureDue ?? Infinity);
  });

  test('is one message after the delay, to the client who gives up', async () => {
    await setDelay(1);
    const { url, report, messages } = await startPaying();
    await stripe.press(url, 'declined');
    await Promise.all([report(), report()]);
    await vi.waitFor(async () => expect((await messages())[0]?.State).toBe('Sent'), { timeout: 20_000, interval: 200 });
    expect(await messages()).toHaveLength(1);
  });

  test('is found by the worker where the webhook never comes', async () => {
    await setDelay(1);
    const { url, check, stored } = await startPaying();
    await stripe.press(url, 'declined');
    expect((await check(11 * MINUTE)).failures).toEqual([]);
    expect((await stored()).FailedAttempt).toMatch(/^ch_/);
  });

  test('is no failure once the client has paid by another one', async () => {
    const { url, report, stored } = await startPaying();
    await stripe.press(url, 'declined');
    await stripe.press(url, 'card');
    expect(await report()).toBe(200);
    expect(await stored()).toMatchObject({ State: 'done' });
    expect((await stored()).FailedAttempt).toBeUndefined();
  });
});

test('a bank that refuses a payment days later is a failure, and the checkout is over', async () => {
  await setDelay(60);
  const { url, stored, check } = await startPaying();
  await openPage(await stripe.press(url, 'bank'));
  expect((await stored()).State).toBe('processing');
  await stripe.refuse(checkoutId(url));
  const session = await stripe.client.checkout.sessions.retrieve(checkoutId(url));
  expect((await stripe.notify('checkout.session.async_payment_failed', session)).status).toBe(200);
  const refused = await stored();
  expect(refused).toMatchObject({ State: 'over', FailedAttempt: expect.stringMatching(/^ch_/) });
  await check(11 * MINUTE);
  expect(await stored()).toEqual(refused);
});

test('an attempt to pay that is not of a page of ours changes nothing', async () => {
  const foreign = { id: 'pi_of_the_dashboard', object: 'payment_intent', status: 'requires_payment_method' };
  expect((await stripe.notify('payment_intent.payment_failed', foreign)).status).toBe(200);
});
