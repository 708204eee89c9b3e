import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { ContactMessage } from '../../lib/entities/messages.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { toDebtors } from '../../lib/pages/office/money-page.ts';
import { type Reminder, behind, placeOf, toReminders } from '../../lib/pages/office/remind-page.ts';
import { sumsByMethod } from '../../lib/pages/office/payments-page.ts';
import type { Payment } from '../../lib/entities/payments.ts';
import { mergesOf } from '../support/merges.ts';
import { turnMessages } from '../support/messages.ts';
import { type OfficeBrowser, makeUser, signedIn } from '../support/office.ts';
import { hiddenFields } from '../support/pages.ts';
import { writeBook } from '../support/price-book.ts';
import { type TestAccount, drainEvents, testAccount } from '../support/stack/stack.ts';

let company: TestAccount;
let office: OfficeBrowser;
let clients: { late: number; silent: number; recent: number };

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const messagesOf = async (ContactId: number): Promise<ContactMessage[]> =>
  (await company.call('contacts/messages', { ContactId })).body['Messages'] as ContactMessage[];

beforeAll(async () => {
  company = await testAccount();
  await turnMessages(company, true);
  office = await signedIn(company, await makeUser(company, { role: 'Office' }));
  const add = async (Name: string, more: object = {}) =>
    (await mergesOf(company).add({ Name, Email: `${Name}@example.com`, OrganizationId: 1, ...more })).Id;
  clients = { late: await add('Late'), silent: await add('Silent', { DoNotEmail: true }), recent: await add('Recent') };
  const bill = (ContactId: number, days: number) =>
    company.call('invoice/import', { Invoice: { ContactId, Date: daysAgo(days), Lines: [{ Rate: 100 }] } });
  await bill(clients.late, 40);
  await bill(clients.late, 90);
  await bill(clients.silent, 50);
  await bill(clients.recent, 20);
});

test('all over 30 days are reminded once of the oldest invoice, and who is not is listed with the reason', async () => {
  const page = await office.open('/office/remind');
  expect(page.text).toContain('owe an invoice of more than 30 days: 2.');
  expect(await messagesOf(clients.late)).toEqual([]);
  const fields = hiddenFields(page.text, 'remind');
  const answers = [await office.post('/office/remind', fields), await office.post('/office/remind', fields)];
  for (const { status, text } of answers) {
    expect(status, text).toBe(200);
    expect(text).toContain('Reminded: 1.');
    expect(text).toContain('DoNotEmail');
    expect(text).toContain(`/office/client/${clients.silent}`);
  }
  const sent = await messagesOf(clients.late);
  expect(sent.map(({ Kind }) => Kind)).toEqual(['InvoiceOverdue']);
  const { body } = await company.call('invoice/query', { ContactId: clients.late });
  const [oldest] = body['Invoices'] as { Id: number }[];
  expect(sent[0]?.RecordId).toBe(oldest?.Id);
  expect([await messagesOf(clients.silent), await messagesOf(clients.recent)]).toEqual([[], []]);
});

test('a list of reminders in parts skips nobody and repeats nobody, while some of it is paid', () => {
  const dates = fc.uniqueArray(
    fc.record({ Id: fc.integer({ min: 1, max: 60 }), days: fc.integer({ min: 31, max: 40 }) }),
    { selector: ({ Id }) => Id },
  );
  fc.assert(
    fc.property(dates, fc.integer({ min: 1, max: 5 }), fc.infiniteStream(fc.nat(9)), (list, size, paid) => {
      const now = Date.parse('2026-11-29T12:00:00Z');
      let open = list.map(({ Id, days }) => {
        return { Id, ContactId: Id, BalanceDue: 5, Date: new Date(now - days * 86_400_000).toISOString() } as Invoice;
      });
      const [done, gone]: [number[], number[]] = [[], []];
      for (let place = ''; ;) {
        const part = behind(toReminders(open, now), place).slice(0, size);
        if (!part.length) break;
        done.push(...part.map(({ invoiceId }) => invoiceId));
        place = placeOf(part.at(-1) as Reminder);
        const out = open[paid.next().value as number]?.Id;
        gone.push(...(out === undefined || out === null ? [] : [out]));
        open = open.filter(({ Id }) => Id !== out);
      }
      expect(new Set(done).size).toBe(done.length);
      expect(list.map(({ Id }) => Id).filter((id) => !done.includes(id) && !gone.includes(id))).toEqual([]);
    }),
  );
});

