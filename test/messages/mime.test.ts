import { simpleParser } from 'mailparser';
import { expect, test } from 'vitest';
import type { OutgoingEmail } from '../../lib/delivery/delivery.ts';
import { composeMime } from '../../lib/delivery/mime.ts';
import { renderEmail } from '../../lib/messages/email.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { everyMessage, messageView } from '../support/message-views.ts';

const outgoing = (more: Partial<OutgoingEmail> = {}): OutgoingEmail => ({
  tags: {},
  to: ['ana@example.com'],
  senderName: 'Evergreen Lawn & Garden',
  replyTo: 'office@evergreen.example',
  subject: 'Your visit',
  html: '<p>Hello</p>',
  text: 'Hello',
  attachments: [],
  headers: {},
  ...more,
});

async function sent(email: OutgoingEmail) {
  const raw = await composeMime(email, { from: 'visits@mail.example.com' });
  const text = raw.toString('utf8');
  const lines = text.split('\r\n');
  // RFC 5322, 2.1.1: no line is longer, and none ends otherwise.
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998);
  expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([]);
  const parsed = await simpleParser(raw, { skipImageLinks: true, skipTextToHtml: true });
  return { text, head: text.slice(0, text.indexOf('\r\n\r\n')), parsed };
}

type Parsed = Awaited<ReturnType<typeof sent>>['parsed'];

const addressesOf = (field: Parsed['to']): unknown[] =>
  [field ?? []].flat().flatMap(({ value }) => value.map(({ address, name }) => [name, address]));

/** The parser ends a text with its own line break. */
const unended = (text: string | undefined): string => (text ?? '').replaceAll('\r\n', '\n').trimEnd();

test.each(everyMessage)('%s in %s comes back as it was written', async (kind, language) => {
  const content = renderEmail(messageView(kind, language));
  const { parsed } = await sent(outgoing(content));
  expect(parsed.subject).toBe(content.subject);
  expect(unended(parsed.text)).toBe(content.text.trimEnd());
  expect(unended(String(parsed.html))).toBe(content.html);
  expect(addressesOf(parsed.from)).toEqual([['Evergreen Lawn & Garden', 'visits@mail.example.com']]);
  expect(addressesOf(parsed.to)).toEqual([['', 'ana@example.com']]);
  expect(addressesOf(parsed.replyTo)).toEqual([['Evergreen Lawn & Garden', 'office@evergreen.example']]);
  for (const [name, value] of Object.entries(content.headers)) {
    const line = parsed.headerLines.find(({ key }) => key === name.toLowerCase())?.line;
    expect(line?.replaceAll(/\r\n\s+/g, ' ')).toBe(`${name}: ${value}`);
  }
});

test('an invitation is an alternative of the text and a file', async () => {
  const content = renderEmail(messageView('VisitBooked', 'en'));
  const { text, parsed } = await sent(outgoing(content));
  const [file] = content.attachments;
  const alternatives = /multipart\/alternative;\s+boundary="([^"]+)"/.exec(text)?.[1] ?? '';
  const types = text
    .split(`--${alternatives}`)
    .slice(1, -1)
    .map((part) => /^\r\nContent-Type: ([^\r]+(?:\r\n\s[^\r]+)*)/.exec(part)?.[1]);
  expect(types.map((type) => type?.replaceAll(/\s+/g, ' '))).toEqual([
    'text/plain; charset=utf-8',
    'text/html; charset=utf-8',
    'text/calendar; charset=utf-8; method=REQUEST',
  ]);
  expect(parsed.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
    [undefined, 'text/calendar'],
    ['visit.ics', 'application/ics'],
  ]);
  for (const { content: bytes } of parsed.attachments) expect(bytes.toString()).toBe(file?.content);
});

test('other attachments come back byte by byte, with their names', async () => {
  const pdf = Buffer.from(Array.from({ length: 3_000 }, (_, index) => index % 256));
  const names = [
    'Invoice 10023.pdf',
    'Presupuesto jardín — año.pdf',
    `${'Rechnung '.repeat(30)}.pdf`,
    'a"b\r\nBcc: x@y.example.pdf',
  ];
  const attachments = names.map((filename) => ({ filename, contentType: 'application/pdf', content: pdf }));
  const published = {
    filename: 'visits.ics',
    contentType: 'text/calendar; method=PUBLISH; charset=utf-8',
    content: 'x',
  };
  const { parsed, head } = await sent(outgoing({ attachments: [...attachments, published] }));
  expect(parsed.attachments.slice(0, 3).map(({ filename }) => filename)).toEqual(names.slice(0, 3));
  expect(parsed.attachments).toHaveLength(5);
  for (const { content } of parsed.attachments.slice(0, 4)) expect(content.equals(pdf)).toBe(true);
  expect(parsed.attachments[4]?.contentType).toBe('text/calendar');
  expect(head).not.toMatch(/^Bcc/im);
  expect(parsed.bcc).toBeUndefined();
});

