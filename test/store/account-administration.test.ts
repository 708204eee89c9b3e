import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventPayload } from '../../lib/events/event-text.ts';
import type { EventPayload } from '../../lib/resources/events.ts';
import { writeAccountSuspension } from '../../lib/store/administration/account-administration.ts';
import { removeAccounts, waitBeforeRemoval } from '../../lib/store/administration/account-removal.ts';
import { findAccount, writeAccount } from '../../lib/store/accounts/accounts.ts';
import { CURRENT_SCHEMA } from '../../lib/store/accounts/schema.ts';
import { createKey, parseKey, revokeKey, rotateKey } from '../../lib/store/requests/api-keys.ts';
import { type TableWriter, asActor, openTable } from '../../lib/store/dynamodb/table.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { findQueue, listEvents } from '../../lib/store/events/events.ts';
import { layout } from '../../lib/store/keys.ts';
import { type Migration, migrateAccount } from '../../lib/store/administration/migrations.ts';
import { writeOrganizationSuspension } from '../../lib/store/organizations/organizations.ts';
import { startBucket } from '../support/files.ts';
import { removeParkedRecords } from '../../lib/workflows/parked-records.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { pages } from '../../functions/pages/index.ts';
import { findAccountLinks } from '../../lib/store/links.ts';
import { apiEvent, invoke } from '../support/stack/invoke.ts';
import { deliverAll } from '../support/stream.ts';
import { accountStore } from '../../lib/store/store.ts';

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable();
});
afterAll(() => engine.stop());

const now = new Date();
const RequestId = 'request-1';
const Name = 'fs key';
const table = () => asActor(openTable(), { Key: '', Name, RequestId });

async function newAccount(name: string) {
  const { account } = await writeAccount(table(), { name, now });
  const { key, record } = await createKey(accountStore(table(), account), { role: 'Owner', name: 'Web shop', now });
  return { account, key, publicPart: record.Public };
}

/** Delivers what was written, and returns the events of the account. */
async function eventsOf(account: string): Promise<EventPayload[]> {
  expect(await deliverAll(await engine.records())).toEqual([]);
  const { last } = await findQueue(accountStore(openTable(), account), '', now);
  const { events } = await listEvents(accountStore(openTable(), account), 1, last);
  return events.map(({ payload }) => eventPayload(payload));
}

const addTask = (key: string, Description: string) => invoke('task/create', { Description }, { key });

/** Every item of the table that has the text anywhere. */
async function itemsWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const items of openScan()())
    found.push(...items.map((item) => JSON.stringify(item)).filter((item) => item.includes(text)));
  return found;
}

describe('API keys', () => {
  test('that are created, rotated and revoked are events with their actor, and never with secret or hash', async () => {
    const { account, key, publicPart } = await newAccount('Keys');
    const rotated = await rotateKey(accountStore(table(), account), publicPart, { grace: 60_000, now });
    if (rotated.kind !== 'rotated') throw new Error(rotated.kind);
    await revokeKey(accountStore(table(), account), rotated.record.Public, now);
    const events = await eventsOf(account);
    const by = { Actor: { Key: '', Name }, RequestId, OrganizationId: null, ContactId: null };
    expect(events.map(({ Kind, Id }) => `${Kind} ${Id}`).sort()).toEqual([
      'key.created 1',
      'key.created 2',
      'key.revoked 2',
      'key.rotated 1',
    ]);
    for (const event of events) expect(event).toMatchObject(by);
    expect(events.find(({ Kind }) => Kind === 'key.rotated')).toMatchObject({
      Changed: ['ExpiresAt', 'ReplacedBy'],
      Data: { Public: publicPart, Name: 'Web shop', Role: 'Owner', ReplacedBy: rotated.record.Public },
    });
    expect(events.find(({ Kind }) => Kind === 'key.revoked')).toMatchObject({
      Changed: ['RevokedAt'],
      Data: { Public: rotated.record.Public },
    });
    const text = JSON.stringify(events);
    for (const each of [key, rotated.key]) expect(text).not.toContain(parseKey(each)?.secret);
    expect(text).not.toMatch(/hash/i);
  });

  test('that come with an account are no event', async () => {
    const { account } = await writeAccount(table(), { name: 'First', now });
    await createKey(accountStore(table(), account), { role: 'Owner', name: 'local', hasEvent: false, now });
    expect(await eventsOf(account)).toEqual([]);
  });
});

