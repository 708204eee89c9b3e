import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { servePage } from '../../functions/pages/serve.ts';
import { CLIENT_PAGES, type ClientPage, FEED_FILE, WHOLE_ORGANIZATION } from '../../lib/domain/client-pages.ts';
import type { Task } from '../../lib/entities/tasks.ts';
import { findAppointment } from '../../lib/store/appointments.ts';
import type { ClientCallKind } from '../../lib/store/client-calls.ts';
import { layout } from '../../lib/store/keys.ts';
import { openLink } from '../../lib/store/links.ts';
import { costOf } from '../support/cpu.ts';
import { completedVisit, handleIn, openProposal, someLinks } from '../support/client-pages.ts';
import { openPage, pageEvent, sendForm } from '../support/pages.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { onStack, testTable } from '../support/stack/stack.ts';
import { storeOf } from '../../lib/store/store.ts';

let company: Bookable;
let links: Readonly<Record<ClientPage, string>>;

/** The record of a link, of which the handle has the id with digits and letters. */
const idOf = (page: ClientPage): number => Number.parseInt(handleIn(links[page]).split('-')[1] ?? '', 36);

beforeAll(async () => {
  company = await bookable({ services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, SelfSelect: true }] });
  links = await someLinks(company);
});

test.each([
  ['a link that is not ours', () => `proposal/${company.accountId}-1-0-fff-${'x'.repeat(22)}`],
  ['an altered link', () => links.proposal.replace(/^.*\/c\//, '').replace(/.$/, '_')],
  ['the webhook of a company without payments', () => `stripe/${company.accountId}`],
])('nothing that was sent to %s is read', async (_, address) => {
  const [page, handle] = address().split('/');
  const event = { headers: {}, pathParameters: { page, handle } } as unknown as APIGatewayProxyEventV2;
  const readSent = () => expect.fail('read');
  const call = {
    event,
    table: testTable(),
    now: new Date(),
    requestId: 'test',
    log: { account: null, operation: 'pages' },
    sourceIp: '127.0.0.1',
    readSent,
  };
  expect((await servePage(call)).status).toBe(404);
});

const NETWORK = '203.0.113.0/24';
const kinds: readonly ClientCallKind[] = [
  'form',
  'file',
  'pdf',
  'search',
  'booking',
  'clientSearch',
  'clientBooking',
  'question',
  'calendar',
];

/** Uses up the calls of every kind of a network or a link. */
async function useUp(of: string, used: readonly string[] = kinds): Promise<void> {
  const [account, now] = [company.accountId, new Date().toISOString()];
  for (const kind of used)
    for (const window of [now.slice(0, 10), now.slice(0, 13)]) {
      const update = layout.clientCalls.key({ account, of, kind, window });
      await testTable().update({ update, set: {}, add: { Calls: 10_000 } });
    }
}

/** Forgets the calls of a network or a link. */
async function forget(of: string): Promise<void> {
  const [account, now] = [company.accountId, new Date().toISOString()];
  const removals = kinds.flatMap((kind) =>
    [10, 13].map((length) => layout.clientCalls.key({ account, of, kind, window: now.slice(0, length) })),
  );
  await testTable().putMany([], removals);
}

/** Calls a page in this process; `fields` are sent by its form. */
async function call(
  page: ClientPage,
  { file, query = '', fields }: { file?: string; query?: string; fields?: Record<string, string> } = {},
  sourceIp = '203.0.113.9',
) {
  const handle = handleIn(links[page]);
  const token = (await openLink(testTable(), { page, handle }, new Date()))?.formToken ?? '';
  const event = {
    headers: { 'sec-fetch-site': 'same-origin' },
    rawQueryString: query,
    pathParameters: { page, handle, file },
  } as unknown as APIGatewayProxyEventV2;
  const readSent = fields && (() => new URLSearchParams({ token, ...fields }));
  return servePage({
    event,
    table: testTable(),
    now: new Date(),
    requestId: 'test',
    log: { account: null, operation: 'pages' },
    sourceIp,
    readSent,
  });
}

/** A calendar takes no form, and has the one file that its reader reads. */
const READ_BY_PEOPLE = CLIENT_PAGES.filter((page) => page !== 'calendar');

/** The links of all pages, as their calls are counted; the calendar is that of the whole organization. */
const linksUsed = (): string[] => [
  ...READ_BY_PEOPLE.map((page) => `${page}-${idOf(page)}`),
  `calendar-${company.organizationId}-${WHOLE_ORGANIZATION}`,
];

const search = { query: 'service=1&zip=62701' };

describe.each([
  ['network', () => useUp(NETWORK)],
  ['link', () => Promise.all(linksUsed().map((link) => useUp(link)))],
])('a %s that has used up its calls', (_, use) => {
  beforeAll(use);
  afterAll(() => Promise.all([...linksUsed(), NETWORK].map(forget)));

  test('reads no calendar, whose reader asks again later', async () => {
    const answers = [await call('calendar'), await call('calendar', { file: FEED_FILE })];
    for (const answer of answers) {
      expect(answer.status).toBe(429);
      expect(Number(answer.headers?.['Retry-After'])).toBeGreaterThan(0);
      expect(answer.body).not.toContain('VCALENDAR');
    }
  });

  test.each(READ_BY_PEOPLE)('still opens the page of a %s, and sends no form and opens no file of it', async (page) => {
    expect((await openPage(links[page])).status).toBe(200);
    for (const answer of [await call(page, { fields: { action: 'any' } }), await call(page, { file: 'any' })]) {
      expect(answer.status).toBe(429);
      expect(Number(answer.headers?.['Retry-After'])).toBeGreaterThan(0);
    }
  });

  test('makes no PDF and books nothing', async () => {
    const answers = [
      await call('invoice', { file: 'pdf' }),
      await call('proposal', { file: 'pdf' }),
      await call('booking', { fields: { action: 'book' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429]);
  });

  test('gets a page that says so, and sends again what was typed', async () => {
    const { body } = await call('visit', { fields: { action: 'another-time', message: 'At <noon>' } });
    expect(body).toContain('Too many attempts');
    expect(body).toContain('name="message" value="At &lt;noon&gt;"');
  });
});

test('a network that has used up its searches searches no more, and another one does', async () => {
  await useUp(NETWORK);
  expect((await call('booking', search)).status).toBe(429);
  expect((await call('booking', search, '203.0.114.1')).status).toBe(200);
});

test('strangers who use up a network and an organization leave clients of the same network their own calls', async () => {
  const strangers = ['search', 'booking', 'form'];
  await Promise.all(['203.0.117.0/24', `booking-${idOf('booking')}`].map((of) => useUp(of, strangers)));
  const from = '203.0.117.9';
  const answers = [
    await call('booking', { fields: { action: 'book' } }, from),
    await call('booking', search, from),
    await call('rebook', { query: 'service=1' }, from),
    await call('rebook', { fields: { action: 'book', service: '1' } }, from),
  ];
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 200, 400]);
  await forget(`booking-${idOf('booking')}`);
});

test('a visit has one open request for another time, with what was asked last', async () => {
  const ask = async (message: string) => sendForm(link, await openPage(link), 'another-time', { message });
  const tasksOf = async () =>
    ((await company.call('task/query', { ContactId: company.contact })).body['Tasks'] as Task[]).filter(
      ({ Description }) => Description.includes('another time'),
    );
  const link = links.visit;
  for (const message of ['On Monday', 'On Monday', 'On Friday']) expect((await ask(message)).status).toBe(303);
  const [task, ...others] = await tasksOf();
  expect([task?.Description, others]).toEqual([expect.stringContaining('On Friday'), []]);
  await company.call('task/complete', { TaskId: task?.Id });
  expect((await ask('On Sunday')).status).toBe(303);
  const [next] = await tasksOf();
  expect(next).toMatchObject({ Description: expect.stringContaining('On Sunday') as string });
  expect(next?.Id).not.toBe(task?.Id);
});

test('a proposal is declined once', async () => {
  const { Id, ClientUrl } = await openProposal(company);
  const link = onStack(ClientUrl);
  const page = await openPage(link);
  const answers = [];
  for (const reason of ['Too late', 'Too dear', 'Too far'])
    answers.push(await sendForm(link, page, 'decline', { reason }));
  expect(answers.map(({ status }) => status)).toEqual([303, 409, 409]);
  const { body } = await company.call('proposal/details', { Id });
  expect((body['ProposalNotes'] as { Note: string }[]).map(({ Note }) => Note)).toEqual(['Too late']);
});

test('the same feedback again changes nothing, and another one replaces it', async () => {
  const { id, feedback = '' } = await completedVisit(company, '06');
  const link = feedback;
  const give = async (score: string) => {
    expect((await sendForm(link, await openPage(link), 'feedback', { score, note: 'Fine' })).status).toBe(303);
    return findAppointment(storeOf(testTable(), { account: company.accountId, organizationId: null }), id);
  };
  const first = await give('9');
  expect(await give('9')).toEqual(first);
  expect((await give('3'))?.Feedback).toMatchObject({ Score: 3, At: first?.Feedback?.At });
});

test('a signature of a proposal that has changed meanwhile is not decoded: it costs little more than the page', async () => {
  const { Id, ClientUrl } = await openProposal(company);
  links = { ...links, proposal: onStack(ClientUrl) };
  const picture = new PNG({ width: 1500, height: 1500 });
  picture.data.fill(255);
  const drawing = `data:image/png;base64,${PNG.sync.write(picture).toString('base64')}`;
  await company.call('proposal/update', { Id, Title: 'Back beds' });
  const fields = { action: 'accept', name: 'Ana', drawing, shown: 'before' };
  const page = await costOf(() => call('proposal', {}, '203.0.115.9'));
  const refused = await costOf(async () =>
    expect((await call('proposal', { fields }, '203.0.115.9')).status).toBe(409),
  );
  const decoded = await costOf(() => PNG.sync.read(PNG.sync.write(picture)));
  expect(refused).toBeLessThan(page + decoded / 2);
});

test('the log line of a call names the account and the page of a link that is ours, and of no other', async () => {
  const lineOf = async (link: string) => {
    const log = { account: null, operation: 'pages' };
    const sourceIp = '203.0.116.9';
    await servePage({
      event: pageEvent(link),
      table: testTable(),
      now: new Date(),
      requestId: 'test',
      sourceIp,
      readSent: undefined,
      log,
    });
    return log;
  };
  expect(await lineOf(links.card)).toEqual({ account: company.accountId, operation: 'pages/card' });
  expect(await lineOf(links.card.replace(/.$/, '_'))).toEqual({ account: null, operation: 'pages' });
});
