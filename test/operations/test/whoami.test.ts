import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { expectFailure } from '../../support/failed.ts';
import { type Bookable, bookable } from '../../support/scheduling.ts';
import { DAY } from '../../../lib/shared/time/time.ts';
import { parseKey } from '../../../lib/store/requests/api-keys.ts';

let company: Bookable;
beforeAll(async () => {
  company = await bookable();
});

const whoami = (key: string) => company.call('test/whoami', {}, { key });

test('a key of the account learns that it may do all that its role may, anywhere and for ever', async () => {
  const key = await company.newKey({ role: 'Office', name: 'call centre', rate: 7, inFlight: 3 });
  const { status, body } = await whoami(key);
  expect([status, body]).toEqual([
    200,
    {
      Public: parseKey(key)?.publicPart,
      Name: 'call centre',
      Role: 'Office',
      AccountId: company.accountId,
      Organization: null,
      Agent: null,
      Allow: [],
      ReadOnly: false,
      Assistant: 'read',
      From: [],
      Rate: 7,
      Burst: 14,
      InFlight: 3,
      Subscriber: 'default',
      DateStyle: 'iso',
      Lenient: false,
      Channel: '',
      Campaign: '',
      Feed: 'standard',
      CreatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      ExpiresAt: null,
      ResultCode: 0,
      Message: '',
    },
  ]);
});

test('a key that was made for less learns to what, though it may call nothing else', async () => {
  const expiresAt = Math.floor(Date.now() / 1_000) * 1_000 + DAY;
  const key = await company.newKey({
    role: 'ServiceAgent',
    organizationId: 1,
    agentId: company.agents['Ann'] ?? 0,
    allow: ['contacts/locate'],
    readOnly: true,
    assistant: 'write',
    from: ['127.0.0.0/8', '::1'],
    subscriber: 'phone',
    dateStyle: 'us',
    lenient: true,
    channel: 'Web',
    campaign: 'Spring',
    feed: 'flat',
    expiresAt,
  });
  expectFailure(await company.call('test/echo', {}, { key }), 403);
  expect((await whoami(key)).body).toMatchObject({
    Role: 'ServiceAgent',
    Organization: { Id: 1, Name: 'Springfield' },
    Agent: { Id: company.agents['Ann'], Name: 'Ann' },
    Allow: ['contacts/locate'],
    ReadOnly: true,
    Assistant: 'write',
    From: ['127.0.0.0/8', '::1'],
    Subscriber: 'phone',
    DateStyle: 'us',
    Lenient: true,
    Channel: 'Web',
    Campaign: 'Spring',
    Feed: 'flat',
    ExpiresAt: new Date(expiresAt).toISOString().replace('.000', ''),
  });
});

test('neither the secret nor its hash is in the answer', async () => {
  const key = await company.newKey();
  const secret = parseKey(key)?.secret ?? '';
  const { text } = await whoami(key);
  const hash = createHash('sha256').update(secret).digest();
  for (const each of [secret, hash.toString('hex'), hash.toString('base64')]) expect(text).not.toContain(each);
});

test('a key that has ended, and one at another address, learn nothing', async () => {
  expectFailure(await whoami(await company.newKey({ expiresAt: Date.now() - 1 })), 401);
  expectFailure(await whoami(await company.newKey({ from: ['203.0.113.0/24'] })), 403);
});

test('a key that ends within 60 days says in how many, and one that is replaced or ends later does not', async () => {
  const DAY = 86_400_000;
  const endOf = (days: number) => new Date(Date.now() + days * DAY).getTime() - 60_000;
  const soon = await whoami(await company.newKey({ expiresAt: endOf(12) }));
  expect(soon.body['Message']).toMatch(/^This key ends on \d{4}-\d\d-\d\d, in 12 days\. Ask for a new one\.$/);
  expect((await whoami(await company.newKey({ expiresAt: endOf(62) }))).body['Message']).toBe('');
});
