import { expect, test } from 'vitest';
import { parseStages } from '../../infra/stages.ts';
import { readable, synthesizeStages } from './synthesized.ts';

const signIn = { userPoolId: 'eu-west-1_a1B2c3D4e', account: 'acme' };
const POOL = 'arn:AWS::Partition:cognito-idp:eu-west-1:AWS::AccountId:userpool/eu-west-1_a1B2c3D4e';

/** The properties of a stage's resources, by their names. */
async function propertiesOf(settings: object) {
  const { templateOf } = await synthesizeStages({ dev: { disposable: true, ...settings } });
  return new Map([...readable(templateOf('field-service-dev'))].map(([name, { Properties }]) => [name, Properties]));
}

test('a stage with a user pool has a worker that follows users, and names the pool to who needs it; no other does', async () => {
  const [without, having] = [await propertiesOf({}), await propertiesOf({ signIn })];
  const isOfWorker = (name: string) => name.startsWith('signins-') || name === 'signins';
  const queues = ['signins-dead-letters', 'signins-dead-letters/Policy', 'signins-queue', 'signins-queue/Policy'];
  expect([...without.keys()].filter(isOfWorker).sort()).toEqual(queues);
  const added = [...having.keys()].filter((name) => !without.has(name));
  expect([added.filter(isOfWorker).sort(), added.filter((name) => !isOfWorker(name))]).toEqual([
    ['signins', 'signins-role', 'signins-source'],
    [],
  ]);

  const changed = [...having].filter(
    ([name, properties]) => JSON.stringify(properties) !== JSON.stringify(without.get(name)) && !added.includes(name),
  );
  expect(changed.map(([name]) => name).sort()).toEqual([
    'background-work',
    'mcp',
    'organizations',
    'user',
    'users',
    'users-role',
  ]);
  type Statement = { Action: string[] | string; Resource: string };
  const callsOf = (name: string) => {
    const role = having.get(name) as unknown as { Policies: { PolicyDocument: { Statement: Statement[] } }[] };
    return role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Action }) => [Action].flat().some((action) => action.startsWith('cognito')))
      .map(({ Action, Resource }) => [[Action].flat(), Resource]);
  };
  const calls = (...names: string[]) => [[names.map((name) => `cognito-idp:Admin${name}`), POOL]];
  expect(callsOf('signins-role')).toEqual(
    calls('GetUser', 'CreateUser', 'UpdateUserAttributes', 'EnableUser', 'DisableUser'),
  );
  expect(callsOf('users-role')).toEqual(calls('GetUser', 'SetUserMFAPreference', 'UserGlobalSignOut'));
  for (const name of ['background-work', 'organizations', 'signins', 'user', 'users'])
    expect(having.get(name)?.['Environment']).toMatchObject({
      Variables: { USER_POOL_ID: signIn.userPoolId, USER_POOL_ACCOUNT: signIn.account },
    });
});

test.each([{ userPoolId: 'people', account: 'acme' }, { userPoolId: signIn.userPoolId }])(
  'a user pool needs its id and the account whose users it has: not %j',
  (wrong) => {
    expect(() => parseStages({ dev: { disposable: true, signIn: wrong } })).toThrow('dev.signIn');
  },
);