test.each([
  ['Japanese', '芝生の手入れ 🏡 ご予約ありがとうございます'],
  ['Arabic', 'زيارتك يوم الثلاثاء ٩ مارس، ٨–١٠ صباحًا'],
  ['Hebrew with English', 'הביקור שלך Lawn care ביום שלישי'],
  ['Russian', 'Ваш визит во вторник'],
  ['long', 'A very long name of a company that says everything it does '.repeat(20).trim()],
  ['long without a space', 'x'.repeat(2_000)],
  ['emoji', '🏡👩🏽‍🌾🇲🇽'.repeat(40)],
])('a subject, sender and text in %s come back', async (_, text) => {
  const { parsed } = await sent(outgoing({ subject: text, senderName: text, text, html: `<p>${text}</p>` }));
  const inHeaders = Array.from(text).slice(0, 300).join('').trim();
  expect(parsed.subject).toBe(inHeaders);
  expect(addressesOf(parsed.from)).toEqual([[inHeaders, 'visits@mail.example.com']]);
  expect(unended(parsed.text)).toBe(text);
  expect(unended(String(parsed.html))).toBe(`<p>${text}</p>`);
});

const INJECTIONS = [
  'x\r\nBcc: evil@example.com',
  'x\nBcc: evil@example.com',
  'x\rBcc: evil@example.com',
  'x\r\n\r\n<script>alert(1)</script>',
  'x\u0000\r\n Bcc: evil@example.com',
  'x" <evil@example.com>, "y',
  'evil@example.com, other@example.com',
  'x\u2028Bcc: evil@example.com',
  '=?utf-8?Q?x=0D=0ABcc:_evil@example.com?=',
];

test('no name or subject adds a header, a recipient or a body', async () => {
  for (const text of [...INJECTIONS, ...hostileTexts.filter((each) => /[\r\n"<]/.test(each))]) {
    const { head, parsed } = await sent(outgoing({ subject: text, senderName: text }));
    const names = head
      .replaceAll(/\r\n[ \t]/g, ' ')
      .split('\r\n')
      .map((line) => line.split(':')[0]);
    expect(names, JSON.stringify(text)).toEqual([
      'From',
      'To',
      'Reply-To',
      'Subject',
      'Message-ID',
      'Date',
      'MIME-Version',
      'Content-Type',
    ]);
    expect(addressesOf(parsed.from).length, JSON.stringify(text)).toBe(1);
    expect([parsed.from].flatMap((each) => each?.value ?? []).map(({ address }) => address)).toEqual([
      'visits@mail.example.com',
    ]);
    expect(addressesOf(parsed.to)).toEqual([['', 'ana@example.com']]);
    expect(unended(parsed.text)).toBe('Hello');
  }
});

test('an address is one recipient, whatever it has', async () => {
  for (const to of ['a@example.com\r\nBcc: evil@example.com', 'a@example.com, evil@example.com', 'a@b.c>, <evil@d.e']) {
    const { head, parsed } = await sent(outgoing({ to: [to], replyTo: to }));
    expect(head).not.toMatch(/^Bcc/im);
    expect(parsed.bcc).toBeUndefined();
    expect(addressesOf(parsed.to).length, to).toBeLessThanOrEqual(1);
  }
});

test('lines of any length, and lines that look like the end of a part, come back', async () => {
  const text = ['x'.repeat(5_000), `${'é'.repeat(3_000)}`, '.', '..', 'From here', '--', ' indented', ''].join('\n');
  const html = `<p>${'word '.repeat(2_000)}</p>\n<p title="${'y'.repeat(4_000)}">z</p>`;
  const { parsed } = await sent(outgoing({ text, html }));
  expect(unended(parsed.text)).toBe(text.trimEnd());
  expect(unended(String(parsed.html))).toBe(html);
});

test('nothing is read from the machine or fetched, whatever the texts name', async () => {
  const text = 'file:///etc/passwd';
  const { parsed } = await sent(
    outgoing({ text, html: '<img src="/etc/passwd"><img src="data:image/png;base64,AA==">' }),
  );
  expect(unended(parsed.text)).toBe(text);
  expect(parsed.attachments).toEqual([]);
});

test('without an address for answers there is no Reply-To', async () => {
  const { parsed } = await sent(outgoing({ replyTo: '' }));
  expect(parsed.replyTo).toBeUndefined();
});
