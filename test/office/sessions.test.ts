import { beforeAll, describe, expect, test } from 'vitest';
import { sessionCookie, attemptCookie } from '../../functions/office/cookies.ts';
import type { UserRecord } from '../../lib/entities/users.ts';
import { writeAccountSuspension } from '../../lib/store/administration/account-administration.ts';
import { layout } from '../../lib/store/keys.ts';
import { listKeys, parseKey, revokeKey } from '../../lib/store/requests/api-keys.ts';
import { accountStore } from '../../lib/store/store.ts';
import { HOUR, SECOND } from '../../lib/shared/time/time.ts';
import { OfficeBrowser, makeUser, signedIn, tokenIn } from '../support/office.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { call, drainEvents, testStack, testTable } from '../support/stack/stack.ts';

let company: Bookable;
let user: UserRecord;
let visit: number;

beforeAll(async () => {
  company = await bookable();
  user = await makeUser(company, { role: 'Office', name: 'Olive Office' });
  visit = slotIn(await company.book('Ann', '2035-03-05T09:00')).AppointmentId;
});

/** The pages with a record of the company. */
const addresses = (): readonly string[] => [
  '/office',
  '/office?date=2035-03-05',
  '/office/today',
  '/office/week',
  `/office/visit/${visit}`,
  `/office/visit/${visit}?move=1`,
  `/office/move/${visit}?date=2035-03-06&time=09:00&agent=1`,
  '/office/clients',
  '/office/clients?q=Jos',
  `/office/client/${company.contact}`,
  `/office/book/${company.contact}`,
  '/office/money',
  '/office/tasks',
];

/** Whether an answer shows the sign-in, or leads there, and nothing of a company. */
async function isClosed(browser: OfficeBrowser, address: string, isForm = false): Promise<boolean> {
  const answer = isForm ? await browser.post(address, { action: 'start' }) : await browser.open(address);
  const leads = answer.headers.get('location') === '/office/sign-in' && answer.text === '';
  const shows = answer.text.includes('href="/office/start"') && !answer.text.includes('José');
  return isForm ? answer.status === 403 && shows : answer.status === 303 && leads;
}

const someWord = (seed: number): string =>
  ['today', 'visit', 'client', 'x', '..%2fapi', 'admin', '%00', 'constructor', '__proto__', '9'.repeat(20)][
    seed % 10
  ] ?? '';

test('without a session there is no page but the sign-in, at 301 addresses, by GET and POST', async () => {
  const browser = new OfficeBrowser();
  const made = Array.from({ length: 301 }, (_, seed) => {
    const parts = [someWord(seed), ...(seed % 3 ? [someWord(seed >> 2), String(seed)].slice(0, 1) : [])];
    return `/office/${parts.join('/')}?${someWord(seed >> 1)}=${seed}`;
  });
  const open: string[] = [];
  for (const address of [...addresses(), ...made])
    for (const isForm of [false, true]) if (!(await isClosed(browser, address, isForm))) open.push(address);
  expect(open).toEqual([]);
  expect((await browser.open('/office/sign-in')).status).toBe(200);
  expect((await browser.open('/office/a/b/c')).status).toBe(404);
});

test.each(['x', 'fsk_live_', 'a'.repeat(300), '"; Path=/', '%00', '__proto__'])(
  'a cookie that is no session opens nothing: %j',
  async (cookie) => {
    const browser = new OfficeBrowser();
    browser.own.set('office', cookie);
    expect(await isClosed(browser, '/office')).toBe(true);
  },
);

test('neither an API key nor a changed session opens the office', async () => {
  const browser = new OfficeBrowser();
  browser.own.set('office', company.key);
  expect(await isClosed(browser, '/office')).toBe(true);
  const session = (await signedIn(company, user)).own.get('office') ?? '';
  browser.own.set('office', `${session.slice(0, -8)}x${session.slice(-7)}`);
  expect(await isClosed(browser, '/office')).toBe(true);
});

