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

test('a stage with a user pool gives functions its name and what they call there, and changes nothing else', async () => {
  const [without, having] = [await propertiesOf({}), await propertiesOf({ signIn })];
  expect([...having.keys()]).toEqual([...without.keys()]);
  const changed = [...having].filter(
    ([name, properties]) => JSON.stringify(properties) !== JSON.stringify(without.get(name)),
  );
  expect(changed.map(([name]) => name).sort()).toEqual([
    'background-work',
    'organizations',
    'signins',
    'signins-role',
    'user',
    'users',
    'users-role',
  ]);
  const added = (name: string) => {
    type Role = { Policies: { PolicyDocument: { Statement: object[] } }[] };
    const statementsIn = (template: typeof having) =>
      (template.get(name) as unknown as Role).Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const known = new Set(statementsIn(without).map((statement) => JSON.stringify(statement)));
    return statementsIn(having).filter((statement) => !known.has(JSON.stringify(statement)));
  };
  const calls = (...names: string[]) => [
    { Action: names.map((name) => `cognito-idp:Admin${name}`), Effect: 'Allow', Resource: POOL },
  ];
  expect(added('signins-role')).toEqual(
    calls('GetUser', 'CreateUser', 'UpdateUserAttributes', 'EnableUser', 'DisableUser'),
  );
  expect(added('users-role')).toEqual(calls('GetUser', 'SetUserMFAPreference', 'UserGlobalSignOut'));
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
