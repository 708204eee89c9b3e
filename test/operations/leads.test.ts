import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { codeBlocks } from '../support/documents/pages.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LeadForm } from '../../lib/entities/leads.ts';
import { putSettings } from '../support/settings.ts';
import { blankMessageSettings } from '../../lib/domain/messages/apply-settings.ts';
import { messageSettingsChange } from '../../lib/store/message-settings.ts';
import { listMessages } from '../../lib/store/messages.ts';
import { findLeadForm, writeLeadFormRevoked } from '../../lib/store/lead-forms.ts';
import { findLeadAddress } from '../../lib/store/links.ts';
import { accountStore } from '../../lib/store/store.ts';
import { exportContact } from '../../lib/workflows/contacts/export-contact.ts';
import { type NewLeadForm, createLeadForm } from '../../lib/workflows/leads/create-form.ts';
import { eraseNow, toolFiles } from '../support/erasures.ts';
import { sentForms } from '../support/lead-forms.ts';
import { type TestAccount, drainEvents, testAccount, testStack, testTable } from '../support/stack/stack.ts';

let company: TestAccount;
let form: LeadForm;
let address = '';
let providerKey = '';

const SITE = 'https://site.example.com';
const JSON_TYPE = 'application/json';

const store = () => accountStore(testTable(), company.accountId);

async function newForm(input: Partial<NewLeadForm> = {}) {
  const made = await createLeadForm(
    store(),
    { Name: 'Website', OrganizationId: 1, Channel: '', Campaign: '', Sites: [], Thanks: '', ...input },
    new Date(),
  );
  const { path = '', providerKey: key = '' } = (await findLeadAddress(store(), made.Id)) ?? {};
  return { form: made, address: `${testStack().BaseUrl}${path}`, providerKey: key };
}

beforeAll(async () => {
  company = await testAccount();
  ({ form, address, providerKey } = await newForm({ Sites: [SITE], Thanks: `${SITE}/thanks` }));
});

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

