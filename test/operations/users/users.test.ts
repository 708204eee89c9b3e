import { beforeAll, describe, expect, test } from 'vitest';
import { roles } from '../../../lib/shared/roles.ts';
import { type TestAccount, type TestAnswer, drainEvents, testAccount } from '../../support/stack/stack.ts';

const usersOf = async (account: TestAccount) =>
  (await account.call('user/all')).body['Matches'] as {
    Id: number;
    Email: string;
    Name: string;
    ServiceAgentId: number | null;
    Role: string;
  }[];
const statusesIn = ({ body }: TestAnswer) =>
  (body['Results'] as { UserId: number; Status: string }[]).map(({ Status }) => Status);
const faultsIn = ({ body }: TestAnswer): string[] =>
  ((body['Errors'] ?? []) as { Field: string }[]).map(({ Field }) => Field);

describe('user/create', () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await testAccount();
  });

  test('creates the user, and the service agent of the same name with it', async () => {
    const answer = await account.call('user/create', {
      Name: 'Maria López',
      Email: 'Maria@example.com',
      MobilePhone: '(303) 555-0144',
      CreateServiceAgent: true,
      Role: 'Office',
    });
    expect(answer.body).toEqual({
      ResultCode: 0,
      Message: 'Created user 1 and service agent 1.',
      Name: 'Maria López',
      Email: 'Maria@example.com',
      MobilePhone: '(303) 555-0144',
      CreateServiceAgent: true,
      Role: 'Office',
      UserId: 1,
      ServiceAgentId: 1,
      SignIn: 'None',
    });
    expect(await usersOf(account)).toEqual([
      { Id: 1, Email: 'Maria@example.com', Name: 'Maria López', Active: true, ServiceAgentId: 1, Role: 'Office' },
    ]);
    expect((await account.call('serviceagents/all')).body['Matches']).toMatchObject([
      { Id: 1, Name: 'Maria López', Email: 'Maria@example.com', MobilePhone: '(303) 555-0144', TimeSlots: [] },
    ]);
  });

  test('an e-mail address in use, ignoring case, and a second agent of one name are 409', async () => {
    const again = await account.call('user/create', { Name: 'Other', Email: 'MARIA@example.com' });
    expect([again.status, again.body['Message']]).toEqual([
      409,
      'User 1 of the organization has the e-mail address MARIA@example.com.',
    ]);
    expect(
      (await account.call('user/create', { Name: 'maria lopez', Email: 'm2@example.com', CreateServiceAgent: true }))
        .status,
    ).toBe(409);
    expect((await usersOf(account)).length).toBe(1);
  });

  test('names every invalid field', async () => {
    expect(faultsIn(await account.call('user/create', { MobilePhone: 'call me' })).sort()).toEqual(['Email', 'Name']);
    expect(
      faultsIn(await account.call('user/create', { Name: 'A', Email: 'nobody', MobilePhone: '12' })).sort(),
    ).toEqual(['Email', 'MobilePhone']);
    expect(faultsIn(await account.call('user/create', { Name: 'A', Email: 'a@example.com', Role: 'King' }))).toEqual([
      'Role',
    ]);
  });

  test.each(roles)('stores role %s', async (Role) => {
    await account.call('user/create', { Name: Role, Email: `${Role}@example.com`, Role });
    expect((await usersOf(account)).find(({ Name }) => Name === Role)?.Role).toBe(Role);
  });

  test('of 20 simultaneous creations with one e-mail address one succeeds, with its agent', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        account.call('user/create', {
          Name: `Twin ${index}`,
          Email: index % 2 ? 'twin@example.com' : 'TWIN@example.com',
          CreateServiceAgent: true,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect((await usersOf(account)).filter(({ Email }) => Email.toLowerCase() === 'twin@example.com').length).toBe(1);
    const agents = (await account.call('serviceagents/all')).body['Matches'] as { Name: string }[];
    expect(agents.filter(({ Name }) => Name.startsWith('Twin')).length).toBe(1);
  });

  test('20 different users at once are all created', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        account.call('user/create', { Name: `Many ${index}`, Email: `many${index}@example.com` }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await usersOf(account)).filter(({ Name }) => Name.startsWith('Many')).length).toBe(20);
  });

  test('a key of an organization creates its users and sees only them', async () => {
    const made = await account.call('organizations/create', { Name: 'Boulder' });
    const key = await account.newKey({ role: 'Admin', organizationId: made.body['OrganizationId'] as number });
    expect(
      (await account.call('user/create', { Name: 'Bo', Email: 'bo@example.com', CreateServiceAgent: true }, { key }))
        .status,
    ).toBe(200);
    expect((await account.call('user/all', {}, { key })).body['Matches']).toMatchObject([{ Name: 'Bo' }]);
    expect((await account.call('serviceagents/all', {}, { key })).body['Matches']).toMatchObject([{ Name: 'Bo' }]);
    expect((await usersOf(account)).some(({ Name }) => Name === 'Bo')).toBe(true);
    expect((await account.call('user/create', { Name: 'Co', Email: 'co@example.com' })).status).toBe(400);
  });
});

