import { beforeAll, describe, expect, test } from 'vitest';
import type { DataSubscriberEvent } from '../../../lib/resources/events.ts';
import { appendEvents, splitTransactions } from '../../../lib/store/events/events.ts';
import { findForecasts, forecastChange } from '../../../lib/store/organizations/organizations.ts';
import { expectFailure } from '../../support/failed.ts';
import { type TestAccount, type TestAnswer, drainEvents, testAccount, testTable } from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

const eventsOf = ({ body }: TestAnswer) => body['Events'] as DataSubscriberEvent[];
const idsOf = (answer: TestAnswer) => eventsOf(answer).map(({ Id }) => Id);
const idsFrom = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** An account whose queue holds `count` events that nobody need wait for. */
async function accountWith(count: number, Name = '', kindOf = (_: number) => 'contact.created'): Promise<TestAccount> {
  const account = await testAccount();
  const now = new Date();
  const payload = (Id: number) =>
    JSON.stringify({
      Kind: kindOf(Id),
      TransactionKind: null,
      Id,
      OrganizationId: 1,
      ContactId: Id,
      At: now.toISOString(),
      Changed: [],
      Data: { Id, Name },
      Truncated: false,
    });
  const events = idsFrom(1, count).map((id) => ({ change: `Contact.${id}.1`, payload: payload(id) }));
  for (const part of splitTransactions(events))
    await appendEvents(accountStore(testTable(), account.accountId), part, now, Date.now() + 10_000);
  return account;
}

describe('datasubscriber/fetch', () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await accountWith(250);
  });

  test('returns the oldest 100, or as many as requested, until they are cleared, and how many are not cleared', async () => {
    const first = await account.call('datasubscriber/fetch');
    expect([first.status, first.body['ResultCode'], idsOf(first), first.body['EventCount']]).toEqual([
      200,
      0,
      idsFrom(1, 100),
      250,
    ]);
    expect(idsOf(await account.call('datasubscriber/fetch', { EventCount: 3 }))).toEqual([1, 2, 3]);
    expect(idsOf(await account.call('datasubscriber/fetch', { EventCount: 1000, ClearThroughId: 0 }))).toEqual(
      idsFrom(1, 250),
    );
  });

  test('clears first on request, and each subscriber name has its own position', async () => {
    const other = await account.newKey({ role: 'DataSubscriber', subscriber: 'warehouse' });
    const answer = await account.call('datasubscriber/fetch', { ClearThroughId: 240 }, { key: other });
    expect([idsOf(answer), answer.body['EventCount']]).toEqual([idsFrom(241, 250), 10]);
    expect(idsOf(await account.call('datasubscriber/fetch', { EventCount: 1 }))).toEqual([1]);
    const same = await account.newKey({ role: 'DataSubscriber', subscriber: 'warehouse' });
    expect(idsOf(await account.call('datasubscriber/fetch', { EventCount: 1 }, { key: same }))).toEqual([241]);
  });

  test('returns only events of the kinds that are requested, skips ids between them, and clears by id as before', async () => {
    const mixed = await accountWith(2_350, '', (id) => (id % 100 === 0 ? 'invoice.paid' : 'contact.created'));
    const fetch = (body: object) => mixed.call('datasubscriber/fetch', { Kinds: ['invoice.paid'], ...body });
    const first = await fetch({ EventCount: 3 });
    expect([idsOf(first), first.body['EventCount']]).toEqual([[100, 200, 300], 2_350]);
    const second = await fetch({ ClearThroughId: 300 });
    expect([idsOf(second), second.body['EventCount']]).toEqual([
      [400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300],
      2_050,
    ]);
    // None of the 1,000 events behind 400 is of this kind: they are cleared, and the end is reached by calls alone.
    const none = (body: object = {}) => fetch({ Kinds: ['proposal.accepted', 'invoice.voided'], ...body });
    const left = [];
    for (let answer = await none({ ClearThroughId: 400 }); answer.body['EventCount']; answer = await none())
      left.push([idsOf(answer), answer.body['EventCount']]);
    expect(left).toEqual([[[], 950]]);
    expect((await fetch({ Kinds: [] })).body['EventCount']).toBe(0);
  });

  test('refuses a kind that does not exist, and names the nearest', async () => {
    const answer = await account.call('datasubscriber/fetch', { Kinds: ['invoice.paid', 'appointment.bookd'] });
    expectFailure(answer, 400);
    expect(answer.body['Errors']).toEqual([
      {
        Field: 'Kinds[1]',
        Code: 'unknown_value',
        Message: 'is not a kind of event. Did you mean "appointment.booked"?',
      },
    ]);
  });

  test('begins now for a subscriber that has not cleared anything, and only for such a one', async () => {
    const key = await account.newKey({ role: 'DataSubscriber', subscriber: 'late' });
    const begin = () => account.call('datasubscriber/fetch', { From: 'now' }, { key });
    for (const answer of [await begin(), await begin()])
      expect([answer.status, idsOf(answer), answer.body['EventCount']]).toEqual([200, [], 0]);
    const cleared = await account.newKey({ role: 'DataSubscriber', subscriber: 'early' });
    await account.call('datasubscriber/clear', { ClearThroughId: 5 }, { key: cleared });
    expectFailure(await account.call('datasubscriber/fetch', { From: 'now' }, { key: cleared }), 409);
    expect(idsOf(await account.call('datasubscriber/fetch', { EventCount: 1 }, { key: cleared }))).toEqual([6]);
    for (const body of [{ From: 'yesterday' }, { From: 'now', ClearThroughId: 6 }])
      expectFailure(await account.call('datasubscriber/fetch', body, { key: cleared }), 400);
  });

  test.each([
    ['EventCount', { EventCount: -1 }],
    ['EventCount', { EventCount: 1001 }],
    ['ClearThroughId', { ClearThroughId: 251 }],
    ['ClearThroughId', { ClearThroughId: -1 }],
  ])('refuses a %s that is out of range', async (Field, body) => {
    const { status, body: answer } = await account.call('datasubscriber/fetch', body);
    expect([status, answer['ResultCode'], (answer['Errors'] as { Field: string }[])[0]?.Field]).toEqual([
      400,
      400,
      Field,
    ]);
  });

  test.each(['Office', 'ServiceAgent', 'Marketing', 'ReadOnly'] as const)(
    'is not for a key of role %s',
    async (role) => {
      const key = await account.newKey({ role });
      expect((await account.call('datasubscriber/fetch', {}, { key })).status).toBe(403);
      expect((await account.call('datasubscriber/clear', { ClearThroughId: 1 }, { key })).status).toBe(403);
    },
  );

  test('gives large events too, also to a call with an Idempotency-Key, over several calls', async () => {
    const large = await accountWith(40, 'x'.repeat(90_000));
    const read: number[] = [];
    for (let calls = 1; read.length < 40; calls++) {
      expect(calls).toBeLessThan(10);
      const answer = await large.call('datasubscriber/fetch', read.length ? { ClearThroughId: read.length } : {}, {
        headers: { 'idempotency-key': `call-${calls}` },
      });
      expect([answer.status, answer.body['EventCount']]).toEqual([200, 40 - read.length]);
      read.push(...idsOf(answer));
    }
    expect(read).toEqual(idsFrom(1, 40));
  });

  test('of an account without changes is empty', async () => {
    const { body } = await (await testAccount()).call('datasubscriber/fetch');
    expect(body).toEqual({ ResultCode: 0, Message: '', Events: [], EventCount: 0 });
  });
});

