import { beforeAll, describe, expect, test } from 'vitest';
import type { Appointment } from '../../lib/entities/appointments.ts';
import type { UserRecord } from '../../lib/entities/users.ts';
import { type OfficeBrowser, makeUser, signedIn, tokenIn } from '../support/office.ts';
import { hiddenFields } from '../support/pages.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { drainEvents } from '../support/stack/stack.ts';

let company: Bookable;
let user: UserRecord;

beforeAll(async () => {
  company = await bookable();
  user = await makeUser(company, { role: 'Office', name: 'Olive Office' });
});

const bookVisit = async (time: string): Promise<number> =>
  slotIn(await company.book('Ann', `2035-03-${time}`)).AppointmentId;

const visitOf = async (AppointmentId: number): Promise<Appointment> => {
  const { body } = await company.call('appointments/find', { AppointmentId, IncludeCompleted: true });
  return (body['Slots'] as Appointment[])[0] as Appointment;
};

/** The name in what a form chose: `2035-03-05T09:00:00Z 2`. */
const timesIn = (text: string): string[] =>
  [...text.matchAll(/name="time" value="([^"]+)"/g)].map(([, value = '']) => value);

describe('a form is refused, and changes nothing,', () => {
  let visit: number;
  let browser: OfficeBrowser;
  let address: string;
  let fields: Record<string, string>;
  beforeAll(async () => {
    visit = await bookVisit('06T09:00');
    browser = await signedIn(company, user);
    address = `/office/visit/${visit}`;
    fields = hiddenFields((await browser.open(address)).text, 'start');
  });

  const expectRefused = async (
    sent: Record<string, string>,
    headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ) => {
    const answer = await browser.post(address, sent, headers);
    expect(answer.status).toBe(403);
    expect((await visitOf(visit)).Status).toBe(1);
  };

  test('without a token, with a wrong one, and with that of another session', async () => {
    const { token: _, ...without } = fields;
    await expectRefused(without);
    await expectRefused({ ...fields, token: 'x'.repeat(22) });
    const other = await signedIn(company, await makeUser(company, { role: 'Owner' }));
    await expectRefused({ ...fields, token: tokenIn(await other.open('/office')) });
    const own = await signedIn(company, user);
    await expectRefused({ ...fields, token: tokenIn(await own.open('/office')) });
  });

  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    {},
  ] as Record<string, string>[])('from another site, with a right token: %j', async (headers) => {
    const answer = await browser.post(address, fields, headers);
    expect(answer.status).toBe(403);
    expect((await visitOf(visit)).Status).toBe(1);
  });

  test('by GET, and as JSON', async () => {
    expect((await browser.open(`${address}?${new URLSearchParams(fields)}`)).status).toBe(200);
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const answer = await browser.request(address, { method: 'POST', headers, body: JSON.stringify(fields) });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((await visitOf(visit)).Status).toBe(1);
  });

  test.each(['PUT', 'DELETE', 'PATCH'])('by %s', async (method) => {
    const answer = await browser.request(address, { method, headers: { 'sec-fetch-site': 'same-origin' } });
    expect(answer.status).toBe(405);
  });

  test('of an unknown kind, at a page that has none, and for what is no id', async () => {
    for (const [path, action] of [
      [address, 'constructor'],
      ['/office/money', 'start'],
      ['/office/visit/0', 'start'],
      ['/office/visit/1e3', 'start'],
      [`/office/visit/${visit}x`, 'start'],
    ] as const)
      expect([path, (await browser.post(path, { ...fields, action })).status]).toEqual([path, 404]);
  });

  test('and done when the page itself sends it: once, however often it is sent', async () => {
    const sent = await browser.post(address, fields);
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${address}?done=started`]);
    expect((await visitOf(visit)).Status).not.toBe(1);
    expect((await browser.open(`${address}?done=started`)).text).toContain('The visit is started.');
  });
});

test('every page keeps others from framing it, caching it, or running scripts in it', async () => {
  const browser = await signedIn(company, user);
  const pages = ['', '/week', '/clients', `/client/${company.contact}`, '/money', '/tasks', '/sign-in', '/nothing'];
  for (const path of pages) {
    const { headers } = await browser.open(`/office${path}`);
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('two people move one visit at once: one does, and the other sees the new state, and that nothing was changed', async () => {
  const id = await bookVisit('07T09:00');
  const people = await Promise.all(
    [user, await makeUser(company, { role: 'Owner' })].map((each) => signedIn(company, each)),
  );
  const address = `/office/visit/${id}`;
  const pages = await Promise.all(people.map((each) => each.open(`${address}?move=1&from=2035-03-08`)));
  const choices = pages.map(({ text }, index) => ({
    ...hiddenFields(text, 'move'),
    time: timesIn(text)[index * 3] ?? '',
  }));
  expect(new Set(choices.map(({ time }) => time)).size).toBe(2);
  const sent = await Promise.all(people.map((each, index) => each.post(address, choices[index] ?? {})));
  expect(sent.map(({ status }) => status).sort()).toEqual([303, 409]);
  const won = sent.findIndex(({ status }) => status === 303);
  const lost = sent[1 - won];
  const { DateTime } = await visitOf(id);
  expect(Date.parse(DateTime)).toBe(Date.parse(choices[won]?.time.split(' ')[0] ?? ''));
  expect(lost?.text).toContain('Nothing was changed');
  expect(lost?.text).toContain('was changed since you saw it');
  // What the page shows now is what another try relies on.
  expect(hiddenFields(lost?.text ?? '', 'queue')['seen']).toBe(DateTime);
});

test('a visit that somebody canceled meanwhile is not moved, started or finished', async () => {
  const id = await bookVisit('08T09:00');
  const browser = await signedIn(company, user);
  const address = `/office/visit/${id}`;
  const { text } = await browser.open(`${address}?move=1&from=2035-03-09`);
  await company.call('appointments/cancel', { AppointmentId: id, CancelReasonId: 1 });
  const canceled = await visitOf(id);
  for (const action of ['move', 'start', 'finish', 'queue']) {
    const answer = await browser.post(address, { ...hiddenFields(text, action), time: timesIn(text)[0] ?? '' });
    expect([action, answer.status]).toEqual([action, 409]);
  }
  expect(await visitOf(id)).toEqual(canceled);
});

test('what a user does is in the events under the name of the user', async () => {
  const browser = await signedIn(company, await makeUser(company, { role: 'Office', name: 'Nora Named' }));
  const done = await browser.send(`/office/client/${company.contact}`, 'note', { body: 'The gate code is 4711.' });
  expect(done.headers.get('location')).toBe(`/office/client/${company.contact}?done=noted`);
  await browser.send(`/office/client/${company.contact}`, 'task', { description: 'Call back', due: '2035-03-01' });
  const page = await browser.open(`/office/client/${company.contact}`);
  expect(page.text).toContain('The gate code is 4711.');
  const [, task = ''] = /name="task" value="(\d+)"/.exec(page.text) ?? [];
  await browser.post(`/office/client/${company.contact}`, { ...hiddenFields(page.text, 'complete'), task });
  const found = await company.call('task/query', { ContactId: company.contact, IncludeCompleted: true });
  expect(found.body['Tasks']).toMatchObject([{ Description: 'Call back', CompletedBy: 'Nora Named' }]);
  await drainEvents();
  const { body } = await company.call('datasubscriber/fetch', { EventCount: 1000 });
  const events = body['Events'] as { By?: string; Key?: string; Kind: string }[];
  expect(JSON.stringify(events)).toContain('Nora Named');
});

test('a service agent sees the own day only: no visit, client or money of others, and may start and finish', async () => {
  const own = await bookVisit('12T09:00');
  const client = (await company.call('contacts/addupdate', { Name: 'Zenobia Other', Zip: '62701' })).body[
    'Matches'
  ] as { Id: number }[];
  const other = slotIn(await company.book('Ben', '2035-03-12T11:00', { ContactId: client[0]?.Id })).AppointmentId;
  const agent = await makeUser(company, { role: 'ServiceAgent', agentId: company.agents['Ann'] ?? 0 });
  const browser = await signedIn(company, agent);
  const shown = async (address: string) => (await browser.open(address)).text;
  const day = await shown('/office?date=2035-03-12');
  expect(day).toContain(`/office/visit/${own}"`);
  for (const address of [
    '/office?date=2035-03-12',
    '/office/week?date=2035-03-12',
    '/office/clients?q=Zenobia',
    `/office/client/${client[0]?.Id}`,
    `/office/visit/${other}`,
    `/office/book/${client[0]?.Id}`,
    '/office/money',
    '/office/tasks',
  ]) {
    // What was asked for stands in the field; the client's name stands nowhere.
    const text = (await shown(address))
      .replaceAll('q=Zenobia&amp;', '')
      .replaceAll('Zenobia"', '')
      .replaceAll('“Zenobia”', '');
    expect([address, text.includes('Zenobia'), text.includes(`/office/visit/${other}"`)]).toEqual([
      address,
      false,
      false,
    ]);
  }
  const { text } = await browser.open(`/office/visit/${own}`);
  expect(text).not.toContain('value="cancel"');
  const started = await browser.send(`/office/visit/${own}`, 'start');
  expect(started.headers.get('location')).toBe(`/office/visit/${own}?done=started`);
  const token = tokenIn({ text });
  const forced = await browser.post(`/office/visit/${own}`, { token, action: 'cancel', reason: '1', seen: '' });
  expect(forced.status).toBe(403);
});
