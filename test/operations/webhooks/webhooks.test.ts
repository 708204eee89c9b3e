import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DataSubscriberEvent } from '../../../lib/resources/events.ts';
import type { Webhook, WebhookCall } from '../../../lib/resources/webhooks.ts';
import { writeWebhookDisabled } from '../../../lib/store/events/webhooks.ts';
import { layout } from '../../../lib/store/keys.ts';
import { listAuditEntries } from '../../../lib/store/requests/audit.ts';
import { expectFailure } from '../../support/failed.ts';
import { type ReceivedCall, type Receiver, startReceiver } from '../../support/receivers.ts';
import { until } from '../../support/stack/process.ts';
import { type TestAccount, type TestAnswer, drainEvents, testAccount, testTable } from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

const webhookIn = ({ body }: TestAnswer) => body['Webhook'] as Webhook;
const listOf = async ({ call }: TestAccount) => (await call('webhooks/list')).body['Webhooks'] as Webhook[];
const callsOf = async ({ call }: TestAccount, filter: object = {}) =>
  (await call('webhooks/calls', filter)).body['Calls'] as WebhookCall[];
const secretIn = ({ body }: TestAnswer) => String(body['Secret']);

let receiver: Receiver;
let status = 204;
beforeAll(async () => {
  receiver = await startReceiver((_, response) => void response.writeHead(status).end());
});
afterAll(() => receiver.stop());

/** The last of so many calls that the receiver gets on a path. */
async function received(path: string, count: number) {
  const own = () => receiver.calls.filter((call) => call.path === path);
  await until(() => own().length >= count, 10_000);
  expect(own()).toHaveLength(count);
  return own()[count - 1] as ReceivedCall;
}

