import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventPayload } from '../../lib/events/event-text.ts';
import type { EventPayload } from '../../lib/resources/events.ts';
import {
  findAllAccounts,
  listAccounts,
  writeAccountSuspension,
} from '../../lib/store/administration/account-administration.ts';
import { removeAccounts, waitBeforeRemoval } from '../../lib/store/administration/account-removal.ts';
import { CURRENT_SCHEMA, findAccount, writeAccount } from '../../lib/store/accounts/accounts.ts';
import { createKey, parseKey, revokeKey, rotateKey } from '../../lib/store/requests/api-keys.ts';
import { type TableWriter, asActor, openTable } from '../../lib/store/dynamodb/table.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { findQueue, listEvents } from '../../lib/store/events/events.ts';
import { type Key, layout } from '../../lib/store/keys.ts';
import { keyNoticeChanges } from '../../lib/store/requests/key-notices.ts';
import { migrateAccount } from '../../lib/store/administration/migrations.ts';
import { writeOrganizationSuspension } from '../../lib/store/organizations/organizations.ts';
import { startBucket } from '../support/files.ts';
import { removeParkedRecords } from '../../lib/workflows/parked-records.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { invoke } from '../support/stack/invoke.ts';
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

describe('an account of schema 1', () => {
  /** The items as they were: an account outside the list, and keys whose entry has nothing but its key. */
  async function oldAccount(name: string) {
    const made = await newAccount(name);
    const account = layout.account.key({ account: made.account });
    await openTable().update({ update: account, remove: ['Schema', 'GSI1PK', 'GSI1SK'] });
    await openTable().putMany([layout.accountKey.key({ account: made.account, public: made.publicPart })]);
    await engine.records();
    return made;
  }

  test('is migrated once: it is in the list, and its keys have entries; that is no event', async () => {
    const { account, publicPart } = await oldAccount('Old');
    expect((await listAccounts(table())).map(({ AccountId }) => AccountId)).not.toContain(account);
    expect(await findAllAccounts(openScan())).toContain(account);
    expect(await migrateAccount(accountStore(table(), account))).toEqual({ kind: 'migrated', from: 1, items: 1 });
    expect(await migrateAccount(accountStore(table(), account))).toEqual({ kind: 'current' });
    expect((await listAccounts(table())).find(({ AccountId }) => AccountId === account)).toMatchObject({
      Schema: CURRENT_SCHEMA,
    });
    const entry = await table().get(layout.accountKey.key({ account, public: publicPart }));
    expect(entry).toMatchObject({ V: 1, Name: 'Web shop', Role: 'Owner', RevokedAt: null });
    expect(await eventsOf(account)).toEqual([]);
    await revokeKey(accountStore(table(), account), publicPart, now);
    expect(await eventsOf(account)).toMatchObject([{ Kind: 'key.revoked', Changed: ['RevokedAt'] }]);
  });

  test('gets the entry of a key that is revoked before the migration, which then changes nothing', async () => {
    const { account, publicPart } = await oldAccount('Unmigrated');
    await revokeKey(accountStore(table(), account), publicPart, now);
    expect(await eventsOf(account)).toMatchObject([{ Kind: 'key.revoked', Changed: ['RevokedAt'] }]);
    expect(await migrateAccount(accountStore(table(), account))).toEqual({ kind: 'migrated', from: 1, items: 0 });
  });

  test('an account of a later schema is left alone', async () => {
    const { account } = await newAccount('Later');
    await openTable().update({ update: layout.account.key({ account }), set: { Schema: CURRENT_SCHEMA + 1 } });
    expect(await migrateAccount(accountStore(table(), account))).toEqual({ kind: 'newer', schema: CURRENT_SCHEMA + 1 });
    expect(await migrateAccount(accountStore(table(), 'nobody'))).toEqual({ kind: 'absent' });
  });

  test('has the notices of its keys that expire listed once it is migrated', async () => {
    const { account } = await newAccount('Expiring');
    const end = now.getTime() + 365 * 86_400_000;
    const { record } = await createKey(accountStore(table(), account), {
      role: 'Office',
      name: 'x',
      expiresAt: end,
      now,
    });
    const [{ put }] = keyNoticeChanges(record) as [{ put: Key }];
    const key = { PK: put.PK, SK: put.SK };
    await table().commit([{ remove: key }]);
    await openTable().update({ update: layout.account.key({ account }), set: { Schema: 10 } });
    expect(await migrateAccount(accountStore(table(), account))).toEqual({ kind: 'migrated', from: 10, items: 1 });
    expect(await table().get(key)).toMatchObject({ Account: account, Public: record.Public });
  });
});