describe('datasubscriber/clear', () => {
  test('needs ClearThroughId, counts what is left, never goes back, and never beyond the newest event', async () => {
    const account = await accountWith(10);
    const clear = (body: object) => account.call('datasubscriber/clear', body);
    expect((await clear({})).body['Errors']).toEqual([
      { Field: 'ClearThroughId', Code: 'required', Message: 'is required' },
    ]);
    expect((await clear({ ClearThroughId: 4 })).body).toEqual({
      ResultCode: 0,
      Message: '',
      Events: [],
      EventCount: 6,
    });
    expect((await clear({ ClearThroughId: 2, EventCount: 5, Events: [] })).body).toMatchObject({
      ResultCode: 0,
      EventCount: 6,
    });
    expect((await clear({ ClearThroughId: 11 })).body).toMatchObject({
      ResultCode: 400,
      Errors: [{ Field: 'ClearThroughId' }],
    });
    expect(idsOf(await account.call('datasubscriber/fetch'))).toEqual(idsFrom(5, 10));
  });
});

test("the queue is the account's: a key bound to an organization gets 403, also for an event of its own organization", async () => {
  const account = await accountWith(2);
  const key = await account.newKey({ role: 'Owner', organizationId: account.organizationId });
  for (const operation of ['fetch', 'clear']) {
    const { status, text } = await account.call(`datasubscriber/${operation}`, { ClearThroughId: 1 }, { key });
    expect([status, text.includes('contact.created')]).toEqual([403, false]);
  }
  expect((await account.call('datasubscriber/fetch')).body['EventCount']).toBe(2);
});