test('payments of a period are added up by method, without those by credit', async () => {
  const pay = (Amount: number, Method: string, date: string) =>
    company.call('payment/import', { Payment: { ContactId: clients.recent, Amount, Method, Date: date } });
  await pay(10.1, 'Cash', '2026-03-02');
  await pay(20.2, 'Cash', '2026-03-31');
  await pay(5, 'Check', '2026-03-15');
  await pay(99, 'Cash', '2026-04-01');
  const { status, text } = await office.open('/office/payments?from=2026-03-01&through=2026-03-31');
  expect(status).toBe(200);
  expect(text).toContain('$30.30');
  expect(text).toContain('$35.30');
  expect(text).not.toContain('$99.00');
});

test('money lists who has credit, with phone, amount and sum, to whoever sees all clients', async () => {
  const add = mergesOf(company).add;
  const rich = await add({ Name: 'Rich', Phone: '217-555-0142', Email: 'rich@example.com', OrganizationId: 1 });
  const pay = (ContactId: number, Amount: number) => company.call('payment/import', { Payment: { ContactId, Amount } });
  await drainEvents();
  const before = (await office.open('/office/money')).text;
  expect(before).not.toContain('Rich');
  await pay(rich.Id, 1200.5);
  await drainEvents();
  const { text } = await office.open('/office/money');
  expect(text).toContain(`<a href="/office/client/${rich.Id}">Rich</a>`);
  expect(text).toContain('href="tel:2175550142"');
  expect(text).toContain('<td class="number">$1,200.50</td>');
  await pay(rich.Id, -1200.5);
  await drainEvents();
  expect((await office.open('/office/money')).text).not.toContain('Rich');
});

test('refunds lower the sum of their method', () => {
  const of = (Method: string, Amount: number) => ({ Method, Amount }) as Payment;
  const payments = [of('Cash', 10.1), of('Card', 50), of('Cash', -0.2), of('Credit', 7)];
  expect(sumsByMethod(payments)).toEqual([
    { method: 'Card', count: 1, amount: 50 },
    { method: 'Cash', count: 2, amount: 9.9 },
  ]);
});

test('new clients without a visit and a proposal are to be answered, those with a note too', async () => {
  const { text } = await office.open('/office/tasks');
  expect(text).toContain('New, without a visit');
  expect(text).toContain(`/office/client/${clients.recent}`);
  await company.call('contacts/addnote', { ContactId: clients.recent, Note: { Body: 'Lead from Website' } });
  expect((await office.open('/office/tasks')).text).toContain(`/office/client/${clients.recent}`);
  await writeBook(company.accountId, { services: [{ Name: 'Windows', BasePrice: 80, BaseDuration: 60 }] });
  const visit = { ContactId: clients.recent, ServiceName: 'Windows' };
  expect((await company.call('appointments/queue', visit)).status).toBe(200);
  expect((await office.open('/office/tasks')).text).not.toContain(`/office/client/${clients.recent}`);
});

test.each([
  [30, [5, 0, 0, 0]],
  [31, [0, 5, 0, 0]],
  [60, [0, 5, 0, 0]],
  [61, [0, 0, 5, 0]],
  [90, [0, 0, 5, 0]],
  [91, [0, 0, 0, 5]],
])('an invoice of %i days is in its bracket', (days, byAge) => {
  const now = Date.parse('2026-11-29T12:00:00Z');
  const invoice = { Id: 1, ContactId: 7, BalanceDue: 5, Date: new Date(now - days * 86_400_000).toISOString() };
  expect(toDebtors([invoice as Invoice], now)).toMatchObject([{ contactId: 7, oldestId: 1, byAge, total: 5 }]);
});
