import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findObstacles } from '../../infra/preflight.ts';
import { parseStages } from '../../infra/stages.ts';
import { startAws } from '../support/aws-stand-in.ts';

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/1';

/** What the AWS account has. */
interface Account {
  readonly runs: number;
  readonly units: number;
  readonly stack?: string;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly certificate: string;
  /** Whether Amazon SES and AWS End User Messaging are in their sandboxes. */
  readonly isSandbox?: boolean;
  /** Whether Amazon Location answers. */
  readonly hasRoads?: boolean;
  /** Of the topic of alarms. */
  readonly statements: readonly object[];
}
const alarmTopicArn = 'arn:aws:sns:us-east-1:123456789012:on-call';
const letsPublish = (...services: string[]) => ({
  Effect: 'Allow',
  Principal: { Service: services.length > 1 ? services : services[0] },
  Action: 'sns:Publish',
  Resource: alarmTopicArn,
});
const ALARMS = 'cloudwatch.amazonaws.com';
const BACKUPS = 'backup.amazonaws.com';
const ready: Account = { runs: 1_000, units: 40_000, certificate: 'ISSUED', statements: [] };
let account = ready;

const xml = (inner: string) => ({ headers: { 'content-type': 'text/xml' }, body: inner });
const outputs = () =>
  Object.entries(account.outputs ?? {})
    .map(([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`)
    .join('');
const describeStacks = () =>
  account.stack
    ? xml(
        `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>s</StackName><CreationTime>2026-11-22T10:00:00Z</CreationTime><StackStatus>${account.stack}</StackStatus><Outputs>${outputs()}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
      )
    : {
        ...xml(
          '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id s does not exist</Message></Error></ErrorResponse>',
        ),
        status: 400,
      };

const topicAttributes = () => {
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: account.statements });
  return xml(
    '<GetTopicAttributesResponse><GetTopicAttributesResult><Attributes><entry><key>Policy</key>' +
      `<value>${policy}</value></entry></Attributes></GetTopicAttributesResult></GetTopicAttributesResponse>`,
  );
};