test('an organization that the operator suspends and resumes is an event, and OpenSince does not end it', async () => {
  const { account, key } = await newAccount('Franchise');
  const suspend = (isSuspended: boolean) => writeOrganizationSuspension(accountStore(table(), account), 1, isSuspended);
  expect([await suspend(true), await suspend(true)]).toEqual(['written', 'written']);
  expect((await eventsOf(account)).map(({ Kind }) => Kind)).toEqual(['key.created', 'organization.suspended']);
  await invoke('organizations/update', { OrganizationId: 1, OpenSince: '2026-01-05' }, { key });
  expect((await eventsOf(account)).at(-1)).toMatchObject({ Kind: 'organization.updated', Data: { Suspended: true } });
  expect(await suspend(false)).toBe('written');
  expect((await eventsOf(account)).at(-1)?.Kind).toBe('organization.reopened');
  expect(await writeOrganizationSuspension(accountStore(table(), account), 9, true)).toBe('absent');
});

describe('a suspended account', () => {
  test('changes nothing from that moment on, also where its key is remembered; resumed, it does', async () => {
    const { account, key } = await newAccount('Late payer');
    const add = (title: string) => addTask(key, title);
    expect((await add('before')).status).toBe(200);
    await writeAccountSuspension(accountStore(table(), account), Date.now());
    const { status, body } = await add('after');
    expect([status, body]).toEqual([403, expect.objectContaining({ Code: 'account_suspended' })]);
    await writeAccountSuspension(accountStore(table(), account), undefined);
    expect((await add('again')).status).toBe(200);
    const events = (await eventsOf(account)).filter(({ Kind }) => Kind === 'task.created');
    expect(events.map(({ Data }) => Data?.['Description'])).toEqual(['before', 'again']);
  });

  test('may be deleted once no container remembers its keys', async () => {
    const { account } = await newAccount('Leaving');
    const wait = async (at: number) =>
      waitBeforeRemoval((await findAccount(accountStore(table(), account)))!, new Date(at));
    expect(await wait(0)).toBeUndefined();
    await writeAccountSuspension(accountStore(table(), account), 1_000);
    expect([await wait(2_000), await wait(61_000)]).toEqual([59_000, 0]);
  });
});

test('a revoked key changes nothing from that moment on, also where it is remembered', async () => {
  const { account, key, publicPart } = await newAccount('Careful');
  expect((await addTask(key, 'before')).status).toBe(200);
  await revokeKey(accountStore(table(), account), publicPart, now);
  expect((await addTask(key, 'after')).status).toBe(401);
});

describe('deleting an account', () => {
  test('leaves nothing of it but the mark of a closed queue, also after a kill; late changes bring nothing back', async () => {
    const { account, key, publicPart } = await newAccount('Gone');
    const other = await newAccount('Stays');
    for (const each of [key, other.key]) {
      const contact = { Name: 'Zoë Kern', Email: 'zoe@example.com', Phone: '(804) 555-0100', TagNames: ['vip'] };
      await invoke('contacts/addupdate', contact, { key: each, headers: { 'idempotency-key': 'one' } });
      expect((await addTask(each, 'Call')).status).toBe(200);
      await invoke('task/query', { Take: 1 }, { key: each });
    }
    await eventsOf(account);
    const expiry = { account, id: 7, hour: 1, shard: 7, at: '00000000000001' };
    await openTable().putMany([layout.backlogAccount.key({ account })]);
    await openTable().putMany([{ ...layout.proposalExpiry.key(expiry), Account: account, Id: 7, At: 1 }]);
    expect((await addTask(key, 'Late')).status).toBe(200);
    const late = await engine.records();
    const stays = (await itemsWith(other.account)).length;
    expect((await itemsWith(account)).length).toBeGreaterThan(20);

    await writeAccountSuspension(accountStore(table(), account), Date.now());
    let left = 12;
    const dying: TableWriter = {
      ...table(),
      putMany: (items, removals = []) =>
        table().putMany(items, removals.slice(0, Math.max(0, (left -= removals.length)))),
    };
    const killed = Object.assign(dying, { commit: () => Promise.reject(new Error('killed')) });
    const once = async () =>
      removeAccounts(
        killed,
        async function* pages(scan) {
          for await (const page of openScan()(scan)) {
            yield page;
            if (left < 0) throw new Error('killed');
          }
        },
        [account],
        { now, removeFiles: async () => undefined, segments: 4 },
      );
    await expect(once()).rejects.toThrow('killed');
    const rest = (await itemsWith(account)).length;
    expect(rest).toBeGreaterThan(5);

    const [report] = await removeAccounts(table(), openScan(), [account], {
      now,
      removeFiles: async () => undefined,
      segments: 4,
    });
    expect(report?.items).toBeGreaterThan(5);
    const closed = {
      ...layout.sequence.key({ account }),
      Closed: true,
      TTL: Math.floor(now.getTime() / 1000) + 30 * 86_400,
    };
    const remaining = async () => (await itemsWith(account)).map((item) => JSON.parse(item) as unknown);
    expect([await remaining(), await itemsWith(publicPart)]).toEqual([[closed], []]);
    await deliverAll(late);
    await deliverAll(await engine.records());
    expect(await remaining()).toEqual([closed]);
    expect((await itemsWith(other.account)).length).toBe(stays);
    expect((await invoke('task/query', {}, { key: other.key })).status).toBe(200);
  });
});

