import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LOCAL_POOL } from '../../infra/local/data-folder.ts';
import { findUsersWithVersion } from '../../lib/store/organizations/users.ts';
import { type TestSignIn, followUsersOf, useTestSignIn } from '../support/sign-in.ts';
import { invoke } from '../support/stack/invoke.ts';
import { type TestAccount, testAccount, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

/* The handlers run in this process, with the user pool of an emulator. */
let account: TestAccount;
let pool: TestSignIn;
beforeAll(async () => {
  account = await testAccount();
  pool = await useTestSignIn();
  process.env['USER_POOL_ACCOUNT'] = account.accountId;
});
afterAll(() => pool.stop());
beforeEach(() => {
  pool.answer = () => undefined;
  pool.requests.length = 0;
});

type Answer = Awaited<ReturnType<typeof invoke>>;
const call = (operation: string, body: object, key = account.key): Promise<Answer> => invoke(operation, body, { key });
const rowsIn = ({ body }: Answer) =>
  (body['Results'] as { UserId: number; Status: string; SignIn: string }[]).map((row) => [row.Status, row.SignIn]);
const change = (action: string, UserIds: readonly number[], key?: string): Promise<Answer> =>
  call(`users/bulk${action}mfa`, { UserIds, Confirm: 'RESET' }, key);

let count = 0;
/** A user with a sign-in. */
async function invited({ enrolled = false } = {}): Promise<{ readonly id: number; readonly email: string }> {
  const email = `person${++count}@example.com`;
  const made = await call('user/create', { Name: `Person ${count}`, Email: email });
  expect(made.body, JSON.stringify(made.body)).toMatchObject({ SignIn: 'Pending' });
  await followUsersOf(account.accountId, [made.body['UserId'] as number]);
  if (enrolled) await pool.enroll(email);
  return { id: made.body['UserId'] as number, email };
}
const stored = async (id: number) =>
  (await findUsersWithVersion(accountStore(testTable(), account.accountId), [id]))[0];
const failing = { status: 500, body: '{"__type":"InternalErrorException"}' };
const refusing = (type: string) => ({ status: 400, body: JSON.stringify({ __type: type, message: 'no' }) });

describe('users/bulk…mfa', () => {
  test('has the sign-in ask for codes of an app, no more, and for none after a reset', async () => {
    const { id, email } = await invited({ enrolled: true });
    expect(await pool.challengeOf(email)).toBeUndefined();

    expect(rowsIn(await change('enable', [id, 9999]))).toEqual([
      ['Enabled', 'Done'],
      ['NotFound', 'None'],
    ]);
    expect(await pool.challengeOf(email)).toBe('SOFTWARE_TOKEN_MFA');

    const reset = await change('reset', [id]);
    expect([rowsIn(reset), reset.body['Message']]).toEqual([
      [['Reset', 'Pending']],
      `User ${id}: the password alone signs in. Call users/bulkenablemfa when a new authenticator app is set up.`,
    ]);
    expect(pool.requests.at(-1)?.operation).toBe('AdminUserGlobalSignOut');
    expect(await pool.challengeOf(email)).toBeUndefined();

    await pool.enroll(email);
    expect(rowsIn(await change('enable', [id]))).toEqual([['AlreadyEnabled', 'Done']]);
    expect(await pool.challengeOf(email)).toBe('SOFTWARE_TOKEN_MFA');
    expect(rowsIn(await change('disable', [id]))).toEqual([['Disabled', 'Done']]);
    expect(await pool.challengeOf(email)).toBeUndefined();
    expect(rowsIn(await change('reset', [id]))).toEqual([['Reset', 'Done']]);
  });

  test('sends requests of the documented form, of factors that the person has alone', async () => {
    const { id, email } = await invited({ enrolled: true });
    pool.requests.length = 0;
    await change('enable', [id]);
    await change('disable', [id]);
    const person = { UserPoolId: LOCAL_POOL, Username: email };
    const preference = (on: boolean) => ({ SoftwareTokenMfaSettings: { Enabled: on, PreferredMfa: on } });
    expect(pool.requests).toEqual([
      { operation: 'AdminGetUser', body: person },
      { operation: 'AdminSetUserMFAPreference', body: { ...person, ...preference(true) } },
      { operation: 'AdminGetUser', body: person },
      { operation: 'AdminSetUserMFAPreference', body: { ...person, ...preference(false) } },
      { operation: 'AdminGetUser', body: person },
    ]);
  });

  test('waits for a user without an app, says who has no sign-in, and what a pool requires of everybody', async () => {
    const [bare, gone, kept] = [await invited(), await invited(), await invited({ enrolled: true })];
    pool.answer = ({ body }) => (body['Username'] === gone.email ? refusing('UserNotFoundException') : undefined);
    const enabled = await change('enable', [bare.id, gone.id, kept.id]);
    expect([rowsIn(enabled), enabled.body['Message']]).toEqual([
      [
        ['Enabled', 'Pending'],
        ['Enabled', 'NotFound'],
        ['Enabled', 'Done'],
      ],
      `User ${gone.id}: the sign-in has no person with this e-mail address. User ${bare.id}: no authenticator app is ` +
        'set up. Repeat users/bulkenablemfa when it is.',
    ]);
    pool.answer = ({ operation }) =>
      operation === 'AdminSetUserMFAPreference' ? { status: 200, body: '{}' } : undefined;
    const disabled = await change('disable', [kept.id]);
    expect([rowsIn(disabled), disabled.body['Message']]).toEqual([
      [['Disabled', 'Pending']],
      `User ${kept.id}: the sign-in requires the second factor of everybody. Change the user pool, then repeat the call.`,
    ]);
    pool.answer = () => undefined;
    expect(rowsIn(await change('disable', [kept.id]))).toEqual([['AlreadyDisabled', 'Done']]);
    expect(await pool.factorsOf(kept.email)).toEqual([]);
  });

  test('is pending for a user whom the pool has not followed yet', async () => {
    const made = await call('user/create', { Name: 'New', Email: 'new@example.com' });
    const id = made.body['UserId'] as number;
    const enabled = await change('enable', [id]);
    expect([rowsIn(enabled), enabled.body['Message']]).toEqual([
      [['Enabled', 'Pending']],
      `User ${id}: the sign-in follows within a minute. Repeat users/bulkenablemfa for them then.`,
    ]);
  });

  test('changes nothing while the pool is away or silent; where it fails in between, the rest is pending', async () => {
    const people = [await invited({ enrolled: true }), await invited({ enrolled: true })];
    const ids = people.map(({ id }) => id);
    pool.answer = () => failing;
    const away = await change('enable', ids);
    expect([away.status, away.body['Code']]).toEqual([503, 'unavailable']);
    pool.answer = () => new Promise(() => undefined);
    expect((await change('enable', ids)).status).toBe(503);
    expect((await stored(ids[0] ?? 0))?.MfaEnabled).toBe(false);

    pool.answer = ({ operation, body }) =>
      operation !== 'AdminGetUser' && body['Username'] === people[1]?.email ? failing : undefined;
    const partial = await change('enable', ids);
    expect([rowsIn(partial), partial.body['Message']]).toEqual([
      [
        ['Enabled', 'Done'],
        ['Enabled', 'Pending'],
      ],
      `User ${ids[1]}: the sign-in did not answer. Repeat users/bulkenablemfa for them, with another Idempotency-Key.`,
    ]);
    pool.answer = () => undefined;
    expect(rowsIn(await change('enable', ids))).toEqual([
      ['AlreadyEnabled', 'Done'],
      ['AlreadyEnabled', 'Done'],
    ]);
    expect(await pool.factorsOf(people[1]?.email ?? '')).toEqual(['SOFTWARE_TOKEN_MFA']);
  });

  test('sign-in and flag agree after calls at once that contradict each other', async () => {
    const { id, email } = await invited({ enrolled: true });
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) => change(index % 2 ? 'enable' : 'disable', [id])),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await pool.factorsOf(email)).toEqual((await stored(id))?.MfaEnabled ? ['SOFTWARE_TOKEN_MFA'] : []);
    }
  });
});

