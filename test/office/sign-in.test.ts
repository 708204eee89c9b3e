import { beforeAll, describe, expect, test } from 'vitest';
import { describeOffice } from '../../infra/local/office-link.ts';
import type { UserRecord } from '../../lib/entities/users.ts';
import { OfficeBrowser, makeUser, signedIn } from '../support/office.ts';
import { type TestAccount, openAccount, testAccount, testStack } from '../support/stack/stack.ts';

let account: TestAccount;
let person: UserRecord;
const { OfficeIssuer: issuer, officeAccount = '' } = testStack();

beforeAll(async () => {
  account = await openAccount(officeAccount);
  person = await makeUser(account, { role: 'Office', name: 'Olive Office' });
});

const startOf = (email: string): string => `/office/start?login_hint=${encodeURIComponent(email)}`;

/** Goes through the sign-in pages until they send the browser back; the address is not opened yet. */
async function returnAddress(browser: OfficeBrowser, email: string): Promise<string> {
  let next = startOf(email);
  for (let count = 0; count < 8; count++) {
    const { headers } = await browser.open(next);
    next = new URL(headers.get('location') ?? '', new URL(next, issuer)).href;
    if (next.startsWith(`${browser.baseUrl}/office/signed-in`)) return next;
  }
  throw new Error('the sign-in pages do not send the browser back');
}

/** What a browser has after a sign-in that must not work. */
async function expectRefused(browser: OfficeBrowser, address: string): Promise<void> {
  const answer = await browser.open(address);
  expect([answer.status, browser.own.get('office')]).toEqual([403, undefined]);
  expect(answer.text).toContain('href="/office/start"');
  expect((await browser.open('/office')).headers.get('location')).toBe('/office/sign-in');
}

test('a person signs in by code flow with PKCE, state and nonce, and sees the day under the own name', async () => {
  const browser = new OfficeBrowser();
  const begun = await browser.open(startOf(person.Email));
  const asked = new URL(begun.headers.get('location') ?? '');
  expect([begun.status, asked.origin]).toEqual([303, issuer]);
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    response_type: 'code',
    scope: 'openid email',
    code_challenge_method: 'S256',
    redirect_uri: `${browser.baseUrl}/office/signed-in`,
    login_hint: person.Email,
  });
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(asked.searchParams.get(name)?.length, name).toBeGreaterThanOrEqual(43);
  const page = await browser.follow(asked.href);
  expect([page.status, new URL(page.address).pathname]).toEqual([200, '/office']);
  expect(page.text).toContain('Olive Office');
  expect([...browser.own.keys()]).toEqual(['office']);
});

test('the sign-in page of the local stack offers the users who may work in the office, and signs the chosen one in', async () => {
  await makeUser(account, { role: 'Marketing', email: 'mark@office.example' });
  const browser = new OfficeBrowser();
  const choice = await browser.follow('/office/start');
  expect(choice.text).toContain(person.Email);
  expect(choice.text).not.toContain('mark@office.example');
  const [, link = ''] = new RegExp(`href="([^"]+${encodeURIComponent(person.Email)})"`).exec(choice.text) ?? [];
  const page = await browser.follow(new URL(link, issuer).href);
  expect(page.text).toContain('Olive Office');
});

test('the link that `npm start` prints signs in as somebody of the office; a company without users has none', async () => {
  const stack = testStack();
  const local = { ...stack, ApiKey: '', OrganizationId: 1 };
  const [, link = ''] = /(http\S+)/.exec(await describeOffice({ ...local, AccountId: officeAccount })) ?? [];
  const page = await new OfficeBrowser().follow(link);
  expect([page.status, new URL(page.address).pathname]).toEqual([200, '/office']);
  const { accountId } = await testAccount();
  expect(await describeOffice({ ...local, AccountId: accountId })).toBe('');
});