async function post(
  body: string | Uint8Array | object,
  {
    type = JSON_TYPE,
    to = address,
    headers = {},
    method = 'POST',
  }: { type?: string; to?: string; headers?: Record<string, string>; method?: string } = {},
): Promise<Sent> {
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const answer = await fetch(to, {
    method,
    headers: { 'content-type': type, ...headers },
    redirect: 'manual',
    ...(method === 'POST' ? { body: sent as string } : {}),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text.startsWith('{') ? (JSON.parse(text) as Sent['body']) : { text },
  };
}

interface Found {
  readonly Id: number;
  readonly Notes: readonly { readonly Title: string; readonly Body: string }[];
  readonly [field: string]: unknown;
}

async function locate(criteria: object): Promise<Found[]> {
  const { body } = await company.call('contacts/locate', criteria);
  return body['Matches'] as Found[];
}

interface FoundTask {
  readonly Id: number;
  readonly Description: string;
  readonly ContactId: number;
  readonly TaskCategory: string;
}

async function tasksOf(ContactId: number): Promise<FoundTask[]> {
  const { body } = await company.call('task/query', { ContactId });
  return body['Tasks'] as FoundTask[];
}

const ok = { status: 200, body: { Success: true, ResultCode: 0 } };

describe('what a form sends becomes a contact, a note and a task, and nothing of it is lost:', () => {
  test.each(Object.entries(sentForms))('%s', async (name, { type, body, contact, values }) => {
    const { form: own, address: to } = await newForm({ Name: `Form ${name}`.slice(0, 40) });
    // The test counts for a network as all do.
    expect(await post(body, { type, to })).toMatchObject(ok);
    const { Email = '', Name = '' } = contact;
    const expected = Name === 'Lead from Website' ? { Name: `Lead from ${own.Name}` } : contact;
    const [found] = await locate(Email ? { EmailSearch: Email } : { NameSearch: own.Name });
    expect(found).toMatchObject({ LeadSource: own.Name, ...expected });
    const [task] = await tasksOf(found?.Id ?? 0);
    expect(task).toMatchObject({ ContactId: found?.Id, TaskCategory: 'Lead' });
    expect(task?.Description).toContain(`Lead from ${own.Name}: `);
    const everything = [
      ...Object.values(found ?? {}),
      ...(found?.Notes ?? []).map(({ Body }) => Body),
      task?.Description,
    ];
    for (const value of values) expect(everything.join('\n').replaceAll('\r\n', '\n')).toContain(value);
  });
});

test('channel and campaign of the form are those of its new contacts', async () => {
  const Campaigns = [{ Name: 'Spring' }];
  await putSettings(company.accountId, 'Channel', [{ Name: 'Paid search', Campaigns }] as never);
  const { address: to } = await newForm({ Channel: 'Paid search', Campaign: 'Spring' });
  await post({ name: 'Cam Paign', email: 'cam@example.com' }, { to });
  expect(await locate({ EmailSearch: 'cam@example.com' })).toMatchObject([
    { Channel: 'Paid search', Campaign: 'Spring' },
  ]);
});

test('the task of a lead is an event of its form, and a message to the office', async () => {
  const settings = { ...blankMessageSettings(0), On: true, Since: 1, Notify: ['office@example.com'] };
  await testTable().commit([messageSettingsChange({ account: company.accountId }, settings)]);
  await post({ name: 'Off Ice', email: 'office.lead@example.com' });
  await drainEvents();
  const [found] = await locate({ EmailSearch: 'office.lead@example.com' });
  const [{ Id } = { Id: 0 }] = await tasksOf(found?.Id ?? 0);
  const { messages } = await listMessages(store(), [0], { skip: 0, take: 20 });
  expect(messages).toContainEqual(
    expect.objectContaining({ Kind: 'Office', Address: 'office@example.com', RecordId: Id }),
  );
});

test('a known contact keeps every field, whatever a form says, and gets the note and the task', async () => {
  const before = { Name: 'Kay Own', Email: 'kay@example.com', Phone: '804-555-0100', DoNotEmail: true, Zip: '23220' };
  await company.call('contacts/addupdate', { Matches: [before] });
  const lead = {
    name: 'Kay Own',
    email: 'KAY@example.com',
    phone: '804-555-0999',
    zip: '10001',
    message: 'Again please',
  };
  expect(await post(lead)).toMatchObject(ok);
  const [found, ...others] = await locate({ EmailSearch: 'kay@example.com' });
  expect([found, others]).toMatchObject([before, []]);
  const [note] = found?.Notes ?? [];
  expect(note).toMatchObject({ Title: 'Lead from Website' });
  for (const value of ['804-555-0999', '10001', 'Again please']) expect(note?.Body).toContain(value);
  const [task] = await tasksOf(found?.Id ?? 0);
  expect(task?.Description).toContain('The contact is unchanged; the client gave:');
  expect(task?.Description).toContain('Phone: 804-555-0999');
});

test('a postal code that belongs to another organization is in the note', async () => {
  const two = await testAccount();
  await two.call('organizations/create', { PublicName: 'Other', PostalCodes: '23299', Timezone: 'America/New_York' });
  const made = await createLeadForm(
    accountStore(testTable(), two.accountId),
    { Name: 'Website', OrganizationId: 1, Channel: 'Gone', Campaign: '', Sites: [], Thanks: '' },
    new Date(),
  );
  const { path = '' } = (await findLeadAddress(accountStore(testTable(), two.accountId), made.Id)) ?? {};
  const to = `${testStack().BaseUrl}${path}`;
  expect(await post({ name: 'Far Away', email: 'far@example.com', zip: '23299' }, { to })).toMatchObject(ok);
  const { body } = await two.call('contacts/locate', { EmailSearch: 'far@example.com' });
  const [found] = body['Matches'] as Found[];
  expect(found).toMatchObject({ Name: 'Far Away', OrganizationId: 1 });
  expect(JSON.stringify(found)).toContain('23299');
});

test('a lead that comes again, even at once, is stored once: by its body, or the id of its provider', async () => {
  const body = { name: 'Dora Twice', email: 'dora@example.com', message: 'Once' };
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(body)));
  for (const answer of answers) expect(answer).toMatchObject(ok);
  const [found, ...others] = await locate({ EmailSearch: 'dora@example.com' });
  expect(others).toEqual([]);
  expect(await tasksOf(found?.Id ?? 0)).toHaveLength(1);
  const typeform = (event_id: string, message: string) => ({
    event_id,
    event_type: 'form_response',
    email: 'dora2@example.com',
    message,
  });
  for (const [id, message] of [
    ['e1', 'one'],
    ['e1', 'one, later'],
    ['e2', 'two'],
  ] as const)
    await post(typeform(id, message));
  const [second] = await locate({ EmailSearch: 'dora2@example.com' });
  expect(await tasksOf(second?.Id ?? 0)).toHaveLength(2);
  expect((await findLeadForm(store(), form.Id))?.Repeated).toBeGreaterThanOrEqual(5);
});

