import { describe, expect, test } from 'vitest';
import type { MessageRecord, MessageState } from '../../../lib/entities/messages.ts';
import { afterReport, emailProblem, messageTags, parseReport } from '../../../lib/domain/messages/reports.ts';

const now = new Date('2026-11-29T12:00:00Z');
const key = { PK: 'A#acme#MESSAGES#0000000007', SK: '01796000000000#Reminder#Appointment#0000000009#Email' };
const tags = messageTags(key, 'Reminder');

/** The mail object of the examples in "Examples of event data that Amazon SES publishes to Amazon SNS". */
const mail = {
  timestamp: '2017-08-05T00:40:02.012Z',
  source: 'Sender Name <sender@example.com>',
  sourceArn: 'arn:aws:ses:us-east-1:123456789012:identity/sender@example.com',
  sendingAccountId: '123456789012',
  messageId: 'EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000',
  destination: ['recipient@example.com'],
  headersTruncated: false,
  headers: [{ name: 'From', value: 'Sender Name <sender@example.com>' }],
  commonHeaders: { from: ['Sender Name <sender@example.com>'], to: ['recipient@example.com'] },
  tags: {
    'ses:configuration-set': ['ConfigSet'],
    'ses:source-ip': ['192.0.2.0'],
    'ses:from-domain': ['example.com'],
    'ses:caller-identity': ['ses_user'],
    ...Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, [value]])),
  },
};
const timestamp = '2017-08-05T00:41:02.669Z';
const at = Date.parse(timestamp);
const bounce = (more: object) => ({
  eventType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [
      {
        emailAddress: 'recipient@example.com',
        action: 'failed',
        status: '5.1.1',
        diagnosticCode: 'smtp; 550 5.1.1 user unknown',
      },
    ],
    timestamp,
    feedbackId: '01000157c44f053b-61b59c11-9236-11e6-8f96-7be8aexample-000000',
    reportingMTA: 'dsn; mta.example.com',
    ...more,
  },
  mail,
});
const refusedWith = (status: string, diagnosticCode?: string) => ({
  bouncedRecipients: [{ emailAddress: 'recipient@example.com', status, diagnosticCode }],
});

describe('what Amazon SES reports', () => {
  test.each([
    [
      'a delivery',
      { eventType: 'Delivery', delivery: { timestamp, processingTimeMillis: 3, recipients: [] }, mail },
      'Delivered',
      '',
      false,
    ],
    ['a hard bounce', bounce({}), 'Bounced', 'the mailbox does not exist', true],
    ['a bounce of an unknown domain', bounce(refusedWith('5.1.2')), 'Bounced', 'its domain does not exist', true],
    [
      'a bounce with the words of a server',
      bounce(refusedWith('5.7.1', 'smtp; 550 5.7.1 Go\r\n away\u0007')),
      'Bounced',
      '550 5.7.1 Go away',
      true,
    ],
    ['a bounce without any words', bounce({ bouncedRecipients: [] }), 'Bounced', 'its server refused it', true],
    [
      'an address of the suppression list',
      bounce({ bounceSubType: 'OnAccountSuppressionList' }),
      'Bounced',
      'it bounced or complained before, and is on the suppression list',
      true,
    ],
    [
      'a full mailbox',
      bounce({ bounceType: 'Transient', bounceSubType: 'MailboxFull' }),
      'Bounced',
      'the mailbox is full',
      false,
    ],
    [
      'a bounce for the content',
      bounce({ bounceSubType: 'AttachmentRejected' }),
      'Bounced',
      'its server refused the attachment',
      false,
    ],
    [
      'a complaint',
      {
        eventType: 'Complaint',
        complaint: { timestamp, complaintFeedbackType: 'abuse', complainedRecipients: [] },
        mail,
      },
      'Complained',
      'the message was reported as spam',
      true,
    ],
    [
      'a complaint without a kind',
      { eventType: 'Complaint', complaint: { timestamp, complainedRecipients: [] }, mail },
      'Complained',
      'the message was reported as unwanted',
      true,
    ],
  ])('%s', (_, event, state, reason, isLasting) => {
    expect(parseReport(event, now)).toEqual({ kind: 'message', key, report: { state, reason, at }, isLasting });
  });

  test.each([
    [{ eventType: 'Reject', mail, reject: { reason: 'Bad content' } }, 'Amazon SES did not send it: Bad content'],
    [
      {
        eventType: 'Rendering Failure',
        mail,
        failure: { errorMessage: "Attribute 'attributeName' is not present in the rendering data.", templateName: 'T' },
      },
      "Amazon SES could not make it: Attribute 'attributeName' is not present in the rendering data.",
    ],
  ])('%j is a failure, at the time of the message', (event, reason) => {
    const report = { state: 'Failed', reason, at: Date.parse(mail.timestamp) };
    expect(parseReport(event, now)).toEqual({ kind: 'message', key, report, isLasting: false });
  });

  test.each(['Send', 'Open', 'Click', 'DeliveryDelay', 'Subscription'])('%s says nothing new', (eventType) => {
    expect(parseReport({ eventType, mail }, now)).toBeUndefined();
  });

  test('about an e-mail without our tag changes nothing', () => {
    expect(parseReport({ ...bounce({}), mail: { ...mail, tags: {} } }, now)).toBeUndefined();
  });
});

