import type { Contact } from '../../lib/entities/contacts.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { wordingOf } from '../../lib/pages/language.ts';
import type { Task } from '../../lib/entities/tasks.ts';
import { someone } from '../support/booking-forms.ts';
import { bookingForms, bookingLink, offered, visitLinkIn } from '../support/booking.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { connectStripe } from '../support/payments.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { putSettings } from '../support/settings.ts';
import { onStack } from '../support/stack/stack.ts';

/** The ways on that pages offer, where they offer them. */

let company: Bookable;

beforeAll(async () => {
  company = await bookable({ services: [offered] });
});

async function cancel(of: Bookable, AppointmentId: number): Promise<void> {
  const [CancelReasonId] = await putSettings(of.accountId, 'CancelReason', [{ Reason: 'Weather' }]);
  const { status, text } = await of.call('appointments/cancel', { AppointmentId, CancelReasonId });
  expect(status, text).toBe(200);
}

const textOf = async (link: string): Promise<string> => (await openPage(link)).text;
const overviewOf = async (of: Bookable): Promise<string> => {
  const { body } = await of.call('contacts/locate', { IdSearch: of.contact });
  return onStack((body['Matches'] as Contact[])[0]?.ClientUrl ?? '');
};
const hrefsIn = (text: string, part: string): string[] =>
  [...text.matchAll(/href="([^"]+)"/g)]
    .map(([, href = '']) => href.replaceAll('&amp;', '&'))
    .filter((href) => href.includes(part));

describe('a visit that was canceled', () => {
  test('leads its client to the times of the same service', async () => {
    const { AppointmentId, TrackingUrl } = slotIn(await company.book('Ann', '2035-03-05T09:00'));
    expect(await textOf(onStack(TrackingUrl))).not.toContain('Book another visit');
    await cancel(company, AppointmentId);
    const [again = ''] = hrefsIn(await textOf(onStack(TrackingUrl)), '/c/rebook/');
    expect(await textOf(onStack(again))).toContain('name="slot"');
  });

  test('leads a stranger to the booking page of all, and nobody where no service is offered', async () => {
    const { link, starts } = await bookingForms(company);
    const page = await openPage(`${link}?service=${company.services['Lawn care']}&zip=62701&slot=${starts[0]}`);
    const visit = visitLinkIn(await sendForm(link, page, 'book', someone()));
    const AppointmentId = Number.parseInt(visit.split('-')[1] ?? '', 36);
    await cancel(company, AppointmentId);
    const text = await textOf(visit);
    expect(hrefsIn(text, '/c/rebook/')).toEqual([]);
    expect(hrefsIn(text, '/c/booking/')).toHaveLength(1);
    const closed = await bookable();
    const other = slotIn(await closed.book('Ann', '2035-03-05T09:00'));
    await cancel(closed, other.AppointmentId);
    expect(await textOf(onStack(other.TrackingUrl))).not.toContain('Book another visit');
  });
});

test('the overview leads to booking where services are offered, and to the card where payments are connected', async () => {
  const text = await textOf(await overviewOf(company));
  expect([hrefsIn(text, '/c/rebook/').length, hrefsIn(text, '/c/card/').length]).toEqual([1, 0]);
  const paid = await bookable();
  await connectStripe(paid);
  const other = await textOf(await overviewOf(paid));
  expect([hrefsIn(other, '/c/rebook/').length, hrefsIn(other, '/c/card/').length]).toEqual([0, 1]);
  expect((await openPage(onStack(hrefsIn(other, '/c/card/')[0] ?? ''))).status).toBe(200);
});

test('a month without times takes a lead, whose task names the month', async () => {
  const link = await bookingLink(company);
  const month = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 7);
  const busy = await bookable({ services: [offered], agents: [{ Name: 'Off', Email: 'off@example.com' }] });
  const chosen = `${await bookingLink(busy)}?service=${busy.services['Lawn care']}&zip=62701&month=${month}`;
  const page = await openPage(chosen);
  expect(page.text).toContain('We will contact you to find a time.');
  const missing = await sendForm(await bookingLink(busy), page, 'lead', { name: 'Lea Full' });
  expect([missing.status, missing.text.includes('We will contact you to find a time.')]).toEqual([400, true]);
  const sent = await sendForm(await bookingLink(busy), missing, 'lead', { name: 'Lea Full', phone: '217-555-0190' });
  expect(sent.status, sent.text).toBe(303);
  const { body } = await busy.call('task/query', {});
  expect((body['Tasks'] as Task[]).map(({ Description }) => Description).join()).toContain(
    `Lawn care at 62701, where no time is free in ${month}`,
  );
  expect(await textOf(`${link}?service=${company.services['Lawn care']}&zip=62701`)).not.toContain('value="lead"');
});

test('the heading says what is booked, and an e-mail is announced only where a program of the company hears of it', async () => {
  const own = await bookable({ services: [offered] });
  const { link, starts } = await bookingForms(own);
  const book = async (index: number) => {
    const page = await openPage(`${link}?service=${own.services['Lawn care']}&zip=62701&slot=${starts[index]}`);
    return sendForm(link, page, 'book', someone());
  };
  const silent = await book(0);
  expect(silent.text).toContain('<h1>We hold this time for you</h1>');
  const visit = await textOf(visitLinkIn(silent));
  for (const text of [silent.text, visit]) expect(text).toContain('Please call us to confirm it by');
  const hook = { Url: 'https://example.com/hook', Kinds: ['appointment.*'] };
  expect((await own.call('webhooks/create', hook)).status).toBe(200);
  expect((await book(1)).text).toContain('with the link that we send to your e-mail');
});

test('a card stands on a receipt with its kind and last digits, and other payments with their method', async () => {
  const made = await company.call('invoice/import', {
    Invoice: { ContactId: company.contact, Lines: [{ Description: 'Work', Rate: 100, Qty: 1 }] },
  });
  const { Id, ClientPayUrl } = made.body['Invoice'] as Invoice;
  for (const Payment of [
    { Amount: 40, Method: 'Card', Reference: 'Visa 4242' },
    { Amount: 30, Method: 'Check', Reference: '1001' },
  ])
    expect((await company.call('payment/import', { Payment: { InvoiceId: Id, ...Payment } })).status).toBe(200);
  const text = await textOf(onStack(ClientPayUrl));
  for (const name of ['Payment (Visa 4242)', 'Payment (Check)']) expect(text).toContain(name);
});

test.each([
  ['US', 'en', '$1,340.00'],
  ['CA', 'en', '$1,340.00'],
  ['CA', 'es', '$1,340.00'],
  ['GB', 'en', '£1,340.00'],
] as const)('amounts of %s in %s are written as people there write them: %s', (country, language, expected) => {
  expect(wordingOf(language, country).money(1340)).toBe(expected);
});