describe('users/bulk…mfa', () => {
  let account: TestAccount;
  let ids: number[];
  beforeAll(async () => {
    account = await testAccount();
    const Users = Array.from({ length: 45 }, (_, index) => ({ Name: `U${index}`, Email: `u${index}@example.com` }));
    for (const part of [Users.slice(0, 40), Users.slice(40)])
      await account.call('organizations/update', { Users: part });
    ids = (await usersOf(account)).map(({ Id }) => Id);
  });

  test('answers a row for each id, in their order, with its own outcome', async () => {
    const [a = 0, b = 0] = ids;
    expect(statusesIn(await account.call('users/bulkdisablemfa', { UserIds: [a] }))).toEqual(['AlreadyDisabled']);
    expect(statusesIn(await account.call('users/bulkenablemfa', { UserIds: [a, 9999, a] }))).toEqual([
      'Enabled',
      'NotFound',
      'AlreadyEnabled',
    ]);
    const answer = await account.call('users/bulkenablemfa', { UserIds: [b, a] });
    expect(answer.body['Results']).toEqual([
      { UserId: b, Status: 'Enabled', SignIn: 'None' },
      { UserId: a, Status: 'AlreadyEnabled', SignIn: 'None' },
    ]);
    expect(answer.body['Message']).toBe('No sign-in is connected to this account: only the flags are set.');
    expect(statusesIn(await account.call('users/bulkresetmfa', { UserIds: [a, 9999], Confirm: 'RESET' }))).toEqual([
      'Reset',
      'NotFound',
    ]);
    expect(statusesIn(await account.call('users/bulkdisablemfa', { UserIds: [a, b] }))).toEqual([
      'Disabled',
      'Disabled',
    ]);
  });

  test('reset needs Confirm, and a call takes at most 100 ids', async () => {
    expect(faultsIn(await account.call('users/bulkresetmfa', { UserIds: ids.slice(0, 1) }))).toEqual(['Confirm']);
    expect(faultsIn(await account.call('users/bulkresetmfa', { UserIds: [], Confirm: 'RESET' }))).toEqual(['UserIds']);
    const many = Array.from({ length: 101 }, (_, index) => index + 1);
    expect(faultsIn(await account.call('users/bulkenablemfa', { UserIds: many }))).toEqual(['UserIds']);
    expect(statusesIn(await account.call('users/bulkenablemfa', { UserIds: many.slice(1) })).length).toBe(100);
  });

  test('10 simultaneous calls enable each user once', async () => {
    await account.call('users/bulkdisablemfa', { UserIds: ids });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => account.call('users/bulkenablemfa', { UserIds: ids.slice(0, 20) })),
    );
    expect(answers.flatMap(statusesIn).filter((status) => status === 'Enabled').length).toBe(20);
  });

  test('stores 100 changed users, also with an Idempotency-Key', async () => {
    for (let part = 0; part < 2; part++) {
      const Users = Array.from({ length: 30 }, (_, index) => ({
        Name: `W${part}-${index}`,
        Email: `w${part}-${index}@example.com`,
      }));
      expect((await account.call('organizations/update', { Users })).status).toBe(200);
    }
    const all = (await usersOf(account)).map(({ Id }) => Id).slice(0, 100);
    await account.call('users/bulkdisablemfa', { UserIds: all });
    const first = await account.call(
      'users/bulkenablemfa',
      { UserIds: all },
      { headers: { 'idempotency-key': 'hundred' } },
    );
    expect(statusesIn(first)).toEqual(all.map(() => 'Enabled'));
    expect(
      (await account.call('users/bulkenablemfa', { UserIds: all }, { headers: { 'idempotency-key': 'hundred' } })).text,
    ).toBe(first.text);
  });

  test('a change of the second factor is an event without its value, and only an Owner may make it', async () => {
    const other = await testAccount();
    await other.call('user/create', { Name: 'Ann', Email: 'ann@example.com' });
    await other.call('users/bulkenablemfa', { UserIds: [1] });
    await drainEvents();
    const received = (
      (await other.call('datasubscriber/fetch')).body['Events'] as {
        Payload: { Kind: string; Changed: string[]; Data: unknown };
      }[]
    ).map(({ Payload }) => Payload);
    expect(received.map(({ Kind, Changed }) => [Kind, Changed])).toEqual([
      ['user.created', []],
      ['user.updated', ['MfaEnabled']],
    ]);
    expect(received[1]?.Data).toEqual((await usersOf(other))[0]);
    expect(
      (await other.call('users/bulkenablemfa', { UserIds: [1] }, { key: await other.newKey({ role: 'Admin' }) }))
        .status,
    ).toBe(403);
    const elsewhere = await other.newKey({
      role: 'Owner',
      organizationId: (await other.call('organizations/create', { Name: 'Else' })).body['OrganizationId'] as number,
    });
    expect(
      statusesIn(await other.call('users/bulkresetmfa', { UserIds: [1], Confirm: 'RESET' }, { key: elsewhere })),
    ).toEqual(['NotFound']);
  });
});
