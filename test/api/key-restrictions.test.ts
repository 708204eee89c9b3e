import { describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { checkRestrictions } from '../../lib/api/callers/keys.ts';
import { addressMatcher, networkOf, parseRange } from '../../lib/shared/web/web-addresses.ts';
import { expectFailure } from '../support/failed.ts';
import { contactIn } from '../support/stack/branches.ts';
import { type TestAccount, testAccount, testStack, testTable } from '../support/stack/stack.ts';
import { layout } from '../../lib/store/keys.ts';
import { listKeys } from '../../lib/store/requests/api-keys.ts';
import { accountStore } from '../../lib/store/store.ts';

const operations = groups.flatMap((group) => group.operations);
const allowed = (key: { Allow: string[]; ReadOnly: boolean }) =>
  operations
    .filter((operation) => {
      try {
        checkRestrictions(key, operation);
        return true;
      } catch {
        return false;
      }
    })
    .map(({ name }) => name);

describe('a key', () => {
  test.each([
    [[], false, operations.length],
    [['contacts/locate'], false, 2],
    [['contacts/locate', 'appointments/*'], false, 13],
    [['appointments/*'], true, 5],
    [[], true, operations.filter(({ access }) => access === 'read').length],
    [['contact/*', 'contacts', 'appointments*'], false, 1],
  ])('that allows %j, read-only %j, may call %i operations', (Allow, ReadOnly, count) => {
    expect(allowed({ Allow, ReadOnly })).toHaveLength(count);
  });

  test.each([
    ['203.0.113.0/24', '203.0.113.255', true],
    ['203.0.113.0/24', '203.0.114.1', false],
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.0/24', '::ffff:203.0.113.9', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['203.0.113.0/24', 'unknown', false],
    ['203.0.113.0/24', '', false],
  ])('from %s at the address %s may be used: %j', (range, address, expected) => {
    expect(addressMatcher([range])(address)).toBe(expected);
  });

  test.each(['', 'x', '203.0.113.0/33', '203.0.113.0/', '203.0.113/24', '::/129', '1.2.3.4/8/8', '1.2.3.4/-1'])(
    'is not created for the range %j',
    (range) => {
      expect(parseRange(range)).toBeUndefined();
    },
  );

  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2::3', '2001:db8:1::/48'],
    ['2001:db8::3', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['unknown', ''],
    ['', ''],
  ])('used at %j shows %j', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('a call with a restricted key', () => {
  const setup = async () => {
    const account: TestAccount = await testAccount();
    const { Id } = contactIn(await account.call('contacts/addupdate', { Name: 'Ida' }));
    const files = [{ Filename: 'a.txt', ContentType: 'text/plain', Content: 'YQ==' }];
    const answer = await account.call('contacts/upload', { upload: { ContactId: Id }, files });
    const [file = 0] = (answer.body['upload'] as { UploadIds: number[] }).UploadIds;
    const call = (operation: string, body: object, key: string) => account.call(operation, body, { key });
    const fileStatus = async (key: string) =>
      (await fetch(`${testStack().BaseUrl}/files/${file}`, { redirect: 'manual', headers: { 'x-api-key': key } }))
        .status;
    return { account, contact: Id, call, fileStatus };
  };

  test('to another operation, or one that changes something, is 403, and files too', async () => {
    const { account, contact, call, fileStatus } = await setup();
    const locate = await account.newKey({ allow: ['contacts/locate'] });
    const reader = await account.newKey({ readOnly: true });
    expect((await call('contacts/locate', { IdSearch: contact }, locate)).status).toBe(200);
    expectFailure(await call('contacts/addupdate', { Name: 'Joe' }, locate), 403);
    expectFailure(await call('task/query', {}, locate), 403);
    expect(await fileStatus(locate)).toBe(403);
    expect(await fileStatus(await account.newKey({ allow: ['files/get'] }))).toBe(303);
    expect((await call('task/query', {}, reader)).status).toBe(200);
    expectFailure(await call('contacts/addnote', { ContactId: contact, Note: { Body: 'x' } }, reader), 403);
    expect(await fileStatus(reader)).toBe(303);
  });

  test('from another address is 403, whatever it calls', async () => {
    const { account, contact, call, fileStatus } = await setup();
    const elsewhere = await account.newKey({ from: ['203.0.113.0/24'] });
    expectFailure(await call('contacts/locate', { IdSearch: contact }, elsewhere), 403);
    expectFailure(await call('test/echo', {}, elsewhere), 403);
    expect(await fileStatus(elsewhere)).toBe(403);
    const here = await account.newKey({ from: ['127.0.0.0/8', '::1'] });
    expect((await call('contacts/locate', { IdSearch: contact }, here)).status).toBe(200);
  });

  test('is shown in the list of keys with the day and the network of its last use', async () => {
    const { account, call } = await setup();
    const key = await account.newKey({ name: 'used' });
    await call('test/echo', {}, key);
    const find = async () =>
      (await listKeys(accountStore(testTable(), account.accountId))).find(({ Name }) => Name === 'used');
    await expect.poll(async () => (await find())?.LastFrom).toMatch(/\/(24|48)$/);
    const used = await find();
    expect(used?.LastUsed).toBe(new Date().toISOString().slice(0, 10));
    const item = await testTable().get(layout.rate.key({ public: used?.Public ?? '' }));
    expect(JSON.stringify(item)).not.toContain('127.0.0.1');
  });
});