describe('one person in several organizations', () => {
  test('has one second factor, which keys of the account alone change', async () => {
    const company = await testAccount();
    process.env['USER_POOL_ACCOUNT'] = company.accountId;
    const made = await company.call('organizations/create', { Name: 'Boulder' });
    const organizationId = made.body['OrganizationId'] as number;
    const [first, second] = [
      await company.newKey({ role: 'Owner', organizationId: 1 }),
      await company.newKey({ role: 'Owner', organizationId }),
    ];
    const person = { Name: 'Ann', Email: 'ann@example.com' };
    for (const key of [first, second]) expect((await call('user/create', person, key)).body['SignIn']).toBe('Pending');
    await followUsersOf(company.accountId, [1, 2]);
    expect(pool.invitations.filter((line) => line.includes('ann@example.com')).length).toBe(1);
    await pool.enroll('ann@example.com');

    const own = await change('enable', [2], second);
    expect([rowsIn(own), own.body['Message']]).toEqual([
      [['Enabled', 'None']],
      'The sign-in follows keys of the account alone: only the flags are set.',
    ]);
    expect(await pool.factorsOf('ann@example.com')).toEqual([]);
    expect(rowsIn(await change('enable', [1], company.key))).toEqual([['Enabled', 'Done']]);
    expect(rowsIn(await change('disable', [2], company.key))).toEqual([['Disabled', 'Done']]);
    const flags = (await findUsersWithVersion(accountStore(testTable(), company.accountId), [1, 2])).map(
      (user) => user.MfaEnabled,
    );
    expect([flags, await pool.factorsOf('ann@example.com')]).toEqual([[false, false], []]);
    process.env['USER_POOL_ACCOUNT'] = account.accountId;
  });

  test('of another account is not reached', async () => {
    const other = await testAccount();
    const made = await call('user/create', { Name: 'Ann', Email: 'ann@example.com' }, other.key);
    expect([made.body['SignIn'], made.body['Message']]).toEqual(['None', 'Created user 1.']);
    await followUsersOf(other.accountId, [1]);
    const answer = await change('disable', [1], other.key);
    expect([rowsIn(answer), answer.body['Message']]).toEqual([
      [['AlreadyDisabled', 'None']],
      'No sign-in is connected to this account: only the flags are set.',
    ]);
    expect(pool.requests).toEqual([]);
  });
});
