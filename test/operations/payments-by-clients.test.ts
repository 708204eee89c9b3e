import type { Contact } from '../../lib/entities/contacts.ts';
import type { Payment } from '../../lib/entities/payments.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { Status } from '../../lib/domain/appointments/record.ts';
import type { EventPayload } from '../../lib/resources/events.ts';
import { appointmentEntity } from '../../lib/entities/appointments.ts';
import { DAY, SECOND } from '../../lib/shared/time/time.ts';
import { appointmentChanges, findAppointment } from '../../lib/store/appointments.ts';
import { findAccountLinks } from '../../lib/store/links.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { type TestStripe, checkoutId, connectStripe } from '../support/payments.ts';
import { writeBook } from '../support/price-book.ts';
import { putOrganizationSettings } from '../support/settings.ts';
import { type TestAccount, drainEvents, onStack, testAccount, testStack, testTable } from '../support/stack/stack.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';

let account: TestAccount;
let stripe: TestStripe;
let contact: number;

beforeAll(async () => {
  account = await testAccount({ organizationName: 'Evergreen <b>& Sons' });
  stripe = await connectStripe(account);
  contact = await newContact(account);
  await putOrganizationSettings(account, { VerifyAbove: 5000 });
});

async function newContact(of: TestAccount, Phone = ''): Promise<number> {
  const Email = `${Math.random()}@example.com`;
  const { body } = await of.call('contacts/addupdate', { Name: 'Ana <i>Diaz', Email, Phone });
  return (body['Matches'] as Contact[])[0]?.Id ?? 0;
}

async function newInvoice(Rate = 100, of = account, ContactId = contact): Promise<Invoice> {
  const { body, text } = await of.call('invoice/import', {
    Invoice: { ContactId, Lines: [{ Description: 'Work <script>', Rate, Qty: 1 }] },
  });
  expect(body['Invoice'], text).toBeDefined();
  return body['Invoice'] as Invoice;
}

async function read(InvoiceId: number): Promise<{ invoice: Invoice; payments: Payment[] }> {
  const { body } = await account.call('invoice/get', { InvoiceId });
  return { invoice: body['Invoice'] as Invoice, payments: body['Payments'] as Payment[] };
}

/** Presses Pay on the page; returns the address of the checkout. */
async function startPaying(link: string): Promise<string> {
  const answer = await sendForm(link, await openPage(link), 'pay', {});
  expect(answer.status, answer.text).toBe(303);
  return answer.headers.get('location') ?? '';
}

const session = (url: string) => stripe.client.checkout.sessions.retrieve(checkoutId(url));
const completed = async (url: string) => stripe.notify('checkout.session.completed', await session(url));

/** The payments that are applied to no invoice. */
async function unapplied(): Promise<Payment[]> {
  const { body } = await account.call('payment/query', { ContactId: contact });
  return (body['Payments'] as Payment[]).filter(({ InvoiceId }) => InvoiceId === 0);
}

const tasks = async (): Promise<string[]> => {
  const { body } = await account.call('task/query', { Category: 'Payments' });
  return (body['Tasks'] as { Description: string }[]).map(({ Description }) => Description);
};

