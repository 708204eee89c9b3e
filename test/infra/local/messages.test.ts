import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { inboxGroup } from '../../../infra/local/messages/inbox-page.ts';
import { type MessageServices, startMessageServices } from '../../../infra/local/messages/stand-in.ts';
import { openDelivery } from '../../../lib/delivery/open-delivery.ts';
import { stubServices } from '../../support/messages/environment.ts';

let services: MessageServices;
beforeAll(async () => {
  services = await startMessageServices({ port: 0 });
});
beforeEach(() => {
  stubServices(services.endpoint);
});
afterAll(() => services.stop());

const HTML = '<p title="a &amp; b">Hello &lt;Ann&gt;</p><script>alert(1)</script>';
const calendar = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
const sendEmail = (more: object = {}) =>
  openDelivery().sendEmail({
    to: ['ann@example.com'],
    senderName: 'Acme',
    replyTo: '',
    subject: 'Your visit <b>is</b> on Tue',
    html: HTML,
    text: 'Hello <Ann>',
    attachments: [{ filename: 'visit "1".ics', contentType: 'text/calendar; method=REQUEST', content: calendar }],
    headers: {},
    tags: { message: 'QQ', kind: 'VisitBooked' },
    ...more,
  });
const sendText = (to = '+12175550143') =>
  openDelivery().sendText({ to, text: 'See https://example.com/c/1?a=1&b=2 <now>', tags: { kind: 'OnTheWay' } });

const page = async (rawPath: string) =>
  (await inboxGroup(() => services.inbox()).handler({ rawPath } as APIGatewayProxyEventV2)) as {
    headers: Record<string, string>;
    body: string;
  };

test('the inbox has what was sent at once, newest first, with its kind and attachments', async () => {
  expect(await services.inbox()).toEqual([]);
  expect(await sendEmail()).toMatchObject({ kind: 'sent' });
  expect(await sendText()).toMatchObject({ kind: 'sent' });
  expect(await sendEmail({ to: ['ben@example.com'], attachments: [], tags: {} })).toMatchObject({ kind: 'sent' });
  const { body, headers } = await page('/inbox.json');
  expect(headers['Content-Type']).toBe('application/json; charset=utf-8');
  const At = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const content = { Channel: 'Email', Subject: 'Your visit <b>is</b> on Tue', Text: 'Hello <Ann>', Html: HTML, At };
  expect(JSON.parse(body)).toEqual([
    { ...content, Kind: '', To: 'ben@example.com', Attachments: [] },
    {
      Kind: 'OnTheWay',
      Channel: 'Text',
      To: '+12175550143',
      Subject: '',
      Text: 'See https://example.com/c/1?a=1&b=2 <now>',
      Html: '',
      Attachments: [],
      At,
    },
    {
      ...content,
      Kind: 'VisitBooked',
      To: 'ann@example.com',
      Attachments: [
        {
          Filename: 'visit "1".ics',
          ContentType: 'application/ics',
          Content: Buffer.from(calendar).toString('base64'),
        },
      ],
    },
  ]);
});

/** The elements of a page, with their attributes. */
function elementsOf(html: string): { readonly name: string; readonly attributes: Record<string, string> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new Parser({ onopentag: (name, attributes) => void found.push({ name, attributes }) });
  parser.end(html);
  return found;
}

test('the page shows e-mails in frames that run nothing, and escapes what else was sent', async () => {
  const { body, headers } = await page('/inbox');
  expect(headers['Content-Security-Policy']).toContain("default-src 'none'; style-src 'unsafe-inline'");
  const elements = elementsOf(body);
  expect(elements.filter(({ name }) => ['script', 'b', 'now'].includes(name))).toEqual([]);
  expect(elements.filter(({ name }) => name === 'iframe').map(({ attributes }) => attributes)).toEqual(
    Array.from({ length: 2 }, () => ({
      sandbox: 'allow-popups allow-popups-to-escape-sandbox',
      srcdoc: `<base target="_blank">${HTML}`,
      title: 'Your visit <b>is</b> on Tue',
    })),
  );
  expect(elements.flatMap(({ name, attributes }) => (name === 'a' ? [attributes] : []))).toEqual([
    { href: 'https://example.com/c/1?a=1&b=2', target: '_blank', rel: 'noreferrer' },
    { download: 'visit "1".ics', href: `data:application/ics;base64,${Buffer.from(calendar).toString('base64')}` },
  ]);
});

test('texts are refused as the service refuses them, and other pages are', async () => {
  const before = (await services.inbox()).length;
  expect(await sendText('217-555-0143')).toMatchObject({ kind: 'refused', reason: expect.stringContaining('E.164') });
  expect(await openDelivery().sendText({ to: '+12175550143', text: 'x'.repeat(1_601), tags: {} })).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('1 to 1600 characters'),
  });
  const foreign = await fetch(services.endpoint, { method: 'POST', headers: { origin: 'https://evil.example' } });
  expect(foreign.status).toBe(403);
  expect(await services.inbox()).toHaveLength(before);
});

test('the e-mails of an earlier stack of this process are gone', async () => {
  const other = await startMessageServices({ port: 0 });
  vi.stubEnv('AWS_ENDPOINT_URL_SESV2', other.endpoint);
  await sendEmail({ to: ['cem@example.com'] });
  expect((await other.inbox()).map(({ To }) => To)).toEqual(['cem@example.com']);
  await other.stop();
});
