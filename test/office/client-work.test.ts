import { beforeAll, expect, test, vi } from 'vitest';
import type { Invoice } from '../../lib/entities/invoices.ts';
import type { ContactMessage } from '../../lib/entities/messages.ts';
import { mergesOf } from '../support/merges.ts';
import { turnMessages } from '../support/messages.ts';
import { type OfficeBrowser, makeUser, signedIn } from '../support/office.ts';
import { writeBook } from '../support/price-book.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';

let company: Bookable;
let office: OfficeBrowser;
let contact: number;
let people = 0;

const add = async (fields: object = {}): Promise<number> => {
  const number = ++people;
  const person = { Name: `Client ${number}`, Email: `client.${number}@example.com`, Phone: `217555${1000 + number}` };
  return (await mergesOf(company).add({ ...person, Zip: '62701', OrganizationId: 1, ...fields })).Id;
};
const invoicesOf = async (ContactId: number): Promise<Invoice[]> =>
  (await company.call('invoice/query', { ContactId })).body['Invoices'] as Invoice[];
const locationOf = ({ headers }: { readonly headers: Headers }) => headers.get('location');

beforeAll(async () => {
  company = await bookable();
  office = await signedIn(company, await makeUser(company, { role: 'Owner' }));
  contact = await add();
});

test('the number of an invoice finds its client', async () => {
  const Invoice = { ContactId: contact, Number: 'RVA-7001', Lines: [{ Rate: 10 }] };
  await company.call('invoice/import', { Invoice });
  expect(locationOf(await office.open('/office/clients?q=rva-7001'))).toBe(`/office/client/${contact}`);
  const { status, text } = await office.open('/office/clients?q=RVA-7001&live=1');
  expect(status).toBe(200);
  expect(text).toContain(`href="/office/client/${contact}"`);
  expect((await office.open('/office/clients?q=RVA-7002')).text).toContain('No client matches');
});

test('an invoice by hand has its lines, and their tax', async () => {
  const client = await add();
  const fields = { what1: 'Repair', quantity1: '2', rate1: '50.25', what2: 'Travel', quantity2: '1', rate2: '20' };
  const answer = await office.send(`/office/client/${client}`, 'invoice', { ...fields, tax: '10' });
  expect([answer.status, locationOf(answer)], answer.text).toEqual([303, `/office/client/${client}?done=billed`]);
  const [invoice] = await invoicesOf(client);
  expect(invoice).toMatchObject({ Status: 'Open', Subtotal: 120.5, Tax: 12.05, BalanceDue: 132.55 });
  expect(invoice?.Lines.map(({ Description }) => Description)).toEqual(['Repair', 'Travel']);
});

test('a payment without an invoice is credit of the client', async () => {
  const client = await add();
  const fields = { invoice: '', amount: '25', method: 'Check' };
  const answer = await office.send(`/office/client/${client}`, 'pay', fields);
  expect([answer.status, locationOf(answer)], answer.text).toEqual([303, `/office/client/${client}?done=paid`]);
  expect((await office.open(`/office/client/${client}`)).text).toContain('$25.00');
});

test('a form that is sent twice takes one payment, and that of another page another', async () => {
  const client = await add();
  const pay = (submission: string) =>
    office.send(`/office/client/${client}`, 'pay', { submission, invoice: '', amount: '10', method: 'Cash' });
  const answers = [...(await Promise.all([pay('one'), pay('one')])), await pay('one'), await pay('two')];
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  expect((await office.open(`/office/client/${client}`)).text).toContain('$20.00');
});

test('the page of a client has its submission in each form', async () => {
  const { text } = await office.open(`/office/client/${contact}`);
  const forms = text.match(/<form method="post" action="\/office\/client/g) ?? [];
  const submissions = text.match(/name="submission" value="[\w-]{36}"/g) ?? [];
  expect(submissions.length).toBeGreaterThan(0);
  expect(submissions).toHaveLength(forms.length);
});

test('a proposal from a template has the price that was shown', async () => {
  await writeBook(company.accountId, {
    services: [{ Name: 'Windows', BasePrice: 80, BaseDuration: 60 }],
    proposalTemplates: [{ Name: 'Spring', Service: 'Windows' }],
  });
  const client = await add();
  const choice = await office.open(`/office/propose/${client}`);
  const template = /<option value="(\d+)">Spring/.exec(choice.text)?.[1] ?? '';
  const path = `/office/propose/${client}?template=${template}`;
  expect((await office.open(path)).text).toContain('$80.00');
  const answer = await office.send(path, 'propose');
  expect([answer.status, locationOf(answer)], answer.text).toEqual([303, `/office/client/${client}?done=proposed`]);
  const { body } = await company.call('proposal/query', { ContactId: client, Scope: 'open' });
  expect(body['Proposals']).toMatchObject([{ Subtotal: 80, ServiceName: 'Windows' }]);
  expect((await office.open(`/office/client/${client}`)).text).toContain('/c/proposal/');
});

test('a message is sent as it was shown', async () => {
  await turnMessages(company, true);
  const client = await add();
  const path = `/office/message/${client}?about=NewLink&by=Email`;
  const { text } = await office.open(path);
  expect(text).toContain(`client.${people}@example.com`);
  const sent = async () =>
    (await company.call('contacts/messages', { ContactId: client })).body['Messages'] as ContactMessage[];
  expect(await sent()).toEqual([]);
  const answer = await office.send(path, 'send');
  expect([answer.status, locationOf(answer)], answer.text).toEqual([303, `/office/client/${client}?done=sent`]);
  expect(await sent()).toMatchObject([{ Kind: 'NewLink', Channel: 'Email' }]);
});

test('a message that may not be sent says why, and has no button', async () => {
  await turnMessages(company, true);
  const client = await add({ DoNotEmail: true });
  const { text } = await office.open(`/office/message/${client}?about=NewLink&by=Email`);
  expect(text).toContain('DoNotEmail');
  expect(text).not.toContain('value="send"');
});

test('a client merges with another one who was searched for', async () => {
  const [kept, other] = [await add({ Name: 'Kept Keller' }), await add({ Name: 'Gone Gordon' })];
  const found = await office.open(`/office/merge/${kept}?q=gordon`);
  expect(found.text).toContain('Gone Gordon');
  const answer = await office.send(`/office/merge/${kept}?q=gordon`, 'merge');
  expect([answer.status, locationOf(answer)], answer.text).toEqual([303, `/office/client/${kept}?done=merged`]);
  await vi.waitFor(
    async () => expect(locationOf(await office.open(`/office/client/${other}`))).toBe(`/office/client/${kept}`),
    { timeout: 20_000 },
  );
});

test.each(['ReadOnly', 'ServiceAgent', 'Office'] as const)('%s is offered what the role may do', async (role) => {
  const agentId = role === 'ServiceAgent' ? Object.values(company.agents)[0] : undefined;
  const browser = await signedIn(company, await makeUser(company, { role, ...(agentId ? { agentId } : {}) }));
  const status = async (page: string) => (await browser.open(`/office/${page}/${contact}`)).status;
  const isOffice = role === 'Office';
  expect([await status('propose'), await status('message'), await status('merge')]).toEqual([
    isOffice ? 200 : 404,
    isOffice ? 200 : 404,
    404,
  ]);
});