test.each(['', ' \r\n', '{}', '[]', 'name=&email='])('an empty form (%j) is 400, and no lead', async (body) => {
  const { form: own, address: to } = await newForm();
  expect(await post(body, { to })).toMatchObject({ status: 400 });
  expect(await findLeadForm(store(), own.Id)).toMatchObject({ Received: 0 });
});

test('a form that no person filled in is answered as any other, counted, and not stored', async () => {
  const { form: own, address: to } = await newForm();
  const spam = [
    { name: 'Bot One', email: 'bot1@example.com', _gotcha: 'https://spam.example' },
    { name: 'Bot Two', email: 'bot2@example.com', _opened: new Date().toISOString() },
  ];
  for (const body of spam) expect(await post(body, { to })).toMatchObject(ok);
  const slow = { name: 'Slow', email: 'slow@example.com', _gotcha: '', _opened: String(Date.now() - 20_000) };
  expect(await post(slow, { to })).toMatchObject(ok);
  expect(await locate({ NameSearch: 'Bot' })).toEqual([]);
  expect(await locate({ EmailSearch: 'slow@example.com' })).toHaveLength(1);
  expect(await findLeadForm(store(), own.Id)).toMatchObject({ Received: 1, Spam: 2 });
});

test('the form of the guide is a lead, as a browser sends it', async () => {
  const guide = readFileSync(new URL('../../docs/guides/leads-from-a-form.md', import.meta.url), 'utf8');
  const [html = ''] = codeBlocks(guide).flatMap(({ language, text }) => (language === 'html' ? [text] : []));
  const values: Record<string, string> = {
    name: 'Gil Guide',
    email: 'guide@example.com',
    phone: '804-555-0144',
    message: 'Hi',
  };
  const names = [...html.matchAll(/ name="(\w+)"/g)].map(([, name = '']) => name);
  expect(names).toEqual(['name', 'email', 'phone', 'message', '_gotcha']);
  const fields = names.map((name): [string, string] => [name, values[name] ?? '']);
  expect(
    await post(new URLSearchParams(fields).toString(), { type: 'application/x-www-form-urlencoded' }),
  ).toMatchObject(ok);
  expect(await locate({ EmailSearch: 'guide@example.com' })).toMatchObject([
    { Name: 'Gil Guide', Phone: '804-555-0144' },
  ]);
});

