import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { LOCAL_POOL } from '../../infra/local/data-folder.ts';
import type { StreamRecord } from '../../lib/events/change.ts';
import type { PatientTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { openPool } from '../../lib/sign-in/cognito.ts';
import { listAllUsers } from '../../lib/store/organizations/users.ts';
import type { OutgoingMessage } from '../../lib/shared/queues.ts';
import { handOver } from '../../lib/workflows/queues/background-work.ts';
import { runTool, withEnvironment } from '../support/cli.ts';
import { dying } from '../support/erasures.ts';
import { type TestSignIn, followUsersOf, useTestSignIn } from '../support/sign-in.ts';
import { invoke } from '../support/stack/invoke.ts';
import { type TestAccount, testAccount, testStack, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

/* The handlers and the worker run in this process, with the user pool of an emulator. */
let account: TestAccount;
let pool: TestSignIn;
beforeAll(async () => {
  pool = await useTestSignIn();
});
afterAll(() => pool.stop());
let count = 0;
let email: (name: string) => string;
beforeEach(async () => {
  account = await testAccount();
  process.env['USER_POOL_ACCOUNT'] = account.accountId;
  const run = ++count;
  email = (name) => `${name}${run}@example.com`;
  pool.answer = () => undefined;
  pool.requests.length = 0;
  pool.invitations.length = 0;
});

const call = async (operation: string, body: object, key = account.key): Promise<Record<string, unknown>> => {
  const answer = await invoke(operation, body, { key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const update = (...Users: object[]) => call('organizations/update', { OrganizationId: 1, Users });
const users = () => listAllUsers(accountStore(testTable(), account.accountId));
/** The queue delivers the messages of all users, once more than it must. */
const follow = async (table?: PatientTable) =>
  followUsersOf(
    account.accountId,
    (await users()).map(({ Id }) => Id),
    table,
  );
const failing = { status: 500, body: '{"__type":"InternalErrorException"}' };
const refusing = (type: string) => ({ status: 400, body: JSON.stringify({ __type: type, message: 'no' }) });
const sent = () => pool.requests.map(({ operation }) => operation).filter((name) => name !== 'AdminGetUser');
const invitationsTo = (address: string) => pool.invitations.filter((line) => line.includes(address)).length;

describe('the user pool', () => {
  test('invites users of user/create and organizations/update once, however often they are delivered', async () => {
    const made = await call('user/create', { Name: 'Mia Chen', Email: email('Mia') });
    expect(made).toMatchObject({
      SignIn: 'Pending',
      Message: 'Created user 1. The sign-in of user 1 follows within a minute.',
    });
    const updated = await update(
      { Name: 'Ben', Email: email('ben') },
      { Name: 'Off', Email: email('off'), Active: false },
    );
    expect(updated['Message']).toBe('The sign-in of users 2, 3 follows within a minute.');
    expect(pool.requests).toEqual([]);
    await Promise.all([follow(), follow(), follow()]);
    await follow();
    expect([invitationsTo(email('mia')), invitationsTo(email('ben')), invitationsTo(email('off'))]).toEqual([1, 1, 0]);
    expect(pool.requests.find(({ operation }) => operation === 'AdminCreateUser')?.body).toEqual({
      UserPoolId: LOCAL_POOL,
      Username: email('mia'),
      UserAttributes: [
        { Name: 'email', Value: email('mia') },
        { Name: 'email_verified', Value: 'true' },
        { Name: 'name', Value: 'Mia Chen' },
      ],
      DesiredDeliveryMediums: ['EMAIL'],
    });
    await update({ Id: 3, Active: true });
    await follow();
    expect(invitationsTo(email('off'))).toBe(1);
    pool.requests.length = 0;
    expect((await update({ Id: 3, Role: 'Office' }))['Message']).toBe('');
    await follow();
    expect(sent()).toEqual([]);
  });

  test('follows names, addresses and Active, and keeps the password of who has one', async () => {
    await update({ Name: 'Ann', Email: email('ann') }, { Name: 'Typo', Email: email('tipo') });
    await follow();
    await pool.enroll(email('ann'));
    await update({ Id: 1, Name: 'Ann Lee', Email: email('lee') }, { Id: 2, Email: email('typo') });
    await follow();
    await follow();
    expect(await pool.personOf(email('ann'))).toBeUndefined();
    expect(await pool.personOf(email('lee'))).toMatchObject({ name: 'Ann Lee', isEnabled: true });
    expect(await pool.challengeOf(email('lee'))).toBeUndefined();
    expect([invitationsTo(email('lee')), invitationsTo(email('typo'))]).toEqual([0, 1]);
    await update({ Id: 1, Active: false });
    await follow();
    expect(await pool.personOf(email('lee'))).toMatchObject({ name: 'Ann Lee', isEnabled: false });
    await update({ Id: 1, Active: true });
    await follow();
    expect(await pool.personOf(email('lee'))).toMatchObject({ name: 'Ann Lee', isEnabled: true });
  });

  test('has one person for users of two organizations, until nobody of them is active', async () => {
    const made = await call('organizations/create', { Name: 'B', Users: [{ Name: 'Ann', Email: email('ann') }] });
    await update({ Name: 'Ann', Email: email('ann') });
    await follow();
    expect(invitationsTo(email('ann'))).toBe(1);
    await update({ Id: 2, Active: false });
    await follow();
    expect(await pool.personOf(email('ann'))).toMatchObject({ isEnabled: true });
    await update({ Id: 2, Active: true, Email: email('new') });
    await follow();
    expect([await pool.personOf(email('ann')), invitationsTo(email('new'))]).toMatchObject([{ isEnabled: true }, 1]);
    const OrganizationId = made['OrganizationId'];
    await call('organizations/update', { OrganizationId, Users: [{ Id: 1, Email: email('new') }] });
    await follow();
    expect(await pool.personOf(email('ann'))).toMatchObject({ isEnabled: false });
    expect(await pool.personOf(email('new'))).toMatchObject({ isEnabled: true });
  });

  test('gives nobody the password of who had the address before, also where users change places', async () => {
    await update({ Name: 'Ann', Email: email('office') }, { Name: 'Ben', Email: email('ben') });
    await follow();
    const [ann, ben] = [await pool.personOf(email('office')), await pool.personOf(email('ben'))];
    await pool.enroll(email('office'));
    await update({ Id: 1, Email: email('ann') });
    await update({ Name: 'New', Email: email('office') });
    await followUsersOf(account.accountId, [3]);
    expect(await pool.personOf(email('office'))).toEqual(ann);
    await follow();
    await follow();
    expect((await pool.personOf(email('ann')))?.id).toBe(ann?.id);
    expect([await pool.personOf(email('office')), invitationsTo(email('office'))]).toMatchObject([{ name: 'New' }, 2]);

    await update({ Id: 1, Email: email('x') });
    await update({ Id: 2, Email: email('ann') });
    await update({ Id: 1, Email: email('ben') });
    for (let time = 0; time < 3; time++) await follow();
    expect([(await pool.personOf(email('ben')))?.id, (await pool.personOf(email('ann')))?.id]).toEqual([
      ann?.id,
      ben?.id,
    ]);
  });

  const personAt = (name: string) => pool.personOf(email(name));
  const idOf = async (name: string) => (await personAt(name))?.id;
  const userOf = async (name: string) => (await users()).find(({ Name }) => Name === name);
  /** A user of another organization, who has the same address: somebody changes users there, and here none. */
  const addShadow = async (name: string): Promise<(change: object) => Promise<unknown>> => {
    const made = await call('organizations/create', { Name: 'B', Users: [{ Name: 'Shadow', Email: email(name) }] });
    const organization = { OrganizationId: made['OrganizationId'] };
    const Id = (await userOf('Shadow'))?.Id;
    return (change) => call('organizations/update', { ...organization, Users: [{ Id, ...change }] });
  };

  test.each([
    { first: 'owner', leaver: 'owner' },
    { first: 'owner', leaver: 'shadow' },
    { first: 'shadow', leaver: 'owner' },
    { first: 'shadow', leaver: 'shadow' },
  ])('leaves a person where two users had them: first the $first, and the $leaver leaves first', async (order) => {
    const addOwner = () => update({ Name: 'Ann', Email: email('ann') });
    if (order.first === 'owner') await addOwner();
    await follow();
    const changeShadow = await addShadow('ann');
    await follow();
    if (order.first === 'shadow') await addOwner();
    await follow();
    const person = await personAt('ann');
    const Id = (await userOf('Ann'))?.Id;
    const ownerLeaves = () => update({ Id, Email: email('lee') });
    const shadowLeaves = () => changeShadow({ Name: 'Evil', Email: email('evil') });
    for (const leave of order.leaver === 'owner' ? [ownerLeaves, shadowLeaves] : [shadowLeaves, ownerLeaves]) {
      await leave();
      await follow();
    }
    expect(await personAt('ann')).toEqual({ ...person, isEnabled: false });
    expect([await personAt('lee'), await personAt('evil')]).toMatchObject([{ name: 'Ann' }, { name: 'Evil' }]);
    expect([invitationsTo(email('lee')), invitationsTo(email('evil'))]).toEqual([1, 1]);
  });

  test('moves and renames nobody whom the account did not invite', async () => {
    await openPool(LOCAL_POOL).invite({ email: email('boss'), name: 'Boss' });
    const boss = await personAt('boss');
    await update({ Name: 'Evil', Email: email('boss') });
    await follow();
    expect(await personAt('boss')).toEqual(boss);
    await update({ Id: 1, Email: email('evil') });
    await follow();
    expect(await personAt('boss')).toMatchObject({ id: boss?.id, name: 'Boss' });
    expect(await personAt('evil')).toMatchObject({ name: 'Evil', isEnabled: true });
    expect(invitationsTo(email('evil'))).toBe(1);
  });

  test('gives a person whom another user has left to nobody, until the person is deleted there', async () => {
    await openPool(LOCAL_POOL).invite({ email: email('office'), name: 'Ann' });
    await update({ Name: 'Ann', Email: email('office') });
    await follow();
    await update({ Id: 1, Email: email('ann') });
    await follow();
    await update({ Name: 'New', Email: email('office') });
    expect(await follow()).toMatchObject({ done: 2, failures: [], waiting: [] });
    expect((await users())[1]).toMatchObject({ SignInId: '', SignInRefusal: 'PersonOfAnotherUser' });
    expect(await personAt('office')).toMatchObject({ isEnabled: false });
    await update({ Id: 2, Email: email('new') });
    await update({ Id: 1, Email: email('office') });
    await follow();
    expect(await personAt('office')).toMatchObject({ name: 'Ann', isEnabled: true });
  });

  test('takes a person back who was moved while another user came to them', async () => {
    const changeShadow = await addShadow('ann');
    await follow();
    const id = await idOf('ann');
    await update({ Name: 'Ann', Email: email('ann') });
    const [looked, moving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const table = testTable();
    const commit: typeof table.commit = async (...input) => {
      looked.resolve();
      await moving.promise;
      return table.commit(...input);
    };
    const joining = followUsersOf(account.accountId, [(await userOf('Ann'))?.Id ?? 0], { ...table, commit });
    await looked.promise;
    await changeShadow({ Email: email('evil') });
    pool.answer = ({ operation, body }) => {
      if (operation !== 'AdminUpdateUserAttributes') return undefined;
      moving.resolve();
      return joining.then(() => pool.pass({ operation, body }));
    };
    expect(await follow()).toMatchObject({ waiting: [{ seconds: 2 }] });
    await follow();
    expect([await idOf('ann'), (await userOf('Ann'))?.SignInId]).toEqual([id, id]);
    expect([await idOf('evil'), invitationsTo(email('evil'))]).toEqual([(await userOf('Shadow'))?.SignInId, 1]);
    expect(await idOf('evil')).not.toBe(id);
  });

  test('that is away or throttles gets everything later', async () => {
    await update({ Name: 'Ann', Email: email('ann') });
    pool.answer = () => failing;
    expect(await follow()).toMatchObject({ done: 0, failures: [{ index: 0, seconds: 30 }] });
    await update({ Id: 1, Name: 'Ann Lee' });
    let throttled = 0;
    pool.answer = () => (throttled++ < 2 ? refusing('TooManyRequestsException') : undefined);
    expect(await follow()).toMatchObject({ done: 1, failures: [] });
    expect([await pool.personOf(email('ann')), invitationsTo(email('ann'))]).toMatchObject([
      { name: 'Ann Lee', isEnabled: true },
      1,
    ]);
  });

  test('gets every change once, whatever write of a worker is its last, also if the user changes again then', async () => {
    const steps = [{ Email: email('b') }, { Email: email('c'), Name: 'Ann Lee' }, { Active: false }];
    await update({ Name: 'Ann', Email: email('a') });
    expect((await follow(dying(testTable(), 1))).failures).toHaveLength(1);
    expect(await follow()).toMatchObject({ failures: [], waiting: [{ index: 0, seconds: 2 }] });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    for (const step of steps) {
      await update({ Id: 1, ...step });
      await follow(dying(testTable(), 0));
      await follow();
    }
    expect([await pool.personOf(email('a')), await pool.personOf(email('b'))]).toEqual([undefined, undefined]);
    expect(await pool.personOf(email('c'))).toMatchObject({ name: 'Ann Lee', isEnabled: false });
    expect(sent().filter((name) => name === 'AdminDisableUser')).toHaveLength(1);
    vi.useRealTimers();
  });

  test('agrees with the users after changes at once', async () => {
    await update({ Name: 'Ann', Email: email('a') });
    await Promise.all([
      follow(),
      ...['b', 'c', 'd'].map(async (name) => {
        await update({ Id: 1, Email: email(name), Active: name !== 'c' });
        await follow();
      }),
    ]);
    await follow();
    const [user] = await users();
    const people = await Promise.all(['a', 'b', 'c', 'd'].map((name) => pool.personOf(email(name))));
    const known = people.filter((person) => person !== undefined);
    expect(await pool.personOf(user?.Email ?? '')).toEqual(known[0]);
    expect(known.map(({ isEnabled }) => isEnabled)).toEqual(user?.Active ? [true] : known.map(() => false));
    expect(known.length).toBeLessThan(2);
  });

  test('that refuses a person is not asked again until the user changes', async () => {
    await update({ Name: 'Ann', Email: email('ann') });
    pool.answer = () => refusing('InvalidParameterException');
    expect(await follow()).toMatchObject({ done: 1, failures: [] });
    pool.answer = ({ operation }) =>
      operation === 'AdminCreateUser' ? refusing('InvalidParameterException') : undefined;
    expect(await follow()).toMatchObject({ done: 1, failures: [] });
    expect((await users())[0]?.SignInRefusal).toBe('InvalidParameterException');
    pool.answer = () => undefined;
    await follow();
    expect((await users())[0]).toMatchObject({ SignInRefusal: '', SignInEmail: email('ann') });
  });
});

test('a change of a user is a message for the worker if the pool follows it, of the account of the pool alone', async () => {
  const image = (fields: Record<string, object>) => ({ E: { S: 'User' }, Name: { S: 'Ann' }, ...fields });
  const records = (id: string): StreamRecord[] => {
    const { PK, SK } = layout.user.key({ account: id, id: 7 });
    const of = (OldImage: object | undefined, NewImage: object | undefined) =>
      ({ dynamodb: { Keys: { PK: { S: PK }, SK: { S: SK } }, OldImage, NewImage } }) as StreamRecord;
    return [
      of(undefined, image({})),
      of(image({ Role: { S: 'Office' } }), image({ Role: { S: 'Admin' } })),
      of(image({ Active: { BOOL: true } }), image({ Active: { BOOL: false } })),
      of(image({}), undefined),
    ];
  };
  const messages: OutgoingMessage[] = [];
  const send = async (given: readonly OutgoingMessage[]) => (messages.push(...given), []);
  await handOver(testTable(), [...records(account.accountId), ...records('other')], { now: new Date() }, send);
  const message = layout.user.key({ account: account.accountId, id: 7 });
  expect(messages).toEqual([
    { queue: 'signins', message },
    { queue: 'signins', message },
  ]);
});

test('fs user check lists what differs, and with --repair puts it right', async () => {
  await update({ Name: 'Ann', Email: email('ann') }, { Name: 'Ben', Email: email('ben') });
  await followUsersOf(account.accountId, [2]);
  pool.answer = ({ operation }) => (operation === 'AdminDisableUser' ? failing : undefined);
  await update({ Id: 2, Active: false });
  await follow();
  pool.answer = () => undefined;
  pool.requests.length = 0;
  const environment = Object.fromEntries(
    ['TABLE_NAME', 'AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', 'USER_POOL_ID'].map((name) => [
      name,
      process.env[name] ?? '',
    ]),
  );
  const check = (...more: string[]) =>
    withEnvironment({ ...environment, DYNAMODB_ENDPOINT: testStack().DynamoDBEndpoint }, () =>
      runTool(['user', 'check', '--account', account.accountId, '--json', ...more]),
    );
  const found = await check();
  expect([found.code, sent().filter((name) => name !== 'ListUsers')], found.stdout + found.stderr).toEqual([1, []]);
  const different = { User: 2, Email: email('ben'), Finding: 'can sign in, but is not active' };
  expect(findingsIn(found)).toEqual([{ ...different, Repaired: false }]);
  const repaired = findingsIn(await check('--repair'));
  expect(repaired).toEqual([{ ...different, Repaired: true }]);
  expect(await pool.personOf(email('ben'))).toMatchObject({ isEnabled: false });
  expect(findingsIn(await check())).toEqual([]);
});

/** What the tool finds of users; the pool has those of other tests too, who are no users of this account. */
const findingsIn = ({ stdout }: { readonly stdout: string }) =>
  (JSON.parse(stdout) as { Findings: { User: number | null }[] }).Findings.filter(({ User }) => User !== null);
