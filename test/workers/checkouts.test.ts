import type { Contact } from '../../lib/entities/contacts.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkoutEntity } from '../../lib/entities/payments.ts';
import { readPaymentKey } from '../../lib/secrets/held-secret.ts';
import { DAY, MINUTE } from '../../lib/shared/time/time.ts';
import { checkoutKey, findCheckout } from '../../lib/store/client-payments.ts';
import { checkCheckouts, nextCheck } from '../../lib/workflows/payments/check-checkouts.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { type TestStripe, checkoutId, connectStripe } from '../support/payments.ts';
import { type TestAccount, testAccount, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

let account: TestAccount;
let stripe: TestStripe;
let contact: number;

beforeAll(async () => {
  account = await testAccount();
  stripe = await connectStripe(account);
  const { body } = await account.call('contacts/addupdate', { Name: 'Ana', Email: 'ana@example.com' });
  contact = (body['Matches'] as Contact[])[0]?.Id ?? 0;
});

/** A checkout of an invoice of 100.00, which nobody has completed yet. */
async function startCheckout() {
  const { body } = await account.call('invoice/import', {
    Invoice: { ContactId: contact, Lines: [{ Description: 'Work', Rate: 100, Qty: 1 }] },
  });
  const { Id = 0, ClientPayUrl } = body['Invoice'] as Invoice;
  const answer = await sendForm(ClientPayUrl, await openPage(ClientPayUrl), 'pay', {});
  const url = answer.headers.get('location') ?? '';
  const key = checkoutKey({ account: account.accountId }, { Page: 'invoice', RecordId: Id ?? 0 }, checkoutId(url));
  const check = (after: number) =>
    checkCheckouts(testTable(), [key], { now: new Date(Date.now() + after) }, readPaymentKey);
  const balance = async (): Promise<number> =>
    ((await account.call('invoice/get', { InvoiceId: Id })).body['Invoice'] as Invoice).BalanceDue;
  const state = async () => (await findCheckout(accountStore(testTable(), account.accountId), key))?.State;
  return { url, check, balance, state };
}

describe('a checkout whose webhook never comes, and whose client never comes back', () => {
  test('is recorded by the worker once, after 10 minutes and not before', async () => {
    const { url, check, balance, state } = await startCheckout();
    await stripe.press(url, 'card');
    expect(await check(MINUTE)).toEqual({ done: 1, failures: [] });
    expect(await balance()).toBe(100);
    const late = await Promise.all([check(11 * MINUTE), check(11 * MINUTE), check(DAY)]);
    expect(late.flatMap(({ failures }) => failures)).toEqual([]);
    expect([await balance(), await state()]).toEqual([0, 'done']);
  });

  test('is over when nobody paid, and is recorded when its bank confirms days later', async () => {
    const unpaid = await startCheckout();
    await stripe.client.checkout.sessions.expire(checkoutId(unpaid.url));
    await unpaid.check(11 * MINUTE);
    expect([await unpaid.balance(), await unpaid.state()]).toEqual([100, 'over']);
    const slow = await startCheckout();
    await stripe.press(slow.url, 'bank');
    await slow.check(11 * MINUTE);
    expect([await slow.balance(), await slow.state()]).toEqual([100, 'processing']);
    await stripe.confirm(checkoutId(slow.url));
    await slow.check(3 * DAY);
    expect([await slow.balance(), await slow.state()]).toEqual([0, 'done']);
  });
});

test('a refund and a dispute whose webhooks are all lost are found the day after the payment, and once', async () => {
  const { url, check, balance, state } = await startCheckout();
  await openPage(await stripe.press(url, 'card'));
  expect([await balance(), await state()]).toEqual([0, 'done']);
  const intent = (await stripe.client.checkout.sessions.retrieve(checkoutId(url))).payment_intent as { id: string };
  await stripe.client.refunds.create({ payment_intent: intent.id, amount: 2_500 });
  const dispute = await stripe.dispute(intent.id);
  await check(11 * MINUTE);
  expect(await balance()).toBe(0);
  for (const days of [1, 3]) expect((await check(days * DAY + MINUTE)).failures).toEqual([]);
  expect(await balance()).toBe(25);
  const { body } = await account.call('task/query', { Category: 'Payments' });
  const found = (body['Tasks'] as { Description: string }[]).filter((task) => task.Description.includes(dispute.id));
  expect(found).toHaveLength(1);
});

test('a checkout is looked at after 10 minutes, when it is over, every day, and not after 30 days or where it is over', () => {
  const made = checkoutEntity.blank({
    Checkout: 'cs_1',
    Page: 'invoice',
    RecordId: 1,
    OrganizationId: 1,
    Url: 'x',
    ExpiresAt: 60 * MINUTE,
    Created: 0,
  });
  const next = (State: typeof made.State, now: number) => nextCheck({ ...made, State }, now);
  expect(next('open', 0)).toBe(10 * MINUTE);
  expect(next('open', 10 * MINUTE)).toBe(61 * MINUTE);
  expect(next('processing', 61 * MINUTE)).toBe(61 * MINUTE + DAY);
  expect(next('processing', 31 * DAY)).toBeUndefined();
  expect(next('over', 0)).toBeUndefined();
});

test('a payment is looked at 7 times in 59 days, and a card that was saved no more', () => {
  const made = { Checkout: 'cs_1', Page: 'invoice', RecordId: 1, OrganizationId: 1, Url: 'x', Created: 0 } as const;
  const paid = checkoutEntity.blank({ ...made, ExpiresAt: 60 * MINUTE, State: 'done', Cents: 100 });
  const checks: number[] = [];
  for (let at = nextCheck(paid, 0); at !== undefined; at = nextCheck(paid, at)) checks.push(at / DAY);
  expect(checks).toEqual([1, 3, 7, 14, 30, 45, 59]);
  expect(nextCheck({ ...paid, Cents: 0 }, 0)).toBeUndefined();
});