describe('the life of a webhook', () => {
  let account: TestAccount;
  let webhook: Webhook;
  let other: number;
  let secret: string;
  const path = '/life';

  test('begins with webhooks/create, which shows each webhook a secret of its own', async () => {
    account = await testAccount();
    const body = { Url: `${receiver.url}${path}`, Kinds: ['contact.*', 'contact.*'] };
    const made = await account.call('webhooks/create', body);
    webhook = webhookIn(made);
    secret = secretIn(made);
    expect(webhook).toMatchObject({ Id: 1, Url: body.Url, Kinds: ['contact.*'], DisabledAt: null, DisabledReason: '' });
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const second = await account.call('webhooks/create', { Url: `${receiver.url}/second`, Kinds: ['task.*'] });
    // Containers take ids from blocks of their own.
    other = webhookIn(second).Id;
    expect(other).toBeGreaterThan(1);
    expect(secretIn(second)).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(secretIn(second)).not.toBe(secret);
    expect(await listOf(account)).toEqual([webhook, webhookIn(second)]);
  });

  test('a test calls it at once, signed with that secret, and says what the receiver answered', async () => {
    const answer = await account.call('webhooks/test', { Id: 1 });
    expect(answer.body).toMatchObject({ Delivered: true, Status: 204, Reason: '' });
    const { headers, body } = await received(path, 1);
    expect(new Verifier(secret).verify(body, headers)).toMatchObject({
      Id: 0,
      Payload: { Kind: 'webhook.test', Id: 1, Actor: { Name: 'test' } },
    });
    status = 410;
    expect((await account.call('webhooks/test', { Id: 1 })).body).toMatchObject({ Delivered: false, Status: 410 });
    status = 204;
    expect((await listOf(account))[0]?.DisabledAt).toBeNull();
  });

  test('events call it, webhooks/calls lists the calls, and webhooks/replay makes one again', async () => {
    await account.call('contacts/addupdate', { Name: 'Ana Ruiz' });
    await drainEvents();
    const first = await received(path, 3);
    expect((JSON.parse(first.body) as DataSubscriberEvent).Payload?.Kind).toBe('contact.created');
    await until(async () => (await callsOf(account))[0]?.State === 'delivered');
    const [call] = await callsOf(account, { WebhookId: 1 });
    expect(call).toMatchObject({ EventId: 1, WebhookId: 1, Kind: 'contact.created', Attempts: 1, Reason: '' });
    expect(call?.Id).toBe('1-webhook-1');
    expect(await callsOf(account, { WebhookId: other })).toEqual([]);
    expect(await callsOf(account, { Dead: true })).toEqual([]);
    const again = await account.call('webhooks/replay', { Ids: ['1-webhook-1'] });
    expect(again.body['Calls']).toMatchObject([{ Id: '1-webhook-1', State: 'waiting', Attempts: 0 }]);
    await drainEvents();
    const repeated = await received(path, 4);
    expect(repeated.headers['webhook-id']).toBe(first.headers['webhook-id']);
    const missing = await account.call('webhooks/replay', { Ids: ['1-webhook-1', '9-webhook-1'] });
    expectFailure(missing, 404);
    expect(missing.body['Message']).toContain('There is no call "9-webhook-1".');
  });

  test('a new secret signs beside the one before, which ends after its time', async () => {
    expectFailure(await account.call('webhooks/rotatesecret', { Id: 999 }), 404);
    // Another's, and that of the account.
    await account.call('webhooks/rotatesecret', { Id: other, GraceHours: 0 });
    await account.call('webhooks/rotatesecret', { GraceHours: 0 });
    const rotated = await account.call('webhooks/rotatesecret', { Id: 1, GraceHours: 1 });
    const until = Date.parse(String(rotated.body['PreviousValidUntil']));
    expect(Math.abs(until - Date.now() - 3_600_000)).toBeLessThan(60_000);
    await account.call('webhooks/test', { Id: 1 });
    const { headers, body } = await received(path, 5);
    for (const each of [secret, secretIn(rotated)]) new Verifier(each).verify(body, headers);
    secret = secretIn(await account.call('webhooks/rotatesecret', { Id: 1, GraceHours: 0 }));
    await account.call('webhooks/test', { Id: 1 });
    const later = await received(path, 6);
    new Verifier(secret).verify(later.body, later.headers);
    expect(() => new Verifier(secretIn(rotated)).verify(later.body, later.headers)).toThrow();
  });

  test('webhooks/update changes what it is given, and has one called again that 410 disabled', async () => {
    await writeWebhookDisabled(accountStore(testTable(), account.accountId), 1, { At: 1, Reason: 'HTTP 410' });
    const moved = await account.call('webhooks/update', { Id: 1, Url: `${receiver.url}/moved` });
    const Kinds = ['contact.*'];
    expect(webhookIn(moved)).toMatchObject({ Url: `${receiver.url}/moved`, Kinds, DisabledReason: 'HTTP 410' });
    const enabled = await account.call('webhooks/update', { Id: 1, Kinds: ['*'], Enabled: true });
    expect(webhookIn(enabled)).toMatchObject({ Url: `${receiver.url}/moved`, Kinds: ['*'], DisabledAt: null });
    const disabled = webhookIn(await account.call('webhooks/update', { Id: 1, Enabled: false }));
    expect(disabled).toMatchObject({ DisabledAt: expect.any(String), DisabledReason: 'Disabled by test.' });
    expect((await listOf(account))[0]).toEqual(disabled);
  });

  test('ends with webhooks/delete; the audit names each change, its key and no more of the address than its host', async () => {
    expect(webhookIn(await account.call('webhooks/delete', { Id: 1 })).Id).toBe(1);
    expect((await listOf(account)).map(({ Id }) => Id)).toEqual([other]);
    for (const operation of ['delete', 'update', 'test'])
      expectFailure(await account.call(`webhooks/${operation}`, { Id: 1 }), 404);
    const entries = await listAuditEntries(accountStore(testTable(), account.accountId), {
      from: 0,
      through: Date.now(),
    });
    const audited = entries.map(({ Kind, Actor, Data }) => `${Kind} ${Actor.Name} ${Data['WebhookId'] ?? ''}`.trim());
    expect(audited).toEqual([
      'webhook.created test 1',
      `webhook.created test ${other}`,
      `webhook.secret_rotated test ${other}`,
      'webhook.secret_rotated test',
      'webhook.secret_rotated test 1',
      'webhook.secret_rotated test 1',
      'webhook.updated test 1',
      'webhook.updated test 1',
      'webhook.updated test 1',
      'webhook.deleted test 1',
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/whsec_|\/life|\/moved/);
  });
});

describe('a paused webhook', () => {
  test('is not called, and has every call that it missed when it is resumed', async () => {
    const account = await testAccount();
    const made = await account.call('webhooks/create', { Url: `${receiver.url}/paused`, Kinds: ['contact.*'] });
    const { Id } = webhookIn(made);
    const both = await account.call('webhooks/update', { Id, Paused: true, Enabled: true });
    expectFailure(both, 400);
    const paused = webhookIn(await account.call('webhooks/update', { Id, Paused: true }));
    expect(paused).toMatchObject({ DisabledAt: expect.any(String), DisabledReason: 'Paused by test.' });
    await account.call('contacts/addupdate', { Matches: [{ Name: 'Ann Lee' }] });
    const dead = () => callsOf(account, { Dead: true });
    await until(async () => (await dead()).length > 0, 10_000);
    expect(await dead()).toMatchObject([{ WebhookId: Id, Attempts: 0, Reason: `Webhook ${Id} is paused.` }]);
    expect(receiver.calls.filter((call) => call.path === '/paused')).toEqual([]);
    expect(webhookIn(await account.call('webhooks/update', { Id, Paused: false }))).toMatchObject({ DisabledAt: null });
    await account.call('webhooks/replay', { Ids: (await dead()).map((call) => call.Id) });
    const { body } = await received('/paused', 1);
    expect(JSON.parse(body)).toMatchObject({ Payload: { Kind: 'contact.created' } });
  });
});

describe('a webhook that is not called', () => {
  test.each([
    [{ Paused: true }, { Enabled: false, Paused: false }, 'Disabled by test.'],
    [{ Enabled: false }, { Enabled: false, Paused: true }, 'Paused by test.'],
    [{ Enabled: false }, { Enabled: false }, 'Disabled by test.'],
    [{ Paused: true }, { Enabled: true, Paused: false }, ''],
  ])('%j, then %j, has the reason: "%s"', async (first, second, reason) => {
    const account = await testAccount();
    const made = await account.call('webhooks/create', { Url: `${receiver.url}/off`, Kinds: ['contact.*'] });
    const { Id } = webhookIn(made);
    await account.call('webhooks/update', { Id, ...first });
    expect(webhookIn(await account.call('webhooks/update', { Id, ...second }))).toMatchObject({
      DisabledReason: reason,
    });
  });
});

describe('the secret', () => {
  test('is another for each of many callers that create webhooks at once, who are ten at most', async () => {
    const { call } = await testAccount();
    const create = (index: number) => call('webhooks/create', { Url: `${receiver.url}/${index}`, Kinds: ['*'] });
    const made: TestAnswer[] = [];
    for (const part of [0, 4, 8])
      made.push(...(await Promise.all([part, part + 1, part + 2, part + 3].map((index) => create(index)))));
    const successes = made.filter((answer) => answer.status === 200);
    expect(successes).toHaveLength(10);
    expect(new Set(successes.map(secretIn)).size).toBe(10);
    for (const refused of made.filter((answer) => answer.status !== 200)) {
      expectFailure(refused, 409);
      expect(refused.body['Code']).toBe('limit_reached');
    }
  });

  test('is not in the response that an Idempotency-Key repeats', async () => {
    const { accountId, call } = await testAccount();
    const body = { Url: `${receiver.url}/once`, Kinds: ['*'] };
    const headers = { 'Idempotency-Key': 'once' };
    const first = await call('webhooks/create', body, { headers });
    const second = await call('webhooks/create', body, { headers });
    expect(secretIn(first)).toMatch(/^whsec_/);
    expect(second.body).toEqual({ ...first.body, Secret: '' });
    const { items } = await testTable().query({ partition: layout.callbackSecret.of({ account: accountId }) });
    expect(items).toMatchObject([{ NewestWebhook: 1 }]);
  });
});

describe('webhooks are refused', () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await testAccount();
    await account.call('webhooks/create', { Url: `${receiver.url}/x`, Kinds: ['*'] });
  });

  test.each([
    ['http on the internet', 'http://hooks.example.com/'],
    ['a private network', 'https://10.0.0.1/hook'],
    ['the metadata of the machine', 'https://169.254.169.254/latest'],
    ['an internal name', 'https://billing.internal/hook'],
    ['a password', 'https://ana:secret@hooks.example.com/'],
    ['no URL', 'hooks'],
  ])('with %s as their address, when they are created and when they are changed', async (_, Url) => {
    for (const answer of [
      await account.call('webhooks/create', { Url, Kinds: ['*'] }),
      await account.call('webhooks/update', { Id: 1, Url }),
    ]) {
      expectFailure(answer, 400);
      expect(answer.body['Errors']).toMatchObject([{ Field: 'Url', Code: 'format' }]);
    }
    expect(await listOf(account)).toMatchObject([{ Url: `${receiver.url}/x` }]);
  });

  test('with kinds that do not exist, naming the nearest, and without any', async () => {
    const Url = `${receiver.url}/x`;
    const misspelt = await account.call('webhooks/create', { Url, Kinds: ['task.*', 'appointment.bookd'] });
    expectFailure(misspelt, 400);
    expect(misspelt.body['Errors']).toEqual([
      { Field: 'Kinds[1]', Code: 'unknown_value', Message: 'is not a kind. Did you mean "appointment.booked"?' },
    ]);
    const none = await account.call('webhooks/update', { Id: 1, Kinds: [] });
    expect(none.body['Errors']).toMatchObject([{ Field: 'Kinds', Code: 'required' }]);
    expect((await account.call('webhooks/replay', { Ids: ['x'] })).body['Errors']).toMatchObject([
      { Field: 'Ids[0]', Code: 'format' },
    ]);
  });

  test('for a key of one organization, which must not read the events of the others', async () => {
    const key = await account.newKey({ role: 'Owner', organizationId: account.organizationId });
    const bodies = {
      create: { Url: `${receiver.url}/x`, Kinds: ['*'] },
      list: {},
      update: { Id: 1, Kinds: ['*'] },
      delete: { Id: 1 },
      rotatesecret: {},
      test: { Id: 1 },
      calls: {},
      replay: { Ids: ['1-webhook-1'] },
    };
    for (const [operation, body] of Object.entries(bodies)) {
      const answer = await account.call(`webhooks/${operation}`, body, { key });
      expectFailure(answer, 403);
      expect(answer.body['Code']).toBe('organization_forbidden');
    }
  });

  test('for another account, whose webhooks and calls do not exist', async () => {
    const other = await testAccount();
    expect(await listOf(other)).toEqual([]);
    expectFailure(await other.call('webhooks/delete', { Id: 1 }), 404);
    expect(await listOf(account)).toHaveLength(1);
  });
});