test('what workers parked of an account is removed with it, and nothing of another', async () => {
  const files = await startBucket();
  const keys = ['event-queue/gone', 'event-queue/gone2', 'background-work/gone'].map((at) => `parked/${at}/1.json`);
  for (const key of keys) await files.put(key, '{}');
  expect([await removeParkedRecords(files, 'gone'), await removeParkedRecords(files, 'gone')]).toEqual([2, 0]);
  expect(await files.list('parked/')).toEqual(['parked/event-queue/gone2/1.json']);
});

describe('the form of the items of an account', () => {
  const setSchema = (account: string, Schema: number) =>
    openTable().update({ update: layout.account.key({ account }), set: { Schema } });

  test('is brought to that of this version step by step, once; a step that was killed is done again', async () => {
    const { account } = await newAccount('Steps');
    const written: number[] = [];
    let isKilled = true;
    const step = (to: number): Migration => ({
      to,
      write: () => {
        written.push(to);
        if (to === CURRENT_SCHEMA + 2 && isKilled) return Promise.reject(new Error('killed'));
        return Promise.resolve(to - CURRENT_SCHEMA);
      },
    });
    const steps = [step(CURRENT_SCHEMA), step(CURRENT_SCHEMA + 1), step(CURRENT_SCHEMA + 2)];
    await expect(migrateAccount(accountStore(table(), account), steps)).rejects.toThrow('killed');
    expect((await findAccount(accountStore(table(), account)))?.Schema).toBe(CURRENT_SCHEMA + 1);
    await setSchema(account, CURRENT_SCHEMA);
    isKilled = false;
    const from = CURRENT_SCHEMA;
    expect(await migrateAccount(accountStore(table(), account), steps)).toEqual({ kind: 'migrated', from, items: 3 });
    expect(written.map((to) => to - from)).toEqual([1, 2, 1, 2]);
    expect(await migrateAccount(accountStore(table(), 'nobody'), steps)).toEqual({ kind: 'absent' });
  });

  test('is current where no step is missing', async () => {
    const { account } = await newAccount('Current');
    expect(await migrateAccount(accountStore(table(), account))).toEqual({ kind: 'current' });
  });

  test.each([
    ['of a later version', CURRENT_SCHEMA + 1, 'Use the version that migrated it'],
    ['of a version before 0.3', CURRENT_SCHEMA - 1, 'of version 0.3.0 first'],
  ])('%s is left alone by the migration, and refused by calls and pages with 503', async (_, schema, message) => {
    const { account, key } = await newAccount('Other');
    await setSchema(account, schema);
    expect(await migrateAccount(accountStore(table(), account))).toEqual({
      kind: 'refused',
      message: expect.stringContaining(message) as string,
    });
    const answer = await invoke('task/query', {}, { key });
    expect([answer.status, answer.body['Code'], answer.body['Message']]).toEqual([
      503,
      'unavailable',
      expect.stringContaining(`schema ${schema}`) as string,
    ]);
    const link = (await findAccountLinks(accountStore(table(), account), now))('overview', 1, 0);
    const [, page, handle] = /\/c\/(\w+)\/(.+)$/.exec(link) ?? [];
    const event = { ...apiEvent('', ''), pathParameters: { page, handle } };
    event.requestContext.http.method = 'GET';
    expect((await pages.handler(event, {} as Context)).statusCode).toBe(503);
  });
});
