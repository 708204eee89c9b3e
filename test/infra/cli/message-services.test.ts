import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MessageServices, startMessageServices } from '../../../infra/local/messages/stand-in.ts';
import { findMissing, describeServices } from '../../../infra/message-services.ts';
import { type AwsAnswer, startAws } from '../../support/aws-stand-in.ts';
import { runTool, withEnvironment } from '../../support/cli.ts';

/** What AWS has. */
const ready = {
  account: {
    ProductionAccessEnabled: true,
    SendingEnabled: true,
    SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 120 },
  },
  identity: { VerifiedForSendingStatus: true, DkimAttributes: { Status: 'SUCCESS', Tokens: ['abc', 'def'] } },
  suppressed: ['BOUNCE', 'COMPLAINT'],
  tier: 'PRODUCTION',
  number: {
    PhoneNumberId: 'phone-1',
    Status: 'ACTIVE',
    TwoWayEnabled: true,
    TwoWayChannelArn: 'arn:topic',
    SelfManagedOptOutsEnabled: true,
  } as object | undefined,
};
let has = ready;

let aws: Awaited<ReturnType<typeof startAws>>;
let local: MessageServices;
const folder = mkdtempSync(join(tmpdir(), 'messages-'));
beforeAll(async () => {
  const json = (body: object): AwsAnswer => ({ body: JSON.stringify(body) });
  aws = await startAws(({ operation }) => {
    if (operation === 'GET /v2/email/account') return json(has.account);
    if (operation === 'GET /v2/email/identities/mail.example.com') return json(has.identity);
    if (operation === 'GET /v2/email/configuration-sets/emails')
      return json({ SuppressionOptions: { SuppressedReasons: has.suppressed } });
    if (operation === 'DescribeAccountAttributes')
      return json({ AccountAttributes: [{ Name: 'ACCOUNT_TIER', Value: has.tier }] });
    if (operation === 'DescribePhoneNumbers') return json({ PhoneNumbers: has.number ? [has.number] : [] });
    return undefined;
  });
  local = await startMessageServices({ port: 0 });
  const stack = {
    AccountId: 'acme',
    DynamoDBEndpoint: 'http://127.0.0.1:9',
    TableName: 'table',
    Region: 'us-east-1',
    MessagesEndpoint: local.endpoint,
  };
  writeFileSync(join(folder, 'local.json'), JSON.stringify(stack));
});
afterAll(async () => {
  await Promise.all([aws.stop(), local.stop()]);
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  has = ready;
});

const deployed = {
  messages: { domain: 'mail.example.com', texts: { originationIdentity: 'phone-1' } },
  outputs: new Map([
    ['MessagesConfigurationSet', 'emails'],
    ['MessagesTextConfigurationSet', 'texts'],
    ['MessagesFeedbackTopic', 'arn:topic'],
  ]),
};
const onAws = <Result>(run: () => Promise<Result>) =>
  withEnvironment(
    {
      AWS_ENDPOINT_URL_SESV2: aws.endpoint,
      AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2: aws.endpoint,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    run,
  );
async function missing(more: Partial<typeof ready> = {}, outputs = deployed.outputs): Promise<string[]> {
  has = { ...ready, ...more };
  const found = await onAws(() => findMissing({ ...deployed, outputs }, 'us-east-1'));
  return found.flatMap(({ name, isGood, message }) => (isGood ? [] : [`${name}: ${message}`]));
}

test('a deployment that has everything misses nothing', async () => {
  expect(await missing()).toEqual([]);
  expect(await onAws(() => describeServices(deployed, 'us-east-1'))).toEqual({
    From: 'messages@mail.example.com',
    Dkim: 'SUCCESS',
    Sandbox: false,
    SentToday: 120,
    DailyQuota: 50_000,
    PerSecond: 14,
    ConfigurationSet: 'emails',
    TextsFrom: 'phone-1',
    TextConfigurationSet: 'texts',
    FeedbackTopic: 'arn:topic',
  });
});

test.each([
  ['a paused account', { account: { ...ready.account, SendingEnabled: false } }, 'e-mails: Amazon SES is paused'],
  [
    'a sandbox',
    { account: { ...ready.account, ProductionAccessEnabled: false } },
    'e-mails: Amazon SES is in its sandbox',
  ],
  [
    'a domain whose records are not in DNS',
    { identity: { VerifiedForSendingStatus: false, DkimAttributes: { Status: 'PENDING', Tokens: ['abc'] } } },
    'abc._domainkey.mail.example.com CNAME abc.dkim.amazonses.com',
  ],
  ['a list that is off', { suppressed: ['BOUNCE'] }, 'suppression: The suppression list of emails is off'],
  ['a sandbox of texts', { tier: 'SANDBOX' }, 'texts: AWS End User Messaging is in its sandbox'],
  ['a number that is not there', { number: undefined }, 'number: phone-1 is absent'],
  ['a number that waits', { number: { ...ready.number, Status: 'PENDING' } }, 'number: phone-1 is PENDING'],
  [
    'a number that says nothing',
    { number: { ...ready.number, TwoWayEnabled: false } },
    'number: phone-1 does not say what clients text. Enable two-way messages, to arn:topic.',
  ],
  [
    'a number whose opt-outs are those of AWS',
    { number: { ...ready.number, SelfManagedOptOutsEnabled: false } },
    'Enable self-managed opt-outs',
  ],
])('%s is missing, with what to do', async (_, more, words) => {
  expect(await missing(more)).toEqual([expect.stringContaining(words)]);
});

test('a stage that was not deployed with its messages says so', async () => {
  expect(await missing({}, new Map([['MessagesFeedbackTopic', 'arn:topic']]))).toEqual([
    expect.stringContaining('suppression: The stack has no configuration set'),
  ]);
});

test('fs messages test sends to the inbox of the local stack', async () => {
  const run = (address: string) =>
    withEnvironment({ FS_DATA: folder }, () => runTool(['messages', 'test', address, '--json']));
  const email = await run('ann@example.com');
  expect(email).toMatchObject({ code: 0 });
  expect(JSON.parse(email.stdout)).toEqual({ To: 'ann@example.com', Channel: 'Email', ServiceId: expect.any(String) });
  expect((await run('+12175550143')).code).toBe(0);
  expect((await local.inbox()).map(({ Channel, To, Kind }) => [Channel, To, Kind])).toEqual([
    ['Text', '+12175550143', ''],
    ['Email', 'ann@example.com', ''],
  ]);
  expect((await run('217-555-0143')).stderr).toContain('must be an e-mail address, or a phone number such as');
});

test('a stage without messages is refused with what its cdk.json needs', async () => {
  const { code, stderr } = await withEnvironment({ AWS_REGION: 'us-east-1' }, () =>
    runTool(['messages', 'connect', 'dev']),
  );
  expect(code).toBe(1);
  expect(stderr).toContain('Stage dev of cdk.json has no "messages"');
});
