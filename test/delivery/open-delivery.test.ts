import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { simpleParser } from 'mailparser';
import type { OutgoingEmail } from '../../lib/delivery/delivery.ts';
import { openDelivery } from '../../lib/delivery/open-delivery.ts';
import { type AwsAnswer, startAws } from '../support/aws-stand-in.ts';
import { stubServices } from '../support/messages/environment.ts';

interface Sent {
  readonly operation: string;
  readonly body: Record<string, unknown>;
}

let answer: AwsAnswer;
const sent: Sent[] = [];
let aws: Awaited<ReturnType<typeof startAws>>;
beforeAll(async () => {
  aws = await startAws(({ operation, body }) => {
    sent.push({ operation, body: JSON.parse(body) as Record<string, unknown> });
    return answer;
  });
});
beforeEach(() => {
  sent.length = 0;
  stubServices(aws.endpoint);
});
afterAll(() => aws.stop());

const email: OutgoingEmail = {
  to: ['ann@example.com'],
  senderName: 'Zoë’s Plumbing',
  replyTo: 'office@example.com',
  subject: 'Your visit is on Tue 9 March, 8–10',
  html: '<p>Hello</p>',
  text: 'Hello',
  attachments: [{ filename: 'visit.ics', contentType: 'text/calendar; method=REQUEST', content: 'BEGIN:VCALENDAR' }],
  headers: { 'List-Unsubscribe': '<https://example.com/u>' },
  tags: { message: 'QQ', kind: 'Reminder' },
};
const sendEmail = () => openDelivery().sendEmail(email);
const sendText = () => openDelivery().sendText({ to: '+12175550143', text: 'On my way', tags: { message: 'QQ' } });

const taken = { body: '{"MessageId":"m-1"}' };
const refusing = (type: string, more: object = {}, status = 400): AwsAnswer => ({
  status,
  headers: { 'x-amzn-errortype': type },
  body: JSON.stringify({ __type: type, ...more }),
});

test('an e-mail is sent as MIME, with its configuration set and tags', async () => {
  answer = taken;
  expect(await sendEmail()).toEqual({ kind: 'sent', serviceId: 'm-1' });
  const [{ operation, body } = { operation: '', body: {} }] = sent;
  expect(operation).toBe('POST /v2/email/outbound-emails');
  const { Content, ...rest } = body as { Content: { Raw: { Data: string } } };
  expect(rest).toEqual({
    Destination: { ToAddresses: ['ann@example.com'] },
    ConfigurationSetName: 'emails',
    EmailTags: [
      { Name: 'message', Value: 'QQ' },
      { Name: 'kind', Value: 'Reminder' },
    ],
  });
  const mail = await simpleParser(Buffer.from(Content.Raw.Data, 'base64'));
  expect(mail.from?.value).toEqual([{ name: 'Zoë’s Plumbing', address: 'messages@mail.example.com' }]);
  expect(mail.subject).toBe(email.subject);
  expect(mail.attachments.flatMap(({ filename }) => filename ?? [])).toEqual(['visit.ics']);
});

test('a text is sent as transactional, from the number of the stage, with its tags as the context', async () => {
  answer = taken;
  expect(await sendText()).toEqual({ kind: 'sent', serviceId: 'm-1' });
  expect(sent).toEqual([
    {
      operation: 'SendTextMessage',
      body: {
        DestinationPhoneNumber: '+12175550143',
        OriginationIdentity: 'phone-1',
        MessageBody: 'On my way',
        MessageType: 'TRANSACTIONAL',
        ConfigurationSetName: 'texts',
        Context: { message: 'QQ' },
      },
    },
  ]);
});

test.each([
  ['TooManyRequestsException', { message: 'Maximum sending rate exceeded.' }, 429, 2],
  ['TooManyRequestsException', { message: 'Daily message quota exceeded.' }, 429, 900],
  ['LimitExceededException', {}, 400, 900],
  ['SendingPausedException', {}, 400, 900],
  ['AccountSuspendedException', {}, 400, 900],
  ['MailFromDomainNotVerifiedException', {}, 400, 900],
  ['NotFoundException', { message: 'Configuration set <emails> does not exist.' }, 404, 900],
])('an e-mail that SES answers with %s waits', async (type, more, status, seconds) => {
  answer = refusing(type, more, status);
  expect(await sendEmail()).toMatchObject({ kind: 'busy', seconds });
  expect(sent).toHaveLength(1);
});

test.each([
  ['MessageRejected', { message: 'Email address is not verified: ann@example.com' }, 'Amazon SES is in its sandbox'],
  ['BadRequestException', { message: 'Domain contains illegal character' }, 'Domain contains illegal character'],
])('an e-mail that SES answers with %s is refused, and says why', async (type, more, words) => {
  answer = refusing(type, more);
  expect(await sendEmail()).toEqual({ kind: 'refused', reason: expect.stringContaining(words) });
});

test.each([
  ['ThrottlingException', {}, { kind: 'busy', seconds: 2 }],
  ['ServiceQuotaExceededException', { Reason: 'MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT' }, { kind: 'busy', seconds: 900 }],
  ['ResourceNotFoundException', { Message: 'phone-1' }, { kind: 'busy', seconds: 900 }],
  [
    'ConflictException',
    { Reason: 'DESTINATION_PHONE_NUMBER_OPTED_OUT' },
    { kind: 'refused', reason: 'The number has opted out of texts (STOP).' },
  ],
  [
    'ConflictException',
    { Reason: 'DESTINATION_PHONE_NUMBER_NOT_VERIFIED' },
    { kind: 'refused', reason: expect.stringContaining('sandbox') },
  ],
  [
    'ValidationException',
    { Reason: 'COUNTRY_NOT_ENABLED' },
    { kind: 'refused', reason: 'The text service sends no texts to this country.' },
  ],
])('a text that is answered with %s %j', async (type, more, outcome) => {
  answer = refusing(type, more);
  expect(await sendText()).toMatchObject(outcome);
  expect(sent).toHaveLength(1);
});

test.each([500, 502, 503])(
  'an answer %i may have come behind the sending, and nothing is sent again',
  async (status) => {
    answer = refusing('InternalFailure', {}, status);
    expect([await sendEmail(), await sendText()]).toMatchObject([{ kind: 'unknown' }, { kind: 'unknown' }]);
    expect(sent).toHaveLength(2);
  },
);

test('a connection that is cut before the answer is unknown; one that was never made waits', async () => {
  const { createServer } = await import('node:http');
  const { listen } = await import('../../infra/local/ports.ts');
  let requests = 0;
  const cutting = await listen(
    createServer((request) => {
      requests++;
      request.socket.destroy();
    }),
  );
  vi.stubEnv('AWS_ENDPOINT_URL_SESV2', cutting.endpoint);
  vi.stubEnv('AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2', cutting.endpoint);
  expect([await sendEmail(), await sendText()]).toMatchObject([{ kind: 'unknown' }, { kind: 'unknown' }]);
  expect(requests).toBe(2);
  await cutting.stop();
  expect([await sendEmail(), await sendText()]).toMatchObject([{ kind: 'busy' }, { kind: 'busy' }]);
});
