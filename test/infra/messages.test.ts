import { describe, expect, test } from 'vitest';
import { parseStages } from '../../infra/stages.ts';
import { readable, synthesizeStages } from './synthesized.ts';

const careful = { edge: false, alarmEmail: 'night@example.com' };
const texts = { originationIdentity: 'phone-a1b2' };
const { templateOf } = await synthesizeStages({
  without: careful,
  emails: { ...careful, messages: { domain: 'mail.example.com' } },
  both: { ...careful, messages: { domain: 'mail.example.com', texts } },
});
const [without, emails, both] = ['without', 'emails', 'both'].map((stage) =>
  readable(templateOf(`field-service-${stage}`)),
) as [ReturnType<typeof readable>, ReturnType<typeof readable>, ReturnType<typeof readable>];
const properties = (name: string, stage = both) => stage.get(name)?.Properties ?? {};

interface Statement {
  readonly Action: string | string[];
  readonly Resource: string | string[];
  readonly Principal?: object;
  readonly Condition?: object;
}
const statementsOf = (role: string, service: string) =>
  (properties(role)['Policies'] as { PolicyDocument: { Statement: Statement[] } }[])
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Action }) => [Action].flat().some((action) => action.startsWith(`${service}:`)));
const variablesOf = (name: string, stage = both) =>
  (properties(name, stage)['Environment'] as { Variables: Record<string, string> }).Variables;

describe('a stage without messages', () => {
  test('has nothing of them: no queue, worker, identity, topic or variable', () => {
    expect([...without.keys()].filter((name) => /message-feedback|outbox|^Messages/.test(name))).toEqual([]);
    expect(JSON.stringify([...without.values()])).not.toContain('MESSAGES_');
  });
});