describe('a browser', () => {
  const navigation = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate', origin: SITE };

  test('goes to the page that the company named, wherever the form wants to go', async () => {
    const evil = { _next: 'https://evil.example', redirect: '//evil.example' };
    const body = new URLSearchParams({ name: 'Web Site', email: 'web@example.com', ...evil }).toString();
    // fetch says that it is a script, whatever its caller says.
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { ...navigation, 'content-type': 'application/x-www-form-urlencoded' };
      request(address, { method: 'POST', headers }, resolve).on('error', reject).end(body);
    });
    answer.resume();
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${SITE}/thanks`]);
  });

  test('gets JSON for a script, which only the named sites may read', async () => {
    const script = { accept: '*/*', 'sec-fetch-mode': 'cors' };
    const own = await post({ email: 'script1@example.com' }, { headers: { ...script, origin: SITE } });
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, SITE]);
    const other = await post(
      { email: 'script2@example.com' },
      { headers: { ...script, origin: 'https://evil.example' } },
    );
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });

  test('may send JSON from the named sites alone', async () => {
    const ask = (origin: string) =>
      post('', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      });
    const own = await ask(SITE);
    expect(own.status).toBe(204);
    expect(own.headers.get('access-control-allow-origin')).toBe(SITE);
    expect(own.headers.get('access-control-allow-headers')).toContain('content-type');
    expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('Google Ads and Meta', () => {
  const lead = (google_key: string, more: object = {}) => ({
    lead_id: `lead ${google_key.length}`,
    google_key,
    user_column_data: [{ column_id: 'EMAIL', string_value: 'google@example.com' }],
    ...more,
  });

  test('are refused without the provider key of the form, which no note shows', async () => {
    expect(await post(lead('wrong'))).toMatchObject({ status: 403, body: { Code: 'invalid_address' } });
    expect(await locate({ EmailSearch: 'google@example.com' })).toEqual([]);
    expect(await post(lead(providerKey))).toMatchObject(ok);
    const [found] = await locate({ EmailSearch: 'google@example.com' });
    expect(JSON.stringify(found)).not.toContain(providerKey);
  });

  test('store no test lead', async () => {
    const test = lead(providerKey, {
      is_test: true,
      user_column_data: [{ column_id: 'EMAIL', string_value: 'gtest@example.com' }],
    });
    expect(await post(test)).toMatchObject({ status: 200, body: { Success: true, Test: true } });
    expect(await locate({ EmailSearch: 'gtest@example.com' })).toEqual([]);
  });

  test('get the challenge back with the provider key alone', async () => {
    const ask = (token: string) =>
      post('', {
        method: 'GET',
        to: `${address}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`,
      });
    expect(await ask(providerKey)).toMatchObject({ status: 200, body: { text: '1158201444' } });
    expect(await ask('wrong')).toMatchObject({ status: 403 });
    expect(await post('', { method: 'GET' })).toMatchObject({ status: 405, body: { Code: 'wrong_method' } });
  });
});

test.each([
  ['broken JSON', JSON_TYPE, '{"name": "Zed", "email": broken@example.com,'],
  ['no format', 'text/plain', 'broken@example.com wants a visit'],
  ['an unknown charset', 'text/plain; charset=klingon', 'broken@example.com: visit'],
])('a body with %s is a lead, whose note has it as it came', async (_, type, body) => {
  const { address: to } = await newForm();
  expect(await post(body, { to, type })).toMatchObject(ok);
  const [found] = await locate({ EmailSearch: 'broken@example.com' });
  expect(found?.Notes.map(({ Body }) => Body)).toContain(body);
});

test('a body over 256 KB is refused with a sentence, and one below it is stored whole', async () => {
  const big = 'x'.repeat(256 * 1024);
  expect(await post({ message: big })).toMatchObject({ status: 413, body: { Code: 'request_too_large' } });
  const message = `${'word '.repeat(50_000)}end`;
  expect(await post({ email: 'long@example.com', message })).toMatchObject(ok);
  const [found] = await locate({ EmailSearch: 'long@example.com' });
  const text = (found?.Notes ?? []).map(({ Body }) => Body).join('');
  expect(text.replaceAll(/\s/g, '')).toContain(message.replaceAll(/\s/g, ''));
});

test('a formula, HTML and prototype keys stay texts', async () => {
  const body =
    '{"email":"hostile@example.com","name":"=HYPERLINK(\\"x\\")","__proto__":{"admin":true},"message":"<script>alert(1)</script>"}';
  expect(await post(body)).toMatchObject(ok);
  const [found] = await locate({ EmailSearch: 'hostile@example.com' });
  expect(found?.['Name']).toBe('=HYPERLINK("x")');
  expect(JSON.stringify(found?.Notes)).toContain('<script>alert(1)</script>');
  expect(JSON.stringify(found?.Notes)).toContain('admin');
});

test('a revoked, wrong or foreign address takes nothing, and says how leads come in', async () => {
  const { form: own, address: to } = await newForm();
  expect(await post({ email: 'before@example.com' }, { to })).toMatchObject(ok);
  await writeLeadFormRevoked(store(), own.Id, new Date());
  const stranger = (await testAccount()).accountId;
  const wrong = [
    to,
    to.replace(/.$/, (sign) => (sign === 'A' ? 'B' : 'A')),
    to.replace(company.accountId, stranger),
    `${testStack().BaseUrl}/api/leads/create`,
  ];
  for (const each of wrong)
    expect(await post({ email: 'after@example.com' }, { to: each })).toMatchObject({
      status: 404,
      body: { Code: 'unknown_path' },
    });
  expect(await locate({ EmailSearch: 'after@example.com' })).toEqual([]);
});

test('erasure and export of the contact find all that the lead left', async () => {
  await post({ name: 'Erna Erased', email: 'erna@example.com', message: 'Erna Erased wants roses' });
  const [found] = await locate({ EmailSearch: 'erna@example.com' });
  const contactId = found?.Id ?? 0;
  const options = { account: company.accountId, contactId, files: toolFiles(), now: new Date() };
  const files: string[] = [];
  for await (const { content } of exportContact(store(), options)) files.push(JSON.stringify(content));
  expect(files.join('\n')).toContain('wants roses');
  await eraseNow(company.accountId, contactId);
  expect(await locate({ EmailSearch: 'erna@example.com' })).toEqual([]);
  expect(JSON.stringify((await company.call('task/query', {})).body)).not.toContain('Erna');
});
