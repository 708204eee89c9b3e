import { beforeAll, describe, expect, test } from 'vitest';
import { contactIn } from '../../support/stack/branches.ts';
import { type TestAccount, testAccount } from '../../support/stack/stack.ts';

let account: TestAccount;
let Id: number;

const save = async (contact: object) => contactIn(await account.call('contacts/addupdate', contact));

const PROBLEM = 'ann@example.com bounced on 2026-11-29: mailbox does not exist';

beforeAll(async () => {
  account = await testAccount();
  ({ Id } = await save({ Name: 'Ann Lee', Email: 'ann@example.com', EmailProblem: PROBLEM }));
});

describe('the EmailProblem of a contact', () => {
  test.each([
    ['stays with the same address', { Email: 'Ann@Example.com', City: 'Richmond' }, PROBLEM],
    ['stays without an address in the call', { City: 'Norfolk' }, PROBLEM],
    ['is over with another address', { Email: 'ann@example.org' }, ''],
    ['is over without an address', { Email: null }, ''],
    ['is over when it is cleared', { EmailProblem: null }, ''],
    [
      'is another one',
      { Email: 'ann@example.net', EmailProblem: 'ann@example.net complained' },
      'ann@example.net complained',
    ],
  ])('%s', async (_, change, problem) => {
    await save({ Id, Email: 'ann@example.com', EmailProblem: PROBLEM });
    expect((await save({ Id, ...change })).EmailProblem).toBe(problem);
  });
});

describe('contacts/locate with HasEmailProblem', () => {
  const listed = async (request: object = {}) =>
    (
      (await account.call('contacts/locate', { HasEmailProblem: true, ...request })).body['Matches'] as { Id: number }[]
    ).map((match) => match.Id);

  test('lists a contact from the call that stores the problem until the one that ends it', async () => {
    const { Id: other } = await save({ Name: 'Bo Ray', Email: 'bo@example.com' });
    await save({ Id, Email: 'ann@example.com', EmailProblem: PROBLEM });
    expect(await listed()).toEqual([Id]);
    await save({ Id: other, EmailProblem: 'bo@example.com complained' });
    expect(await listed()).toEqual([other, Id]);
    expect(await listed({ NameSearch: 'bo' })).toEqual([other]);
    await save({ Id, Email: 'ann@example.org' });
    expect(await listed()).toEqual([other]);
    expect(await listed({ HasEmailProblem: false, NameSearch: 'ann' })).toEqual([Id]);
  });

  test('alone and false is no criterion', async () => {
    expect((await account.call('contacts/locate', { HasEmailProblem: false })).status).toBe(400);
  });
});