let aws: Awaited<ReturnType<typeof startAws>>;
beforeAll(async () => {
  aws = await startAws(({ operation }) => {
    const { runs, units, certificate } = account;
    const json = (value: object) => ({ body: JSON.stringify(value) });
    if (operation.endsWith('/account-settings'))
      return json({ AccountLimit: { ConcurrentExecutions: runs, UnreservedConcurrentExecutions: runs } });
    if (operation === 'DescribeLimits')
      return json({ TableMaxReadCapacityUnits: units, TableMaxWriteCapacityUnits: units });
    if (operation === 'DescribeCertificate')
      return json({ Certificate: { Status: certificate, DomainName: '*.example.com' } });
    if (operation === 'GetTopicAttributes') return topicAttributes();
    if (operation === 'GET /v2/email/account')
      return json({
        ProductionAccessEnabled: !account.isSandbox,
        SendingEnabled: true,
        SendQuota: { Max24HourSend: account.isSandbox ? 200 : 50_000, MaxSendRate: 14, SentLast24Hours: 0 },
      });
    if (operation === 'DescribeAccountAttributes')
      return json({
        AccountAttributes: [{ Name: 'ACCOUNT_TIER', Value: account.isSandbox ? 'SANDBOX' : 'PRODUCTION' }],
      });
    if (account.hasRoads && operation === 'POST /v2/geocode') return json({ ResultItems: [] });
    if (account.hasRoads && operation === 'POST /v2/route-matrix') return json({ RouteMatrix: [] });
    return operation === 'DescribeStacks' ? describeStacks() : undefined;
  });
  for (const name of ['', '_DYNAMODB', '_SESV2', '_PINPOINT_SMS_VOICE_V2', '_GEO_ROUTES', '_GEO_PLACES'])
    vi.stubEnv(`AWS_ENDPOINT_URL${name}`, aws.endpoint);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

async function obstaclesOf(more: Partial<Account>, settings: object = {}): Promise<string[]> {
  account = { ...ready, ...more };
  const domain = { name: 'api.example.com', certificateArn };
  const stages = parseStages({ live: { alarmEmail: 'a@b.co', region: 'us-east-1', domain, ...settings } });
  const found = await findObstacles('live', stages.get('live') as never, 'us-east-1');
  return found.flatMap(({ isGood, message }) => (isGood ? [] : [message]));
}

test('an account that has what a stage needs passes, also where the stack exists', async () => {
  expect(await obstaclesOf({})).toEqual([]);
  expect(await obstaclesOf({ stack: 'UPDATE_COMPLETE' })).toEqual([]);
});

test.each([
  ['a reservation that AWS refuses', { runs: 182 }, { workerConcurrency: 20 }, 'The stage reserves 83 runs'],
  ['few units of a table', { units: 1_000 }, {}, 'A table takes 1000 read'],
  ['a stack that is stuck', { stack: 'ROLLBACK_COMPLETE' }, {}, 'field-service-live is ROLLBACK_COMPLETE'],
  ['a certificate that waits', { certificate: 'PENDING_VALIDATION' }, {}, 'The certificate is PENDING_VALIDATION'],
  [
    'a certificate of another name',
    {},
    { domain: { name: 'api.example.org', certificateArn } },
    'It is for *.example.com, not for api.example.org',
  ],
  [
    'a question that the credentials may not ask',
    {},
    { tableName: 'restored', tableStreamArn: 'arn:aws:dynamodb:us-east-1:1:table/restored/stream/1' },
    'AWS did not say: not authorized',
  ],
])('%s is in the way', async (_, more, settings, words) => {
  expect(await obstaclesOf(more, settings)).toEqual([expect.stringContaining(words)]);
});

test('the sandboxes of SES and of texts are findings for a stage with messages, with what to ask AWS for', async () => {
  const messages = { domain: 'mail.example.com', texts: { originationIdentity: 'phone-1' } };
  expect(await obstaclesOf({ isSandbox: true })).toEqual([]);
  expect(await obstaclesOf({}, { messages })).toEqual([]);
  expect(await obstaclesOf({ isSandbox: true }, { messages: { domain: 'mail.example.com' } })).toEqual([
    expect.stringMatching(/^Amazon SES is in its sandbox: it sends 200 e-mails a day, .* Ask for production access/),
  ]);
  expect(await obstaclesOf({ isSandbox: true }, { messages })).toEqual([
    expect.stringContaining('Amazon SES is in its sandbox'),
    expect.stringContaining('AWS End User Messaging is in its sandbox: it sends to verified numbers only. Ask for'),
  ]);
});

test('Amazon Location must answer for a stage with routes', async () => {
  const routes = { provider: 'amazon-location' };
  expect(await obstaclesOf({}, { routes })).toEqual([expect.stringContaining('AWS did not say: not authorized')]);
  expect(await obstaclesOf({ hasRoads: true }, { routes })).toEqual([]);
});

test('an account of 10 runs can deploy, since new versions are called one after another', async () => {
  expect(await obstaclesOf({ runs: 10 })).toEqual([]);
});

test('an account of 183 runs takes the reservation of 83', async () => {
  expect(await obstaclesOf({ runs: 183 }, { workerConcurrency: 20 })).toEqual([]);
});

test.each([
  ['BaseUrl', 'https://abc.execute-api.us-east-1.amazonaws.com'],
  ['DomainTarget', 'd-abc.execute-api.us-east-1.amazonaws.com'],
])('a stack whose %s is of API Gateway is told that an edge closes it, unless it keeps it', async (output, address) => {
  const deployed = { stack: 'UPDATE_COMPLETE', outputs: { BaseUrl: 'https://api.example.com', [output]: address } };
  expect(await obstaclesOf(deployed)).toEqual([expect.stringContaining(`${address} is closed at once`)]);
  for (const edge of [false, { keepOldAddress: true }]) expect(await obstaclesOf(deployed, { edge })).toEqual([]);
  const moved = { ...deployed, outputs: { ...deployed.outputs, [output]: 'd1.cloudfront.net' } };
  expect(await obstaclesOf(moved)).toEqual([]);
});

/** What a new topic has: the AWS account may do everything. */
const ofAccount = {
  Effect: 'Allow',
  Principal: { AWS: '*' },
  Action: ['SNS:Subscribe', 'SNS:Publish'],
  Resource: alarmTopicArn,
  Condition: { StringEquals: { 'AWS:SourceOwner': '123456789012' } },
};
const backup = { copyTo: 'arn:aws:backup:eu-central-1:210987654321:backup-vault:copies' };

test.each([
  ['alarms', [letsPublish(ALARMS)], {}],
  ['alarms by the policy of a new topic', [ofAccount], {}],
  ['alarms and backups', [letsPublish(ALARMS, BACKUPS)], { backup }],
  ['alarms and backups by two statements', [ofAccount, letsPublish(BACKUPS)], { backup }],
  ['everybody', [{ Effect: 'Allow', Principal: '*', Action: '*' }], { backup }],
])('a topic that takes mails of %s is in nobody’s way', async (_, statements, settings) => {
  expect(await obstaclesOf({ statements }, { alarmTopicArn, ...settings })).toEqual([]);
});

test.each([
  ['of nobody', [], {}, [ALARMS]],
  ['of another service', [letsPublish('events.amazonaws.com')], {}, [ALARMS]],
  ['of nobody, but a denial', [{ ...letsPublish(ALARMS), Effect: 'Deny' }], {}, [ALARMS]],
  ['of nobody, but readers', [{ ...letsPublish(ALARMS), Action: ['sns:Subscribe'] }], {}, [ALARMS]],
  ['of no backups', [letsPublish(ALARMS)], { backup }, [BACKUPS]],
  ['of no backups, as a new one', [ofAccount], { backup }, [BACKUPS]],
  ['of nobody, with backups', [], { backup }, [ALARMS, BACKUPS]],
])('a topic that takes mails %s is in the way, with what to add', async (_, statements, settings, missing) => {
  const [found = '', ...others] = await obstaclesOf({ statements }, { alarmTopicArn, ...settings });
  expect(others).toEqual([]);
  expect(found).toContain(`${missing.join(' and ')} may not publish to ${alarmTopicArn}.`);
  // With it, nothing is in the way.
  const added = JSON.parse(found.slice(found.indexOf('{'))) as object;
  expect(await obstaclesOf({ statements: [...statements, added] }, { alarmTopicArn, ...settings })).toEqual([]);
});
