import { expect, test } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { migrateAccount } from '../../../lib/store/administration/migrations.ts';
import { contactChanges, findContacts } from '../../../lib/store/contacts/contacts.ts';
import { testAccount, testTable } from '../../support/stack/stack.ts';
import { contactIn, matchesOf } from '../../support/stack/branches.ts';
import { accountStore } from '../../../lib/store/store.ts';

test('numbers of any country are found however they are written, those stored by earlier versions once migrated', async () => {
  const { accountId, call } = await testAccount();
  const find = async (PhoneSearch: string) =>
    matchesOf(await call('contacts/locate', { PhoneSearch })).map(({ Id }) => Id);
  const contact = { Name: 'Rita Souza', Phone: '(11) 91234-5678', Country: 'BR' };
  const { Id } = contactIn(await call('contacts/addupdate', contact));
  expect(await find('+55 11 91234 5678')).toEqual([Id]);

  // Earlier versions knew no number of Brazil.
  const [before] = await findContacts(accountStore(testTable(), accountId), [Id]);
  if (!before) throw new Error('no contact');
  const after = { ...before, PhoneKey: '11912345678' };
  await testTable().commit(
    contactChanges({ account: accountId }, [{ before, after, guards: [] }], { now: new Date() }),
  );
  await testTable().update({ update: layout.account.key({ account: accountId }), set: { Schema: 7 } });
  expect(await find('+55 11 91234 5678')).toEqual([]);
  expect(await migrateAccount(accountStore(testTable(), accountId))).toEqual({ kind: 'migrated', from: 7, items: 1 });
  expect(await find('+55 11 91234 5678')).toEqual([Id]);
  expect(contactIn(await call('contacts/addupdate', { ...contact, Notes: [] })).Id).toBe(Id);
});