describe('an invoice that can be paid', () => {
  test('says so in every answer, and has a button that leads to the provider and nowhere else', async () => {
    const { Id, ClientPayUrl } = await newInvoice();
    expect((await read(Id ?? 0)).invoice.CanAcceptClientPayment).toBe(true);
    const { body } = await account.call('invoice/query', { ContactId: contact });
    expect((body['Invoices'] as Invoice[]).every((each) => each.CanAcceptClientPayment)).toBe(true);
    const page = await openPage(ClientPayUrl);
    expect(page.text).toContain('Pay $100.00');
    expect(page.text).not.toContain('<script>');
    const { origin } = new URL(testStack().StripeApi);
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${origin};`);
    expect(new URL(await startPaying(ClientPayUrl)).origin).toBe(origin);
  });

  test('asks for its balance, whatever a form sends, with its account and organization in the checkout', async () => {
    const { Id, ClientPayUrl } = await newInvoice(120.5);
    const forged = { amount: '1', cents: '1', price: '1', currency: 'jpy' };
    const sent = await sendForm(ClientPayUrl, await openPage(ClientPayUrl), 'pay', forged);
    const { amount_total, currency, metadata } = await session(sent.headers.get('location') ?? '');
    expect([amount_total, currency]).toEqual([12_050, 'usd']);
    const { accountId, organizationId } = account;
    expect(metadata).toEqual({ account: accountId, organization: `${organizationId}`, page: 'invoice', id: `${Id}` });
  });

  test('is paid on the return to the page, before any webhook, and the page says so', async () => {
    const { Id, ClientPayUrl } = await newInvoice();
    const url = await startPaying(ClientPayUrl);
    const back = await stripe.press(url, 'card');
    expect(back.startsWith(ClientPayUrl)).toBe(true);
    const returned = await openPage(back);
    expect(returned.status).toBe(303);
    const { invoice, payments } = await read(Id ?? 0);
    expect([invoice.Status, invoice.BalanceDue, invoice.CanAcceptClientPayment]).toEqual(['Paid', 0, false]);
    const { payment_intent } = await session(url);
    expect(payments).toMatchObject([
      { Amount: 100, Method: 'Card', Reference: 'Visa 4242', TransactionId: (payment_intent as { id: string }).id },
    ]);
    const page = await openPage(ClientPayUrl);
    expect(page.text).toContain('Paid on');
    expect(page.text).not.toContain('Pay $');
    await completed(url);
    expect((await read(Id ?? 0)).payments).toHaveLength(1);
  });

  test('takes one payment of a webhook that is sent 20 times, of which 10 replies are lost', async () => {
    const { Id, ClientPayUrl } = await newInvoice();
    const url = await startPaying(ClientPayUrl);
    await stripe.press(url, 'card');
    const paid = await session(url);
    const send = async (index: number): Promise<number> => {
      const { status } = await stripe.notify('checkout.session.completed', paid);
      // A sender that misses the reply sends again.
      return index % 2 ? status : (await stripe.notify('checkout.session.completed', paid)).status;
    };
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index)));
    expect(new Set(answers)).toEqual(new Set([200]));
    const { invoice, payments } = await read(Id ?? 0);
    expect([invoice.BalanceDue, payments.length]).toEqual([0, 1]);
  });

  test('has one checkout for two tabs, so that only one of them pays', async () => {
    const { Id, ClientPayUrl } = await newInvoice();
    const urls = await Promise.all([startPaying(ClientPayUrl), startPaying(`${ClientPayUrl}?lang=en`)]);
    expect(urls[0]).toBe(urls[1]);
    await stripe.press(urls[0] ?? '', 'card');
    expect(await stripe.press(urls[1] ?? '', 'card')).toBe('');
    await completed(urls[0] ?? '');
    // A third tab that shows the page as it was is sent back to it.
    const { payments } = await read(Id ?? 0);
    expect(payments).toHaveLength(1);
  });

  test('whose amount changed ends the checkout of the amount before', async () => {
    const { Id, ClientPayUrl } = await newInvoice();
    const before = await startPaying(ClientPayUrl);
    await account.call('payment/import', { Payment: { InvoiceId: Id, Amount: 40 } });
    const after = await startPaying(ClientPayUrl);
    expect((await session(before)).status).toBe('expired');
    expect((await session(after)).amount_total).toBe(6_000);
  });

  test('paid from a bank account is being processed until the bank confirms, and is not paid twice meanwhile', async () => {
    const { Id, ClientPayUrl } = await newInvoice();
    const url = await startPaying(ClientPayUrl);
    await openPage(await stripe.press(url, 'bank'));
    const page = await openPage(ClientPayUrl);
    expect(page.text).toContain('Your payment is being processed');
    expect(page.text).not.toContain('Pay $');
    expect((await read(Id ?? 0)).payments).toEqual([]);
    await stripe.confirm(checkoutId(url));
    expect((await stripe.notify('checkout.session.async_payment_succeeded', await session(url))).status).toBe(200);
    expect((await read(Id ?? 0)).invoice.Status).toBe('Paid');
    expect((await openPage(ClientPayUrl)).text).not.toContain('being processed');
  });
});

describe('a balance above verifyAbove', () => {
  test('is paid with the last digits of the phone of its client, in five wrong tries an hour', async () => {
    const { Id, ClientPayUrl } = await newInvoice(5000.01, account, await newContact(account, '217-555-0142'));
    const page = await openPage(ClientPayUrl);
    const send = (phone?: string) => sendForm(ClientPayUrl, page, 'pay', phone === undefined ? {} : { phone });
    const refused = [await send(), await send('0000'), await send('')];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(refused[1]?.text).toContain('These digits don&#39;t match the phone number we have for you.');
    for (const { text } of [page, ...refused]) expect(text).not.toContain('0142');
    const paid = await send('0142');
    expect((await session(paid.headers.get('location') ?? '')).metadata).toMatchObject({ id: `${Id}` });
    const more = [];
    for (const phone of ['1', '2', '3', '4', '0142']) more.push((await send(phone)).status);
    expect(more).toEqual([400, 400, 400, 400, 429]);
  });

  test('takes five wrong tries an hour of a contact over all its papers, and of those that were merged into it', async () => {
    const [own, merged] = [await newContact(account, '217-555-0142'), await newContact(account, '217-555-0142')];
    const papers = [own, own, merged].map((id) => newInvoice(5000.01, account, id));
    const [first = '', second = '', ofMerged = ''] = (await Promise.all(papers)).map((each) => each.ClientPayUrl);
    await writeBook(account.accountId, { services: [{ Name: 'Terrace', BasePrice: 0 }] });
    const ProposalLines = [{ LineDescription: 'Terrace', Quantity: 1, UnitPrice: 6000 }];
    const proposal = await account.call('proposal/create', {
      ContactId: own,
      ServiceName: 'Terrace',
      Status: 'Open',
      ProposalLines,
    });
    const proposalLink = onStack(proposal.body['ClientUrl'] as string);
    const tries = async (link: string, action: string, ...guesses: string[]): Promise<number[]> => {
      const page = await openPage(link);
      const statuses = [];
      for (const phone of guesses) statuses.push((await sendForm(link, page, action, { phone, name: 'Ana' })).status);
      return statuses;
    };
    // What is right does not count.
    expect(await tries(first, 'pay', '0142', '0142', '0142', '0142')).toEqual([303, 303, 303, 303]);
    expect(await tries(first, 'pay', '1001', '1002')).toEqual([400, 400]);
    expect(await tries(proposalLink, 'accept', '1003')).toEqual([400]);
    expect((await account.call('contacts/merge', { ContactId: own, MergeId: merged })).status).toBe(200);
    expect(await tries(ofMerged, 'pay', '1004', '1005', '0142')).toEqual([400, 400, 429]);
    expect(await tries(second, 'pay', '0142')).toEqual([429]);
    expect(await tries(proposalLink, 'accept', '0142')).toEqual([429]);
  });

  test('of a client without a phone is paid by a call; a smaller one is paid as before', async () => {
    const own = await newContact(account, '217-555-0142');
    const { ClientPayUrl } = await newInvoice(5000.01, account, own);
    const before = await openPage(ClientPayUrl);
    await account.call('contacts/addupdate', { Id: own, Phone: '' });
    const sent = await sendForm(ClientPayUrl, before, 'pay', { phone: '' });
    expect(sent.status).toBe(409);
    for (const { text } of [sent, await openPage(ClientPayUrl)]) {
      expect(text).toContain('we have none for you. Please call us.');
      expect(text).not.toContain('value="pay"');
    }
    const { ClientPayUrl: smaller } = await newInvoice(5000);
    expect((await openPage(smaller)).text).not.toContain('name="phone"');
    await startPaying(smaller);
  });
});

describe('money that an invoice does not take', () => {
  test('above its balance is recorded as unapplied, with a task and an event, and can be applied or refunded', async () => {
    const { Id, ClientPayUrl } = await newInvoice();
    const url = await startPaying(ClientPayUrl);
    await account.call('payment/import', { Payment: { InvoiceId: Id, Amount: 70 } });
    await stripe.press(url, 'card');
    expect((await completed(url)).status).toBe(200);
    const { invoice, payments } = await read(Id ?? 0);
    // In the order of their ids, which containers take from blocks of their own.
    const amounts = new Set(payments.map(({ Amount }) => Amount));
    expect([invoice.BalanceDue, payments.length, amounts]).toEqual([0, 2, new Set([30, 70])]);
    const [rest] = (await unapplied()).slice(-1);
    expect(rest).toMatchObject({ Amount: 70, InvoiceId: 0, ContactId: contact });
    expect((await tasks()).filter((each) => each.includes(`payment ${rest?.Id} `))).toHaveLength(1);
    await drainEvents();
    const { body } = await account.call('datasubscriber/fetch', { EventCount: 1000 });
    const events = (body['Events'] as { Payload: EventPayload }[]).map(({ Payload }) => Payload);
    const recorded = events.find(({ Kind, Id: id }) => Kind === 'payment.recorded' && id === rest?.Id);
    expect(recorded).toMatchObject({ Actor: { Name: 'Stripe' }, Data: { InvoiceId: 0, Amount: 70 } });

    const other = await newInvoice(100);
    const applied = await account.call('payment/import', { PaymentId: rest?.Id, Payment: { InvoiceId: other.Id } });
    expect(applied.status, applied.text).toBe(200);
    expect((await read(other.Id ?? 0)).invoice.BalanceDue).toBe(30);
    expect((await unapplied()).some(({ Id: id }) => id === rest?.Id)).toBe(false);
  });

  test('for a voided invoice is recorded as unapplied, and the page says so on the way back', async () => {
    const { Id, ClientPayUrl } = await newInvoice(55);
    const url = await startPaying(ClientPayUrl);
    await account.call('invoice/import', { Invoice: { Id, Status: 'Voided' } });
    const back = await stripe.press(url, 'card');
    const returned = await openPage(back);
    const page = await openPage(new URL(returned.headers.get('location') ?? '', testStack().BaseUrl).href);
    expect([page.status, page.text.includes('We received your payment')]).toEqual([200, true]);
    await completed(url);
    const { payments } = await read(Id ?? 0);
    expect(payments).toEqual([]);
    const { payment_intent } = await session(url);
    const transaction = (payment_intent as { id: string }).id;
    const found = (await unapplied()).filter(({ TransactionId }) => TransactionId === transaction);
    expect(found).toMatchObject([{ Amount: 55 }]);
    expect((await tasks()).filter((each) => each.includes(transaction))).toHaveLength(1);
  });
});

describe('a refund at the provider', () => {
  test('comes back as a refund once, in parts, also where its webhook is before that of the payment', async () => {
    const { Id, ClientPayUrl } = await newInvoice();
    const url = await startPaying(ClientPayUrl);
    await stripe.press(url, 'card');
    const { payment_intent } = await session(url);
    const intent = (payment_intent as { id: string }).id;
    const refund = await stripe.client.refunds.create({ payment_intent: intent, amount: 2_500 });
    await Promise.all(Array.from({ length: 5 }, () => stripe.notify('refund.created', refund)));
    await completed(url);
    const { invoice, payments } = await read(Id ?? 0);
    expect(payments.map(({ Amount }) => Amount).sort()).toEqual([-25, 100]);
    expect(payments.find(({ Amount }) => Amount < 0)?.TransactionId).toBe(refund.id);
    expect([invoice.Status, invoice.BalanceDue]).toEqual(['Open', 25]);
    const second = await stripe.client.refunds.create({ payment_intent: intent });
    await stripe.notify('refund.created', second);
    expect((await read(Id ?? 0)).invoice.BalanceDue).toBe(100);
  });

  test('that the office recorded too is not recorded twice off the invoice: it asks the office', async () => {
    const { Id, ClientPayUrl } = await newInvoice(64);
    const url = await startPaying(ClientPayUrl);
    await openPage(await stripe.press(url, 'card'));
    await account.call('payment/import', { Payment: { InvoiceId: Id, Amount: -64 } });
    const { payment_intent } = await session(url);
    const refund = await stripe.client.refunds.create({ payment_intent: (payment_intent as { id: string }).id });
    expect((await stripe.notify('refund.created', refund)).status).toBe(200);
    expect((await read(Id ?? 0)).invoice.BalanceDue).toBe(64);
    expect((await unapplied()).filter(({ Amount }) => Amount === -64)).toHaveLength(1);
    expect((await tasks()).filter((each) => each.includes(refund.id))).toHaveLength(1);
  });
});

/** Pays an invoice on the stand-in; returns the id of the payment there. */
async function pay(link: string): Promise<string> {
  const url = await startPaying(link);
  await openPage(await stripe.press(url, 'card'));
  return ((await session(url)).payment_intent as { id: string }).id;
}

describe('a refund that fails at the bank', () => {
  test('is undone as a payment once, and the office is asked to pay it back another way', async () => {
    const { Id, ClientPayUrl } = await newInvoice(80);
    const payment = await pay(ClientPayUrl);
    const refund = await stripe.client.refunds.create({ payment_intent: payment, amount: 3_000 });
    await stripe.notify('refund.created', refund);
    expect((await read(Id ?? 0)).invoice.BalanceDue).toBe(30);
    const failed = await stripe.decide(refund.id, 'failed');
    await Promise.all(Array.from({ length: 5 }, () => stripe.notify('charge.refund.updated', failed)));
    await stripe.notify('refund.created', refund);
    const { invoice, payments } = await read(Id ?? 0);
    expect([invoice.Status, invoice.BalanceDue]).toEqual(['Paid', 0]);
    expect(payments.map(({ Amount }) => Amount)).toEqual(expect.arrayContaining([80, -30, 30]));
    expect(payments.find(({ Amount }) => Amount === 30)?.TransactionId).toBe(`${refund.id}-failed`);
    expect((await tasks()).filter((each) => each.includes(refund.id))).toHaveLength(1);
    const again = await stripe.client.refunds.create({ payment_intent: payment });
    await stripe.notify('refund.created', again);
    expect((await read(Id ?? 0)).invoice.BalanceDue).toBe(80);
  });

  test('after the invoice was paid otherwise is a payment of no invoice', async () => {
    const { Id, ClientPayUrl } = await newInvoice(77);
    const refund = await stripe.client.refunds.create({ payment_intent: await pay(ClientPayUrl) });
    await stripe.notify('refund.created', refund);
    await account.call('payment/import', { Payment: { InvoiceId: Id, Amount: 77, Method: 'Check' } });
    await stripe.notify('refund.failed', await stripe.decide(refund.id, 'failed'));
    expect((await read(Id ?? 0)).invoice.BalanceDue).toBe(0);
    expect((await unapplied()).filter(({ Amount }) => Amount === 77)).toHaveLength(1);
  });

  test('before it was recorded changes nothing', async () => {
    const { Id, ClientPayUrl } = await newInvoice(55);
    const refund = await stripe.client.refunds.create({ payment_intent: await pay(ClientPayUrl) });
    await stripe.notify('refund.failed', await stripe.decide(refund.id, 'failed'));
    expect((await read(Id ?? 0)).payments.map(({ Amount }) => Amount)).toEqual([55]);
  });
});

describe('a dispute at the bank', () => {
  test('is a task with an event once, when it begins and when the company wins', async () => {
    const { Id, ClientPayUrl } = await newInvoice(91);
    const dispute = await stripe.dispute(await pay(ClientPayUrl));
    await Promise.all(Array.from({ length: 5 }, () => stripe.notify('charge.dispute.created', dispute)));
    const begun = (await tasks()).find((each) => each.includes(dispute.id)) ?? '';
    expect(begun).toContain('disputes 91.00');
    expect(begun).toContain(dispute.payment_intent);
    await drainEvents();
    const { body } = await account.call('datasubscriber/fetch', { EventCount: 1000 });
    const asked = (body['Events'] as { Payload: EventPayload }[]).filter(
      ({ Payload }) => Payload.Kind === 'task.created' && JSON.stringify(Payload).includes(dispute.id),
    );
    expect(asked.map(({ Payload }) => Payload.Actor)).toMatchObject([{ Name: 'Stripe' }]);
    const closed = await stripe.decide(dispute.id, 'won');
    await stripe.notify('charge.dispute.closed', closed);
    await stripe.notify('charge.dispute.created', dispute);
    expect((await tasks()).filter((each) => each.includes(dispute.id))).toHaveLength(2);
    expect((await read(Id ?? 0)).invoice.Status).toBe('Paid');
  });

  test('that is lost takes the money off its invoice, once', async () => {
    const { Id, ClientPayUrl } = await newInvoice(92);
    const dispute = await stripe.dispute(await pay(ClientPayUrl));
    const closed = await stripe.decide(dispute.id, 'lost');
    await Promise.all(Array.from({ length: 5 }, () => stripe.notify('charge.dispute.closed', closed)));
    const { invoice, payments } = await read(Id ?? 0);
    expect([invoice.Status, invoice.BalanceDue]).toEqual(['Open', 92]);
    expect(payments.find(({ Amount }) => Amount < 0)).toMatchObject({ TransactionId: dispute.id, Method: 'Dispute' });
    expect((await tasks()).filter((each) => each.includes(dispute.id))).toHaveLength(1);
  });
});

describe('a webhook', () => {
  test('that is forged, altered or of another account records nothing', async () => {
    const { Id, ClientPayUrl } = await newInvoice();
    const url = await startPaying(ClientPayUrl);
    await stripe.press(url, 'card');
    const paid = await session(url);
    expect((await stripe.notify('checkout.session.completed', paid, { secret: 'whsec_forged00' })).status).toBe(400);
    const unsigned = await fetch(`${testStack().BaseUrl}/c/stripe/${account.accountId}-0`, {
      method: 'POST',
      body: JSON.stringify({ type: 'checkout.session.completed', data: { object: paid } }),
    });
    expect(unsigned.status).toBe(404);
    // Another company's signed webhook with our checkout: its own keys do not know it.
    const other = await testAccount();
    const theirs = await connectStripe(other);
    expect((await theirs.notify('checkout.session.completed', paid)).status).toBe(200);
    expect((await read(Id ?? 0)).payments).toEqual([]);
  });

  test('with a checkout that names another account or organization records nothing', async () => {
    const { Id } = await newInvoice();
    const foreign = { account: 'another', organization: '1', page: 'invoice', id: String(Id) };
    const strange = { ...foreign, account: account.accountId, organization: '999' };
    for (const metadata of [foreign, strange]) {
      const made = await stripe.client.checkout.sessions.create({
        mode: 'payment',
        success_url: 'https://example.com',
        line_items: [
          { quantity: 1, price_data: { currency: 'usd', unit_amount: 10_000, product_data: { name: 'x' } } },
        ],
        metadata,
      });
      await stripe.press(made.url ?? '', 'card');
      await stripe.notify('checkout.session.completed', made);
    }
    expect((await read(Id ?? 0)).payments).toEqual([]);
  });
});

test('a provider that refuses charges nothing, and the page says so without a word of the keys', async () => {
  const company = await testAccount();
  // The stand-in answers 401 to keys that are not for tests.
  const { secretKey } = await connectStripe(company, 0, 'sk_live_0123456789abcdef');
  const { ClientPayUrl } = await newInvoice(10, company, await newContact(company));
  const refused = await sendForm(ClientPayUrl, await openPage(ClientPayUrl), 'pay', {});
  expect([refused.status, refused.text.includes('take payments right now')]).toEqual([502, true]);
  expect(refused.text).not.toContain(secretKey.slice(-4));
});

describe('without a provider', () => {
  test('the page says how to pay, no answer says that it can be paid, and no link saves a card', async () => {
    const plain = await testAccount();
    const own = await newContact(plain);
    const invoice = await newInvoice(10, plain, own);
    expect(invoice.CanAcceptClientPayment).toBe(false);
    const page = await openPage(invoice.ClientPayUrl);
    expect(page.text).toContain('How to pay');
    expect(page.text).not.toContain('Pay $');
    const { body } = await plain.call('contacts/locate', { IdSearch: own });
    expect((body['Matches'] as Contact[])[0]?.UpdatePaymentOnFileUrl).toBe('');
    // Sent back as it was, the response changes nothing: the invoice can be paid once a provider is connected.
    await plain.call('invoice/import', { Invoice: { ...invoice, Contact: null } });
    await connectStripe(plain);
    expect((await openPage(invoice.ClientPayUrl)).text).toContain('Pay $10.00');
  });

  test('of its own an organization uses that of the company; one of its own is used alone', async () => {
    const company = await testAccount();
    const theirs = await connectStripe(company, company.organizationId);
    const invoice = await newInvoice(10, company, await newContact(company));
    expect(invoice.CanAcceptClientPayment).toBe(true);
    const url = (await sendForm(invoice.ClientPayUrl, await openPage(invoice.ClientPayUrl), 'pay', {})).headers;
    const checkout = await theirs.client.checkout.sessions.retrieve(checkoutId(url.get('location') ?? ''));
    expect(checkout.amount_total).toBe(1_000);
  });
});

/** The feedback page of a completed visit of 200.00. */
async function completedVisit(): Promise<{ readonly id: number; readonly link: string }> {
  const id = 900_000 + Math.floor(Math.random() * 90_000);
  const start = Date.now() - DAY;
  const visit = appointmentEntity.blank({
    Id: id,
    OrganizationId: account.organizationId,
    ContactId: contact,
    HashKey: `h${id}`,
    Zone: 'America/New_York',
    Start: start,
    Duration: 60,
    Status: Status.Completed,
    ServiceName: 'Beds',
    Total: 200,
    Created: start,
  });
  const { changes } = appointmentChanges(
    { account: account.accountId },
    { before: undefined, after: visit, now: new Date() },
  );
  await testTable().commit(changes);
  const links = await findAccountLinks(accountStore(testTable(), account.accountId), new Date());
  return { id, link: onStack(links('feedback', id, 0)) };
}

test('an invoice above what a card pays has a sentence in place of the button', async () => {
  const { ClientPayUrl, CanAcceptClientPayment } = await newInvoice(1_000_000);
  expect(CanAcceptClientPayment).toBe(false);
  const page = await openPage(ClientPayUrl);
  expect(page.text).toContain('This amount is above what can be paid online.');
  expect(page.text).not.toContain('value="pay"');
});

describe('a tip', () => {
  const tipOf = async (id: number): Promise<number | undefined> =>
    (await findAppointment(storeOf(testTable(), { account: account.accountId, organizationId: null }), id))?.Tip;

  test('is a percentage of the price or an amount within bounds, and is recorded once at the visit', async () => {
    const { id, link } = await completedVisit();
    const page = await openPage(link);
    expect(page.text).toContain('15% ($30.00)');
    for (const amount of ['0', '-5', '1001', '1e3', 'x', '']) {
      const refused = await sendForm(link, page, 'tip', { tip: 'other', amount });
      expect([amount, refused.status]).toEqual([amount, 400]);
      expect(refused.text).toContain('amount-error');
      expect(refused.text).toContain('<div class="notice bad" role="alert">');
      expect(refused.text).toMatch(new RegExp(`value="${amount}"[^>]*name="amount"`));
    }
    const sent = await sendForm(link, page, 'tip', { tip: '15', amount: '' });
    const url = sent.headers.get('location') ?? '';
    expect((await session(url)).amount_total).toBe(3_000);
    await openPage(await stripe.press(url, 'card'));
    await Promise.all([completed(url), completed(url)]);
    expect(await tipOf(id)).toBe(30);
    const tipped = (await openPage(link)).text;
    expect(tipped).toContain('Thank you for your tip of $30.00');
    expect(tipped).not.toContain('value="tip"');
    const { payment_intent } = await session(url);
    const intent = (payment_intent as { id: string }).id;
    await stripe.notify(
      'refund.created',
      await stripe.client.refunds.create({ payment_intent: intent, amount: 1_000 }),
    );
    expect(await tipOf(id)).toBe(20);
  });
});

describe('a card', () => {
  test('is saved at the provider, and its kind, last digits and expiry are those of the contact', async () => {
    const own = await newContact(account);
    const locate = async () =>
      (await account.call('contacts/locate', { IdSearch: own, ReturnPmtOnFile: true })).body['Matches'] as Contact[];
    const [{ UpdatePaymentOnFileUrl: link } = { UpdatePaymentOnFileUrl: '' }] = await locate();
    expect(link).toContain('/c/card/');
    const page = await openPage(link);
    expect(page.text).toContain('You have no card on file');
    const sent = await sendForm(link, page, 'save-card', {});
    const url = sent.headers.get('location') ?? '';
    expect((await session(url)).mode).toBe('setup');
    await openPage(await stripe.press(url, 'card'));
    expect(await locate()).toMatchObject([
      { PmtOnFileKind: 'Visa', PmtOnFileLast4: '4242', PmtOnFileExpDate: '2034-12' },
    ]);
    expect((await openPage(link)).text).toContain('Visa ending in 4242');
    expect((await completed(url)).status).toBe(200);
  });

  test('is removed at the provider and here, and comes back by no late report; another one can be saved at once', async () => {
    const own = await newContact(account);
    const locate = async () => {
      const { body } = await account.call('contacts/locate', { IdSearch: own, ReturnPmtOnFile: true });
      return (body['Matches'] as Contact[])[0];
    };
    const link = (await locate())?.UpdatePaymentOnFileUrl ?? '';
    const save = async () => {
      const sent = await sendForm(link, await openPage(link), 'save-card', {});
      const url = sent.headers.get('location') ?? '';
      await openPage(await stripe.press(url, 'card'));
      return url;
    };
    const url = await save();
    const customer = String((await session(url)).customer);
    const kept = async () => (await stripe.client.customers.listPaymentMethods(customer)).data.length;
    expect([(await locate())?.PmtOnFileLast4, await kept()]).toEqual(['4242', 1]);
    // The provider has moments in whole seconds: all that follows is in one.
    await setTimeout(SECOND - (Date.now() % SECOND));
    const removed = await sendForm(link, await openPage(link), 'remove-card', {});
    expect(removed.status, removed.text).toBe(303);
    const shown = await openPage(new URL(removed.headers.get('location') ?? '', link).href);
    expect(shown.text).toContain('Your card has been removed.');
    expect((await completed(url)).status).toBe(200);
    expect([(await locate())?.PmtOnFileLast4, await kept()]).toEqual(['', 0]);
    expect((await openPage(link)).text).not.toContain('remove-card');
    await save();
    expect([(await locate())?.PmtOnFileLast4, await kept()]).toEqual(['4242', 1]);
  });
});
