import { expect, test } from 'vitest';
import { parseStages } from '../../infra/stages.ts';
import { readable, synthesizeStages } from './synthesized.ts';

const signIn = { userPoolId: 'eu-west-1_a1B2c3D4e', account: 'acme' };
const domain = { name: 'api.example.com', certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/1' };
const region = 'eu-west-1';

/** The properties of a stage's resources, by their names. */
async function propertiesOf(settings: object) {
  const stage = { disposable: true, edge: false, region, domain, ...settings };
  const { templateOf } = await synthesizeStages({ dev: stage });
  return new Map([...readable(templateOf('field-service-dev'))].map(([name, { Properties }]) => [name, Properties]));
}

test('a stage with a user pool and `office` has one function with its routes and a client of the pool; no other does', async () => {
  const [without, having] = [await propertiesOf({ signIn }), await propertiesOf({ signIn, office: true })];
  const added = [...having.keys()].filter((name) => !without.has(name)).sort();
  expect(added.filter((name) => !name.startsWith('office-1') && !name.startsWith('office-2'))).toEqual([
    'OfficeClient',
    'office',
    'office-role',
    'office-route',
    'office-route/office-integration',
  ]);
  const routes = [...having.values()].map((properties) => properties?.['RouteKey']).filter(Boolean);
  expect(routes.filter((route) => String(route).includes('office'))).toEqual([
    'ANY /office',
    'ANY /office/{page}',
    'ANY /office/{page}/{id}',
  ]);
  expect([...without.values()].some((properties) => String(properties?.['RouteKey']).includes('office'))).toBe(false);
  expect(having.get('OfficeClient')).toMatchObject({
    UserPoolId: signIn.userPoolId,
    GenerateSecret: false,
    AllowedOAuthFlows: ['code'],
    AllowedOAuthScopes: ['openid', 'email'],
    CallbackURLs: ['https://Domain/office/signed-in'],
    LogoutURLs: ['https://Domain/office/sign-in'],
    PreventUserExistenceErrors: 'ENABLED',
  });
  expect(having.get('office')?.['Environment']).toMatchObject({
    Variables: {
      OFFICE_ISSUER: `https://cognito-idp.${region}.amazonaws.com/${signIn.userPoolId}`,
      OFFICE_CLIENT_ID: 'OfficeClient',
      OFFICE_ACCOUNT: 'acme',
    },
  });
});

test('the function of the office writes no keys but sessions, and asks nothing of the user pool', async () => {
  interface Statement {
    readonly Action: string | readonly string[];
    readonly Condition?: { readonly 'ForAllValues:StringLike': { readonly 'dynamodb:LeadingKeys': readonly string[] } };
  }
  const having = await propertiesOf({ signIn, office: true });
  const role = having.get('office-role') as unknown as {
    Policies: readonly { PolicyDocument: { Statement: readonly Statement[] } }[];
  };
  const statements = role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const ofKeys = statements.flatMap(({ Action, Condition }) => {
    const keys = Condition?.['ForAllValues:StringLike']['dynamodb:LeadingKeys'] ?? [];
    return keys.some((key) => key.startsWith('KEY#')) ? [[[Action].flat(), keys]] : [];
  });
  expect(ofKeys).toEqual([
    [['dynamodb:GetItem'], ['KEY#*', 'A#*#ORGANIZATIONS']],
    [['dynamodb:BatchGetItem'], ['A#*', 'KEY#*']],
    [
      ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
      ['A#*', 'KEY#user*'],
    ],
  ]);
  const actions = statements.flatMap(({ Action }) => Action);
  expect(actions.filter((action) => !/^(dynamodb|logs):/.test(action))).toEqual([]);
});

test.each([
  ['without `signIn`, whose users work there', { office: true }, 'is for stages with `signIn`'],
  [
    'with a user pool of another region',
    { office: true, region: 'us-east-1', signIn },
    'is for a user pool in the region of the stage',
  ],
])('a stage has no office %s', (_, wrong, sentence) => {
  expect(() => parseStages({ dev: { disposable: true, ...wrong } })).toThrow(sentence);
});
