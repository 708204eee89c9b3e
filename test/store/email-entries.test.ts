import { expect, test } from 'vitest';
import { entryOf, guardKey } from '../../lib/store/contacts/contact-index.ts';
import { searchContacts } from '../../lib/store/contacts/contact-search.ts';
import { listSearchEntries } from '../../lib/store/contacts/erasures.ts';
import { layout } from '../../lib/store/keys.ts';
import { moveEmailGuards, writeEmailEntries } from '../../lib/store/reindex.ts';
import { contactItem, someContact } from '../support/contacts.ts';
import { matchesOf } from '../support/stack/branches.ts';
import { testAccount, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

test('a contact whose domain an earlier version kept as xn-- is found by both forms, once, and erased with both', async () => {
  const { accountId: account, call } = await testAccount();
  const { body } = await call('contacts/addupdate', { Name: 'Ann Lee' });
  const [{ Id } = { Id: 0 }] = body['Matches'] as { Id: number }[];
  const contact = someContact(Id, { Name: 'Ann Lee', Email: 'ann@xn--bcher-kva.example', V: 2 });
  const former = { partition: layout.contactEmail.of({ account, email: contact.Email }), infix: '' };
  const entry = entryOf(guardKey(former, 1, 0), contact);
  await testTable().putMany([contactItem(account, contact), entry]);
  const find = async (email: string) =>
    (await searchContacts(accountStore(testTable(), account), { email }, { skip: 0, limit: 9 })).records.map(
      (found) => found.Id,
    );
  expect(await find('ann@bücher.example')).toEqual([]);
  expect([
    await writeEmailEntries(accountStore(testTable(), account)),
    await writeEmailEntries(accountStore(testTable(), account)),
  ]).toEqual([1, 0]);
  expect(await find('ann@bücher.example')).toEqual([Id]);
  for (const Email of ['ann@bücher.example', 'Ann@XN--BCHER-KVA.example']) {
    expect(matchesOf(await call('contacts/locate', { EmailSearch: Email }))).toMatchObject([{ Id }]);
    expect(matchesOf(await call('contacts/addupdate', { Name: 'Ann Lee', Email }))).toMatchObject([{ Id }]);
  }
  const keys = await listSearchEntries(accountStore(testTable(), account), contact);
  expect(keys).toEqual(expect.arrayContaining([{ PK: entry.PK, SK: entry.SK }]));
});

test('the mailbox of a user whose domain an earlier version kept as xn-- is taken in both forms', async () => {
  const { accountId: account, call } = await testAccount();
  const create = async (Name: string, Email: string) => (await call('user/create', { Name, Email })).status;
  expect(await create('Ann', 'ann@xn--bcher-kva.example')).toBe(200);
  const keyOf = (email: string) => layout.userEmail.key({ account, organization: 1, email });
  const [guard, former] = [keyOf('ann@bücher.example'), keyOf('ann@xn--bcher-kva.example')];
  const stored = await testTable().get(guard);
  await testTable().commit([{ put: { ...stored, ...former }, if: 'absent' }, { remove: guard }]);
  const moved = async () => moveEmailGuards(accountStore(testTable(), account));
  expect([await moved(), await moved()]).toEqual([1, 0]);
  expect([await testTable().get(guard), await testTable().get(former)]).toEqual([stored, undefined]);
  for (const Email of ['ann@bücher.example', 'Ann@XN--BCHER-KVA.example'])
    expect(await create('Other', Email)).toBe(409);
});
