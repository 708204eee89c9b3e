import { expect, test } from 'vitest';
import { matchesOf } from '../../support/stack/branches.ts';
import { testAccount } from '../../support/stack/stack.ts';

test('a contact is found by the domain of its e-mail in Unicode and as xn--, whichever was stored', async () => {
  const { call } = await testAccount();
  const { body } = await call('contacts/addupdate', { Name: 'Ann Lee', Email: 'ann@xn--bcher-kva.example' });
  const [{ Id } = { Id: 0 }] = body['Matches'] as { Id: number }[];
  for (const Email of ['ann@bücher.example', 'Ann@XN--BCHER-KVA.example']) {
    expect(matchesOf(await call('contacts/locate', { EmailSearch: Email }))).toMatchObject([{ Id }]);
    expect(matchesOf(await call('contacts/addupdate', { Name: 'Ann Lee', Email }))).toMatchObject([{ Id }]);
  }
});

test('the mailbox of a user is taken in both forms of its domain', async () => {
  const { call } = await testAccount();
  const create = async (Name: string, Email: string) => (await call('user/create', { Name, Email })).status;
  expect(await create('Ann', 'ann@xn--bcher-kva.example')).toBe(200);
  for (const Email of ['ann@bücher.example', 'Ann@XN--BCHER-KVA.example'])
    expect(await create('Other', Email)).toBe(409);
});