test('contacts, notes, tags and calls become events, whose Data is what the operation answered', async () => {
  const account = await testAccount();
  const add = () =>
    account.call(
      'contacts/addupdate',
      { Name: 'Zoë Müller', Email: 'zoe@example.com' },
      { headers: { 'idempotency-key': 'one' } },
    );
  const added = await add();
  const replayed = await add();
  expect(replayed.headers.get('x-request-id')).not.toBe(added.headers.get('x-request-id'));
  const [contact] = added.body['Matches'] as { Id: number }[];
  await account.call('contacts/addnote', { ContactId: contact?.Id, Note: { Title: 'Gate', Body: 'Code 12' } });
  const Chars = JSON.stringify({ ContactId: contact?.Id, Note: 'Called back' });
  await account.call('contacts/logcall', { Length: Chars.length, Chars });
  await drainEvents();
  const events = eventsOf(await account.call('datasubscriber/fetch'));
  // Changes of different things may come in either order; those of one do not.
  const payloads = events.map(({ Payload }) => Payload);
  expect(events.map(({ Id }) => Id)).toEqual([1, 2, 3, 4]);
  // A logged call is also a note of its contact.
  const kinds = ['call.logged', 'contact.created', 'note.created', 'note.created'];
  expect(payloads.map((payload) => payload?.Kind).sort()).toEqual(kinds);
  const created = payloads.find((payload) => payload?.Kind === 'contact.created');
  expect(created?.Data).toEqual(contact);
  expect(created?.RequestId, 'of the first call, not of its replay').toBe(added.headers.get('x-request-id'));
  expect(payloads.find((payload) => payload?.Kind === 'note.created')).toMatchObject({
    ContactId: contact?.Id,
    Data: { Title: 'Gate', Body: 'Code 12' },
  });
  expect(payloads.find((payload) => payload?.Kind === 'call.logged')).toMatchObject({
    ContactId: contact?.Id,
    Data: { Note: 'Called back' },
  });
});

describe('what subscribers read of all organizations of the account', () => {
  let account: TestAccount;
  let austin: number;
  beforeAll(async () => {
    account = await testAccount({ organizationName: 'Boston' });
    const created = await account.call('organizations/create', {
      Name: 'Austin',
      LocationId: 'TX-1',
      PostalCodes: '73301, 78701-1234',
    });
    austin = created.body['OrganizationId'] as number;
    const closed = await account.call('organizations/create', { Name: 'Closed', PostalCodes: '60601' });
    await account.call('organizations/cancel', { OrganizationId: closed.body['OrganizationId'] });
    const before = await findForecasts(accountStore(testTable(), account.accountId), austin);
    const targets = [{ Year: 2027, Month: 1, Target: 120_000.5 }];
    await testTable().commit([forecastChange({ account: account.accountId }, before, targets)]);
  });

  test('datasubscriber/postalcodes lists the codes that each open organization owns, by name', async () => {
    const { body } = await account.call('datasubscriber/postalcodes');
    expect(body).toEqual({
      ResultCode: 0,
      Message: '',
      Organizations: [
        { OrganizationId: austin, LocationID: 'TX-1', Name: 'Austin', PostalCodes: ['73301', '78701'] },
        { OrganizationId: account.organizationId, LocationID: '', Name: 'Boston', PostalCodes: [] },
      ],
    });
  });

  test('datasubscriber/forecasts lists the revenue targets of each open organization, by name', async () => {
    const { body } = await account.call('datasubscriber/forecasts');
    expect(body['Organizations']).toEqual([
      { Organization: { Id: austin, Name: 'Austin' }, Forecasts: [{ Year: 2027, Month: 1, Target: 120_000.5 }] },
      { Organization: { Id: account.organizationId, Name: 'Boston' }, Forecasts: [] },
    ]);
  });

  test.each(['datasubscriber/postalcodes', 'datasubscriber/forecasts'])(
    '%s is paged, and only for keys of the account',
    async (operation) => {
      const names = async (Skip: number) => {
        const { body } = await account.call(operation, { Skip, Take: 1 });
        return [(body['Organizations'] as unknown[]).length, body['Message']];
      };
      expect(await names(0)).toEqual([1, 'More may follow. Repeat the call with Skip 1.']);
      expect(await names(2)).toEqual([0, '']);
      const bound = await account.newKey({ role: 'DataSubscriber', organizationId: account.organizationId });
      expectFailure(await account.call(operation, {}, { key: bound }), 403);
    },
  );
});
