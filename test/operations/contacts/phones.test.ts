import { expect, test } from 'vitest';
import { testAccount } from '../../support/stack/stack.ts';
import { contactIn, matchesOf } from '../../support/stack/branches.ts';

test('numbers of any country are found however they are written', async () => {
  const { call } = await testAccount();
  const find = async (PhoneSearch: string) =>
    matchesOf(await call('contacts/locate', { PhoneSearch })).map(({ Id }) => Id);
  const contact = { Name: 'Rita Souza', Phone: '(11) 91234-5678', Country: 'BR' };
  const { Id } = contactIn(await call('contacts/addupdate', contact));
  expect(await find('+55 11 91234 5678')).toEqual([Id]);
  expect(contactIn(await call('contacts/addupdate', { ...contact, Notes: [] })).Id).toBe(Id);
});