describe('a session ends', () => {
  const changed = async (fields: object, as = user) => {
    const { OrganizationId, Id } = as;
    const answer = await company.call('organizations/update', { OrganizationId, Users: [{ Id, ...fields }] });
    expect(answer.status, answer.text).toBe(200);
  };
  const opened = async (as = user) => {
    const browser = await signedIn(company, as);
    const page = await browser.open('/office');
    expect(page.status).toBe(200);
    return { browser, token: tokenIn(page) };
  };
  const expectEnded = async (browser: OfficeBrowser) => {
    for (const address of addresses()) expect([address, await isClosed(browser, address)]).toEqual([address, true]);
    expect(await isClosed(browser, `/office/visit/${visit}`, true)).toBe(true);
  };

  test('when its user is deactivated, at once', async () => {
    const { browser } = await opened();
    await changed({ Active: false });
    await expectEnded(browser);
    await changed({ Active: true });
  });

  test('when its user gets another role, at once, and does not come back with the old role', async () => {
    const { browser } = await opened();
    await changed({ Role: 'ReadOnly' });
    await expectEnded(browser);
    await changed({ Role: 'Office' });
  });

  test('when its user becomes another service agent, at once', async () => {
    const agent = await makeUser(company, { role: 'ServiceAgent', agentId: company.agents['Ann'] ?? 0 });
    const { browser } = await opened(agent);
    await changed({ ServiceAgentId: company.agents['Ben'] }, agent);
    await expectEnded(browser);
  });

  test('when its key is revoked, at once, though the container knows it', async () => {
    const { browser } = await opened();
    const { publicPart = '' } = parseKey(browser.own.get('office') ?? '') ?? {};
    await revokeKey(accountStore(testTable(), company.accountId), publicPart, new Date());
    await expectEnded(browser);
  });

  test('twelve hours after it began', async () => {
    const began = (milliseconds: number) => signedIn(company, user, new Date(Date.now() - milliseconds));
    expect((await (await began(12 * HOUR - 30 * SECOND)).open('/office')).status).toBe(200);
    expect(await isClosed(await began(12 * HOUR + SECOND), '/office')).toBe(true);
  });

  test('while its account is suspended, at once', async () => {
    const other = await bookable();
    const own = await makeUser(other, { role: 'Owner' });
    const browser = await signedIn(other, own);
    expect((await browser.open('/office')).status).toBe(200);
    await writeAccountSuspension(accountStore(testTable(), other.accountId), Date.now());
    expect(await isClosed(browser, '/office')).toBe(true);
  });
});

describe('a session', () => {
  test('is no API key: not as X-Api-Key, not as Bearer, not in a form, not for assistants or files', async () => {
    const browser = await signedIn(company, user);
    const session = browser.own.get('office') ?? '';
    const { BaseUrl } = testStack();
    const tried = [
      await call('test/whoami', {}, { key: session }),
      await call('contacts/locate', { NameSearch: 'José' }, { headers: { authorization: `Bearer ${session}` } }),
      await call('contacts/locate', { NameSearch: 'José' }, { headers: { cookie: `office=${session}` } }),
      await call('appointments/cancel', { AppointmentId: visit, CancelReasonId: 1 }, { key: session }),
    ];
    expect(tried.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    const headers = { authorization: `Bearer ${session}`, 'content-type': 'application/json' };
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const others = [
      await fetch(`${BaseUrl}/mcp`, { method: 'POST', headers, body: message }),
      await fetch(`${BaseUrl}/files/1`, { headers: { 'x-api-key': session } }),
    ];
    expect(others.map(({ status }) => status)).toEqual([401, 401]);
    expect((await browser.open('/office')).status).toBe(200);
  });

  test('is stored as a hash, expires in the table, and makes no event, whether it runs or has ended', async () => {
    const store = accountStore(testTable(), company.accountId);
    const browser = await signedIn(company, user);
    const session = browser.own.get('office') ?? '';
    const { publicPart = '', secret = '' } = parseKey(session) ?? {};
    const itemsOf = async () =>
      Promise.all([
        testTable().get(layout.apiKey.key({ public: publicPart })),
        testTable().get(layout.accountKey.key({ account: company.accountId, public: publicPart })),
      ]);
    const [key] = await itemsOf();
    expect(JSON.stringify(key)).not.toContain(secret);
    const token = tokenIn(await browser.open('/office'));
    expect((await browser.post('/office/sign-out', { token })).status).toBe(200);
    for (const item of await itemsOf()) {
      expect(item?.['RevokedAt']).toBeTypeOf('number');
      expect(Number(item?.['TTL']) * SECOND).toBeGreaterThan(Date.now());
      expect(item?.['E']).toBe(undefined);
    }
    const listed = (await listKeys(store)).find(({ Public }) => Public === publicPart);
    expect(listed).toMatchObject({ Name: 'Olive Office', Role: 'Office' });
    await drainEvents();
    const { text } = await company.call('datasubscriber/fetch', { EventCount: 1000 });
    expect(text).not.toContain(publicPart);
  });
});

describe('cookies', () => {
  test('of a stage with https come only from this host, over https, and no script reads them', () => {
    const before = process.env['BASE_URL'];
    process.env['BASE_URL'] = 'https://api.example.com';
    try {
      const session = sessionCookie('secret');
      expect(session).toBe('__Host-office=secret; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure');
      const attempt = attemptCookie({ state: 's' });
      expect(attempt).toMatch(/^__Host-office-sign-in=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/);
    } finally {
      process.env['BASE_URL'] = before;
    }
  });
});