describe('a stage with messages', () => {
  test('has a domain that signs, and configuration sets whose events come to the queue', () => {
    expect(properties('MessagesIdentity')).toEqual({ EmailIdentity: 'mail.example.com' });
    expect(properties('MessagesEmails')).toEqual({
      ReputationOptions: { ReputationMetricsEnabled: true },
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    });
    expect(properties('MessagesEmails/feedback')).toEqual({
      ConfigurationSetName: 'MessagesEmails',
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: ['delivery', 'bounce', 'complaint', 'reject', 'renderingFailure'],
        SnsDestination: { TopicARN: 'MessagesFeedback' },
      },
    });
    expect(properties('MessagesTexts')['EventDestinations']).toEqual([
      {
        Enabled: true,
        EventDestinationName: 'feedback',
        MatchingEventTypes: expect.arrayContaining(['TEXT_DELIVERED', 'TEXT_CARRIER_BLOCKED']),
        SnsDestination: { TopicArn: 'MessagesFeedback' },
      },
    ]);
    expect(
      [...both.values()].filter(({ Properties }) => Properties?.['Endpoint'] === 'message-feedback-queue.Arn'),
    ).toEqual([
      expect.objectContaining({
        Properties: {
          Endpoint: 'message-feedback-queue.Arn',
          Protocol: 'sqs',
          RawMessageDelivery: true,
          TopicArn: 'MessagesFeedback',
        },
      }),
    ]);
  });

  test('names the DNS records of DKIM, and what fs messages asks AWS about, as outputs', () => {
    const outputs = templateOf('field-service-both').toJSON()['Outputs'] as Record<string, object>;
    expect(Object.keys(outputs).filter((name) => name.startsWith('Messages'))).toEqual([
      'MessagesDkim1',
      'MessagesDkim2',
      'MessagesDkim3',
      'MessagesConfigurationSet',
      'MessagesTextConfigurationSet',
      'MessagesFeedbackTopic',
    ]);
  });

  test('lets only the services of AWS, for this AWS account, publish to the topic', () => {
    const { Statement } = properties('MessagesFeedback/Policy')['PolicyDocument'] as {
      Statement: (Statement & { Effect: string })[];
    };
    const account = { StringEquals: { 'aws:SourceAccount': 'AWS::AccountId' } };
    const allowed = Statement.filter(({ Effect }) => Effect === 'Allow');
    expect(allowed.map(({ Principal }) => Principal)).toEqual([
      { Service: 'ses.amazonaws.com' },
      { Service: 'sms-voice.amazonaws.com' },
    ]);
    expect(allowed.map(({ Condition }) => JSON.stringify(Condition).toLowerCase())).toEqual([
      expect.stringContaining('"aws:sourceaccount":"aws::accountid"'),
      JSON.stringify(account).toLowerCase(),
    ]);
  });

  test('tells every function that it sends, and lets the worker of feedback answer by its number only', () => {
    for (const name of ['contacts', 'event-queue', 'message-feedback'])
      expect(variablesOf(name)).toMatchObject({
        MESSAGES_FROM: 'messages@mail.example.com',
        MESSAGES_TEXT_ORIGIN: 'phone-a1b2',
      });
    expect(variablesOf('message-feedback')['MESSAGES_TEXT_CONFIGURATION_SET']).toBe('MessagesTexts');
    expect(statementsOf('message-feedback-role', 'sms-voice')).toEqual([
      {
        Effect: 'Allow',
        Action: 'sms-voice:SendTextMessage',
        Resource: [
          'arn:AWS::Partition:sms-voice:AWS::Region:AWS::AccountId:phone-number/phone-a1b2',
          'MessagesTexts.Arn',
        ],
      },
    ]);
    expect(statementsOf('message-feedback-role', 'ses')).toEqual([]);
    expect(statementsOf('outbox-role', 'ses').map(({ Action }) => Action)).toEqual([
      ['ses:SendEmail', 'ses:SendRawEmail'],
    ]);
    expect(statementsOf('outbox-role', 'sms-voice').map(({ Action }) => Action)).toEqual(['sms-voice:SendTextMessage']);
    expect(statementsOf('message-feedback-role', 'sqs').map(({ Resource }) => Resource)).toEqual([
      'message-feedback-queue.Arn',
    ]);
    // No function fills the queue.
    expect(JSON.stringify(statementsOf('background-work-role', 'sqs'))).not.toContain('message-feedback');
  });

  test('has no texts where only the domain is named', () => {
    expect([...emails.values()].filter(({ Type }) => Type.startsWith('AWS::SMSVOICE'))).toEqual([]);
    expect(variablesOf('contacts', emails)).not.toHaveProperty('MESSAGES_TEXT_ORIGIN');
    expect(JSON.stringify(properties('message-feedback-role', emails))).not.toContain('sms-voice');
  });

  test.each([
    ['messages-bounces-alarm', 'Reputation.BounceRate', 0.05],
    ['messages-complaints-alarm', 'Reputation.ComplaintRate', 0.001],
  ])('%s watches %s of its configuration set', (name, MetricName, Threshold) => {
    expect(properties(name)).toMatchObject({
      Namespace: 'AWS/SES',
      MetricName,
      Threshold,
      Dimensions: [{ Name: 'ses:configuration-set', Value: 'MessagesEmails' }],
      AlarmActions: ['Alarms'],
    });
  });

  test('has the alarms of every worker on its queue', () => {
    for (const name of ['outbox', 'message-feedback'])
      for (const kind of ['dead-letters', 'parked', 'late', 'errors'])
        expect(both.has(`${name}-${kind}-alarm`), `${name} ${kind}`).toBe(true);
  });
});

test.each([
  [{}, 'dev.messages.domain: must be a domain whose DNS you control'],
  [{ domain: 'not a domain' }, 'dev.messages.domain: must be a domain whose DNS you control'],
  [{ domain: 'mail.example.com', texts: {} }, 'must be the id of a phone number or pool'],
  [{ domain: 'mail.example.com', texts: { originationIdentity: '+12175550143' } }, 'phone-…, pool-…'],
  [{ domain: 'mail.example.com', txts: {} }, 'txts'],
])('messages %j are refused with what they must be', (messages, words) => {
  expect(() => parseStages({ dev: { disposable: true, messages } })).toThrow(words);
});
