import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  DescribeAccountAttributesCommand,
  DescribePhoneNumbersCommand,
  DescribePoolsCommand,
  PinpointSMSVoiceV2Client,
} from '@aws-sdk/client-pinpoint-sms-voice-v2';
import {
  GetAccountCommand,
  GetConfigurationSetCommand,
  GetEmailIdentityCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { MESSAGE_OUTPUTS, senderOf } from './message-names.ts';
import { type Finding, bad, checked, good } from './findings.ts';
import type { StageSettings } from './stages.ts';

/** What AWS says of the services that send the messages of a stage. */

export type MessagesSettings = NonNullable<StageSettings['messages']>;

const USE_CASE =
  'Say that you send your clients what they ordered: confirmations, reminders, invoices and receipts; that a ' +
  'configuration set takes bounces and complaints, and that addresses which bounce are not used again.';

/** Whether Amazon SES sends to everybody: before a deployment too. */
export async function checkEmailAccount(region: string): Promise<Finding> {
  const account = await new SESv2Client({ region }).send(new GetAccountCommand({}));
  const { ProductionAccessEnabled, SendingEnabled, SendQuota, EnforcementStatus = '' } = account;
  const { Max24HourSend: daily = 0, MaxSendRate: rate = 0 } = SendQuota ?? {};
  if (!SendingEnabled)
    return bad('e-mails', `Amazon SES is paused (${EnforcementStatus}): see its Account dashboard in the console.`);
  if (!ProductionAccessEnabled)
    return bad(
      'e-mails',
      `Amazon SES is in its sandbox: it sends ${daily} e-mails a day, to verified addresses only. Ask for production ` +
        `access: console, Amazon SES, Account dashboard, mail type Transactional. ${USE_CASE}`,
    );
  return good('e-mails', `Amazon SES sends ${daily} e-mails a day, ${rate} a second.`);
}

/** Whether AWS End User Messaging sends to every number. */
export async function checkTextAccount(region: string): Promise<Finding> {
  const { AccountAttributes = [] } = await new PinpointSMSVoiceV2Client({ region }).send(
    new DescribeAccountAttributesCommand({}),
  );
  const tier = AccountAttributes.find(({ Name }) => Name === 'ACCOUNT_TIER')?.Value ?? 'unknown';
  return tier === 'PRODUCTION'
    ? good('texts', 'AWS End User Messaging sends to every number.')
    : bad(
        'texts',
        'AWS End User Messaging is in its sandbox: it sends to verified numbers only. Ask for production access: ' +
          `console, AWS End User Messaging, SMS, Overview. ${USE_CASE}`,
      );
}

async function checkDomain({ domain }: MessagesSettings, region: string): Promise<Finding[]> {
  const client = new SESv2Client({ region });
  const { VerifiedForSendingStatus, DkimAttributes = {} } = await client.send(
    new GetEmailIdentityCommand({ EmailIdentity: domain }),
  );
  const { Status = 'absent', Tokens = [] } = DkimAttributes;
  if (VerifiedForSendingStatus && Status === 'SUCCESS') return [good('domain', `${domain} is verified by DKIM.`)];
  const records = Tokens.map((token) => `${token}._domainkey.${domain} CNAME ${token}.dkim.amazonses.com`);
  return [
    bad(
      'domain',
      `DKIM of ${domain} is ${Status}. Its DNS needs, and AWS then looks for hours:\n${records.join('\n')}`,
    ),
  ];
}

async function checkSuppression(name: string | undefined, region: string): Promise<Finding> {
  if (!name) return bad('suppression', 'The stack has no configuration set: deploy the stage with its `messages`.');
  const { SuppressionOptions } = await new SESv2Client({ region }).send(
    new GetConfigurationSetCommand({ ConfigurationSetName: name }),
  );
  const reasons = SuppressionOptions?.SuppressedReasons ?? [];
  return reasons.includes('BOUNCE') && reasons.includes('COMPLAINT')
    ? good('suppression', 'Addresses that bounce or complain are not used again.')
    : bad('suppression', `The suppression list of ${name} is off: deploy the stage again.`);
}

/** A phone number or a pool, as far as both have the same facts. */
interface Origin {
  readonly Status?: string | undefined;
  readonly TwoWayEnabled?: boolean | undefined;
  readonly TwoWayChannelArn?: string | undefined;
  readonly SelfManagedOptOutsEnabled?: boolean | undefined;
}

async function findOrigin(id: string, region: string): Promise<Origin | undefined> {
  const client = new PinpointSMSVoiceV2Client({ region });
  if (id.startsWith('pool-')) return (await client.send(new DescribePoolsCommand({ PoolIds: [id] }))).Pools?.[0];
  return (await client.send(new DescribePhoneNumbersCommand({ PhoneNumberIds: [id] }))).PhoneNumbers?.[0];
}

async function checkOrigin(id: string, topic: string | undefined, region: string): Promise<Finding> {
  const origin = await findOrigin(id, region);
  if (origin?.Status !== 'ACTIVE') return bad('number', `${id} is ${origin?.Status ?? 'absent'}, not ACTIVE.`);
  const { TwoWayEnabled, TwoWayChannelArn, SelfManagedOptOutsEnabled } = origin;
  if (!TwoWayEnabled || TwoWayChannelArn !== topic)
    return bad('number', `${id} does not say what clients text. Enable two-way messages, to ${topic ?? 'its topic'}.`);
  return SelfManagedOptOutsEnabled
    ? good('number', `${id} is active, and STOP, START and HELP come to the stage.`)
    : bad(
        'number',
        `AWS answers STOP to ${id} itself, and the contacts do not show it. Enable self-managed opt-outs: the stage ` +
          'then sets DoNotText and answers.',
      );
}

/** The outputs of the stack of a stage, by name. */
export async function outputsOf(stage: string, region: string): Promise<ReadonlyMap<string, string>> {
  const client = new CloudFormationClient({ region });
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: `field-service-${stage}` }));
  return new Map((Stacks[0]?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}

/** What is missing before a deployed stage reaches its clients. */
export async function findMissing(
  { messages, outputs }: { readonly messages: MessagesSettings; readonly outputs: ReadonlyMap<string, string> },
  region: string,
): Promise<Finding[]> {
  const { texts } = messages;
  return checked([
    ['e-mails', checkEmailAccount(region)],
    ['domain', checkDomain(messages, region)],
    ['suppression', checkSuppression(outputs.get(MESSAGE_OUTPUTS.configurationSet), region)],
    ...(texts
      ? ([
          ['texts', checkTextAccount(region)],
          ['number', checkOrigin(texts.originationIdentity, outputs.get(MESSAGE_OUTPUTS.feedbackTopic), region)],
        ] as const)
      : []),
  ]);
}

/** How a deployed stage sends now. */
export async function describeServices(
  { messages, outputs }: { readonly messages: MessagesSettings; readonly outputs: ReadonlyMap<string, string> },
  region: string,
) {
  const client = new SESv2Client({ region });
  const [account, identity] = await Promise.all([
    client.send(new GetAccountCommand({})),
    client.send(new GetEmailIdentityCommand({ EmailIdentity: messages.domain })),
  ]);
  return {
    From: senderOf(messages),
    Dkim: identity.DkimAttributes?.Status ?? 'absent',
    Sandbox: !account.ProductionAccessEnabled,
    SentToday: account.SendQuota?.SentLast24Hours ?? 0,
    DailyQuota: account.SendQuota?.Max24HourSend ?? 0,
    PerSecond: account.SendQuota?.MaxSendRate ?? 0,
    ConfigurationSet: outputs.get(MESSAGE_OUTPUTS.configurationSet) ?? null,
    TextsFrom: messages.texts?.originationIdentity ?? null,
    TextConfigurationSet: outputs.get(MESSAGE_OUTPUTS.textConfigurationSet) ?? null,
    FeedbackTopic: outputs.get(MESSAGE_OUTPUTS.feedbackTopic) ?? null,
  };
}