/** The example of "Messaging Events" of AWS End User Messaging. */
const textEvent = (eventType: string, context: object = tags) => ({
  eventType,
  eventVersion: '1.0',
  eventTimestamp: 1_686_975_103_470,
  isFinal: true,
  originationPhoneNumber: '+12065550152',
  destinationPhoneNumber: '+14255550156',
  isInternationalSend: false,
  messageId: '862a8790-60c0-4430-9b2b-658bdexample',
  messageStatus: 'SUCCESSFUL',
  messageStatusDescription: 'Message has been accepted by phone carrier',
  context,
  totalMessageParts: 1,
});

describe('what AWS End User Messaging reports', () => {
  test.each([
    ['TEXT_DELIVERED', 'Delivered', ''],
    ['TEXT_SUCCESSFUL', 'Delivered', ''],
    ['TEXT_BLOCKED', 'Failed', 'the phone or its carrier blocks texts to it'],
    ['TEXT_TTL_EXPIRED', 'Failed', 'it could not be delivered in time'],
    ['TEXT_CARRIER_UNREACHABLE', 'Failed', 'the carrier could not be reached'],
    ['TEXT_INVALID', 'Failed', 'the number is not valid'],
    ['TEXT_INVALID_MESSAGE', 'Failed', 'the text is not valid'],
    ['TEXT_CARRIER_BLOCKED', 'Failed', 'the carrier blocked it'],
    ['TEXT_UNREACHABLE', 'Failed', 'the phone is off or out of reach'],
    ['TEXT_SPAM', 'Failed', 'the carrier took it for spam'],
    ['TEXT_UNKNOWN', 'Failed', 'the carrier did not say why'],
    ['TEXT_PROTECT_BLOCKED', 'Failed', 'the text service is set to send it no texts'],
  ])('%s is %s', (type, state, reason) => {
    const report = { state, reason, at: 1_686_975_103_470 };
    expect(parseReport(textEvent(type), now)).toEqual({ kind: 'message', key, report, isLasting: false });
  });

  test.each(['TEXT_QUEUED', 'TEXT_PENDING', 'TEXT_OF_TOMORROW'])('%s says nothing new', (type) => {
    expect(parseReport(textEvent(type), now)).toBeUndefined();
  });

  test('about a text without our context changes nothing', () => {
    expect(parseReport(textEvent('TEXT_DELIVERED', { account: 'bar' }), now)).toBeUndefined();
  });
});

describe('what clients text', () => {
  /** The example of "Example of a two-way SMS message payload for Amazon SNS topics". */
  const inbound = (messageBody: string) => ({
    originationNumber: '+14255550182',
    destinationNumber: '+12125550101',
    messageKeyword: 'JOIN',
    messageBody,
    inboundMessageId: 'cae173d2-66b9-564c-8309-21f858e9fb84',
    previousPublishedMessageId: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  });

  test.each([
    ...[
      'STOP',
      'stop',
      ' Stop. ',
      'STOPALL',
      'Unsubscribe',
      'CANCEL',
      'end',
      'QUIT!',
      '"stop"',
      'Opt-out',
      'Alto.',
    ].map((said) => [said, 'stop']),
    ...['START', 'unstop', 'Yes'].map((said) => [said, 'start']),
    ...['HELP', 'help', 'info', 'Ayuda'].map((said) => [said, 'help']),
  ])('%j is %s', (said, word) => {
    expect(parseReport(inbound(said), now)).toEqual({ kind: 'text', from: '+14255550182', word });
  });

  test.each(['', 'Please stop by at noon', 'yes please', 'STOPP', 'The end is near'])('%j is no such word', (said) => {
    expect(parseReport(inbound(said), now)).toBeUndefined();
  });
});

test.each([{}, [], 'text', null, { Type: 'SubscriptionConfirmation' }])(
  '%j is refused, so that an alarm counts it',
  (body) => {
    expect(() => parseReport(body, now)).toThrow('a report of a form that is not known');
  },
);

test('tags have only what Amazon SES takes, also for accounts with other letters', () => {
  const odd = { PK: 'A#Ünï cö%23#MESSAGES#0000000007', SK: key.SK };
  const { message = '' } = messageTags(odd, 'Reminder');
  expect(message).toMatch(/^[\w-]{1,256}$/);
  expect(parseReport(textEvent('TEXT_DELIVERED', { message }), now)).toMatchObject({ key: odd });
});

test.each<[MessageState, MessageState, MessageState]>([
  ['Waiting', 'Delivered', 'Delivered'],
  ['Sent', 'Delivered', 'Delivered'],
  ['Delivered', 'Delivered', 'Delivered'],
  ['Delivered', 'Bounced', 'Bounced'],
  ['Bounced', 'Delivered', 'Bounced'],
  ['Bounced', 'Complained', 'Complained'],
  ['Complained', 'Bounced', 'Complained'],
  ['Failed', 'Delivered', 'Failed'],
  ['Suppressed', 'Complained', 'Suppressed'],
])('a message that is %s and is reported as %s is %s', (State, state, expected) => {
  const message = { State, Reason: '', Updated: 0 } as MessageRecord;
  const after = afterReport(message, { state: state as 'Bounced', reason: 'why', at });
  expect(after.State).toBe(expected);
  expect(after === message).toBe(State === expected);
});

test('the contact shows why its address is not used', () => {
  const report = { reason: 'the mailbox does not exist', at: Date.parse('2026-11-29T10:00:00Z') };
  expect(emailProblem('ann@example.com', { ...report, state: 'Bounced' })).toBe(
    'ann@example.com bounced on 2026-11-29: the mailbox does not exist',
  );
  expect(
    emailProblem('ann@example.com', { ...report, state: 'Complained', reason: 'the message was reported as spam' }),
  ).toBe('ann@example.com complained on 2026-11-29: the message was reported as spam');
});