describe('a sign-in is refused, and no session begins,', () => {
  test('with the state of another attempt', async () => {
    const browser = new OfficeBrowser();
    const address = new URL(await returnAddress(browser, person.Email));
    address.searchParams.set('state', 'x'.repeat(43));
    await expectRefused(browser, address.href);
  });

  test('without the cookie of the attempt', async () => {
    const browser = new OfficeBrowser();
    const address = await returnAddress(browser, person.Email);
    browser.own.clear();
    await expectRefused(browser, address);
  });

  test('in a browser with the cookie of another attempt: nobody is signed in as somebody else by a link', async () => {
    const [attacker, victim] = [new OfficeBrowser(), new OfficeBrowser()];
    const address = await returnAddress(attacker, person.Email);
    await victim.open(startOf(person.Email));
    await expectRefused(victim, address);
  });

  test.each(['verifier', 'nonce'])('with another %s in the cookie', async (name) => {
    const browser = new OfficeBrowser();
    const address = await returnAddress(browser, person.Email);
    const cookie = browser.own.get('office-sign-in') ?? '';
    const attempt = JSON.parse(Buffer.from(cookie, 'base64url').toString()) as Record<string, string>;
    const changed = { ...attempt, [name]: 'y'.repeat(43) };
    browser.own.set('office-sign-in', Buffer.from(JSON.stringify(changed)).toString('base64url'));
    await expectRefused(browser, address);
  });

  test.each(['', 'e30', '%%%', 'bnVsbA', 'W10'])('with a broken cookie: %j', async (cookie) => {
    const browser = new OfficeBrowser();
    const address = await returnAddress(browser, person.Email);
    browser.own.set('office-sign-in', cookie);
    await expectRefused(browser, address);
  });

  test('with a code that was used before', async () => {
    const browser = new OfficeBrowser();
    const address = await returnAddress(browser, person.Email);
    const attempt = browser.own.get('office-sign-in') ?? '';
    expect((await browser.open(address)).status).toBe(303);
    browser.own.clear();
    browser.own.set('office-sign-in', attempt);
    await expectRefused(browser, address);
  });

  test('with an error of the user pool', async () => {
    const browser = new OfficeBrowser();
    const address = new URL(await returnAddress(browser, person.Email));
    address.searchParams.delete('code');
    address.searchParams.set('error', 'access_denied');
    await expectRefused(browser, address.href);
  });

  test.each(['Marketing', 'DataSubscriber'] as const)('for a user of role %s', async (role) => {
    const browser = new OfficeBrowser();
    const other = await makeUser(account, { role });
    const address = await returnAddress(browser, person.Email);
    // The person whom the pool has just signed in gets the other role meanwhile.
    const { OrganizationId } = person;
    const change = (Role: string) =>
      account.call('organizations/update', { OrganizationId, Users: [{ Id: person.Id, Role }] });
    await change(role);
    await expectRefused(browser, address);
    await change('Office');
    expect(other.Role).toBe(role);
  });

  test('for an inactive user, and a service agent who is no agent', async () => {
    const user = await makeUser(account, { role: 'Office' });
    const browser = new OfficeBrowser();
    const address = await returnAddress(browser, user.Email);
    const { OrganizationId } = user;
    const Users = [{ Id: user.Id, Active: false }];
    expect((await account.call('organizations/update', { OrganizationId, Users })).status).toBe(200);
    await expectRefused(browser, address);
    await makeUser(account, { role: 'ServiceAgent', email: 'no-agent@office.example' });
    const choice = await new OfficeBrowser().follow(startOf('no-agent@office.example'));
    expect(choice.text).toContain('Sign in on the local stack');
    expect(choice.text).not.toContain('no-agent@office.example');
  });
});

test('a planted session is not taken over: the person gets another one, and the planted one stays that of its user', async () => {
  const attacker = await makeUser(account, { role: 'ReadOnly', name: 'Eve' });
  const planted = (await signedIn(account, attacker)).own.get('office') ?? '';
  for (const cookie of [planted, 'chosen-by-somebody-else']) {
    const browser = new OfficeBrowser();
    browser.own.set('office', cookie);
    const page = await browser.follow(startOf(person.Email));
    expect(page.text).toContain('Olive Office');
    expect(browser.own.get('office')).not.toBe(cookie);
  }
  const eve = new OfficeBrowser();
  eve.own.set('office', planted);
  const { text } = await eve.open('/office');
  expect(text).toContain('Eve');
  expect(text).not.toContain('Olive Office');
});

test('no address makes the office redirect to another site', async () => {
  const evil = 'https://evil.example/';
  const browser = await signedIn(account, person);
  const words = ['next', 'return', 'return_to', 'redirect', 'redirect_uri', 'url', 'post_logout_redirect_uri', 'q'];
  const query = new URLSearchParams(Object.fromEntries(words.map((name) => [name, evil]))).toString();
  const pages = [
    '',
    '/start',
    '/signed-in',
    '/sign-in',
    '/sign-out',
    '/clients',
    '//evil.example',
    '/%2f%2fevil.example',
  ];
  for (const path of pages) {
    const { headers } = await browser.open(`${browser.baseUrl}/office${path}?${query}`);
    const location = headers.get('location');
    if (location === null) continue;
    const { origin, searchParams } = new URL(location, browser.baseUrl);
    expect([path, [browser.baseUrl, issuer].includes(origin)]).toEqual([path, true]);
    if (origin === issuer) expect(searchParams.get('redirect_uri')).toBe(`${browser.baseUrl}/office/signed-in`);
  }
});

test('signing out ends the session at once, also for a copy of its cookie, and goes on to the user pool', async () => {
  const browser = new OfficeBrowser();
  const { text } = await browser.follow(startOf(person.Email));
  const thief = new OfficeBrowser();
  thief.own.set('office', browser.own.get('office') ?? '');
  expect((await thief.open('/office/clients')).status).toBe(200);
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const left = await browser.post('/office/sign-out', { token });
  const [, next = ''] = /^0; url=(.+)$/.exec(left.headers.get('refresh') ?? '') ?? [];
  expect(new URL(next).origin).toBe(issuer);
  expect(new URL(next).searchParams.get('post_logout_redirect_uri')).toBe(`${browser.baseUrl}/office/sign-in`);
  expect(browser.own.has('office')).toBe(false);
  for (const each of [thief, browser]) {
    const answer = await each.open('/office/clients');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/office/sign-in']);
  }
});
