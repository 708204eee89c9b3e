import { afterAll, beforeAll, expect, test } from 'vitest';
import { Meter, type Usage, documentClient } from '../../lib/store/dynamodb/client.ts';
import type { Key } from '../../lib/store/keys.ts';
import { parseKey } from '../../lib/store/requests/api-keys.ts';
import { loggedLines } from '../support/logged-lines.ts';
import { makeUser, signedIn } from '../support/office.ts';
import { type Bookable, bookable, slotIn, weekdays } from '../support/scheduling.ts';
import { invokeOffice } from '../support/stack/invoke.ts';
import { testStack, testTable } from '../support/stack/stack.ts';

const TECHNICIANS = 20;
const VISITS_OF_EACH = 8;

let meter = new Meter();
let company: Bookable;
let cookie: string;
let busiest: number;
let visit: number;

const isOfRate = (input: object): boolean => 'Key' in input && String((input.Key as Key).PK).startsWith('RATE#');

/**
 * Counts the rounds of a page whose operations run at once: all requests that wait are made together, and the next ones
 * wait until the last of them is answered. So a round is one step of the longest chain of requests.
 */
class Rounds {
  count = 0;
  #running = 0;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Waits for the next round; returns what ends the request. */
  async begin(): Promise<() => void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#settle();
    });
    return () => {
      this.#running--;
      this.#settle();
    };
  }

  /** Begins a round when nothing else has asked for a while. */
  #settle(): void {
    clearTimeout(this.#timer);
    if (!this.#running && this.#waiting.length) this.#timer = setTimeout(() => this.#release(), SETTLE_MILLISECONDS);
  }

  #release(): void {
    this.count++;
    this.#running = this.#waiting.length;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Longer than it takes to make the next requests of an answer. */
const SETTLE_MILLISECONDS = 100;

let waitForRound: () => Promise<(() => void) | void> = () => Promise.resolve();

/** Counts the requests of pages as the cost bench counts those of operations: without the rate of the key. */
function countRequests(): void {
  documentClient().middlewareStack.add(
    (next, context) => (request) => {
      if (isOfRate(request.input)) return next(request);
      const kind = /Get|Query/.test(context.commandName ?? '') ? 'read' : 'write';
      return meter.measure(
        kind,
        async () => {
          const end = await waitForRound();
          return next(request).finally(() => end?.());
        },
        ({ output }) => {
          const { ConsumedCapacity = [] } = output as { ConsumedCapacity?: { CapacityUnits?: number }[] };
          return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
        },
      );
    },
    { step: 'initialize', name: 'countOfficeRequests' },
  );
}

beforeAll(async () => {
  const names = Array.from({ length: TECHNICIANS }, (_, index) => `Technician ${index + 1}`);
  company = await bookable({
    agents: names.map((Name, index) => ({ Name, Email: `t${index}@example.com`, TimeSlots: weekdays() })),
  });
  const clients: number[] = [];
  for (let part = 0; part < 8; part++) {
    const Matches = Array.from({ length: 20 }, (_, index) => ({
      Name: `Client ${part * 20 + index}`,
      Phone: `217-555-${1000 + part * 20 + index}`,
      Address1: `${index} Oak Street`,
      City: 'Springfield',
      Zip: '62701',
    }));
    const { body } = await company.call('contacts/addupdate', { Matches });
    clients.push(...(body['Matches'] as { Id: number }[]).map(({ Id }) => Id));
  }
  busiest = clients[0] ?? 0;
  const books = names.flatMap((name, agent) =>
    Array.from({ length: VISITS_OF_EACH }, (_, index) => async () => {
      const time = `2035-03-05T${String(8 + index).padStart(2, '0')}:00`;
      const booked = await company.book(name, time, { ContactId: clients[agent * VISITS_OF_EACH + index] });
      visit = slotIn(booked).AppointmentId;
    }),
  );
  for (let first = 0; first < books.length; first += 10)
    await Promise.all(books.slice(first, first + 10).map((book) => book()));
  for (let count = 0; count < 10; count++) {
    await company.call('invoice/import', {
      Invoice: { ContactId: busiest, Lines: [{ Description: `Work ${count}`, Rate: 100, Qty: 1 }] },
    });
    await company.call('proposal/create', { ContactId: busiest, ServiceName: 'Lawn care', Title: `Beds ${count}` });
    await company.call('task/create', { ContactId: busiest, Description: `Call ${count}` });
    await company.call('contacts/addnote', { ContactId: busiest, Note: { Body: `Note ${count}` } });
  }
  await company.call('contacts/addtags', { ContactId: busiest, Tags: [{ Name: 'Loyal' }] });
  // The role that sees most.
  const user = await makeUser(company, { role: 'Owner' });
  cookie = `office=${(await signedIn(company, user)).own.get('office')}`;
  const { TableName, DynamoDBEndpoint } = testStack();
  testTable();
  Object.assign(process.env, { TABLE_NAME: TableName, AWS_ENDPOINT_URL_DYNAMODB: DynamoDBEndpoint, STAGE: 'local' });
  countRequests();
});
afterAll(() => documentClient().middlewareStack.remove('countOfficeRequests'));

const lines = loggedLines();

/** What a container keeps is over after 30 seconds: on a busy machine, a page may need another look. */
const BUSY = { retry: 2 } as const;

/** What a page of a container that has served one before uses of the table. */
async function usageOf(address: string): Promise<{ readonly usage: Usage; readonly text: string }> {
  await invokeOffice(address, { cookies: [cookie] });
  meter = new Meter();
  const rounds = new Rounds();
  waitForRound = () => rounds.begin();
  const { status, text } = await invokeOffice(address, { cookies: [cookie] });
  waitForRound = () => Promise.resolve();
  expect(status, text).toBe(200);
  return { usage: { ...meter.usage, rounds: rounds.count }, text };
}

const kilobytes = (text: string): number => Buffer.byteLength(text) / 1024;

test('the day of 20 technicians and 160 visits takes at most 8 rounds, 120 RRU and 200 KB', BUSY, async () => {
  const { usage, text } = await usageOf('/office?date=2035-03-05');
  expect(text.match(/href="\/office\/visit\//g)).toHaveLength(TECHNICIANS * VISITS_OF_EACH);
  expect(usage.rounds).toBeLessThanOrEqual(8);
  expect(usage.readUnits).toBeLessThanOrEqual(120);
  expect(usage.writeUnits).toBe(0);
  expect(kilobytes(text)).toBeLessThan(200);
});

interface Budget {
  readonly rounds: number;
  readonly readUnits?: number;
}
const budgets: readonly (readonly [page: string, address: () => string, budget: Budget])[] = [
  ['a client', () => `/office/client/${busiest}`, { rounds: 4 }],
  ['a visit', () => `/office/visit/${visit}`, { rounds: 4 }],
  ['a search', () => '/office/clients?q=Client+1', { rounds: 4 }],
  ['who owes', () => '/office/money', { rounds: 4 }],
  ['numbers', () => '/office/numbers', { rounds: 3 }],
  ['to do', () => '/office/tasks', { rounds: 8 }],
  ['a week', () => '/office/week?date=2035-03-05', { rounds: 3, readUnits: 10 }],
];

test.each(budgets)(
  'the page of %s has its budget of rounds',
  BUSY,
  async (_, address, { rounds, readUnits = Infinity }) => {
    const { usage } = await usageOf(address());
    // Lists of several pages keep where they are.
    expect(usage.writeUnits).toBeLessThanOrEqual(2);
    expect(usage.rounds).toBeLessThanOrEqual(rounds);
    expect(usage.readUnits).toBeLessThanOrEqual(readUnits);
  },
);

test('no log line has the secret of a session, a cookie or a token', async () => {
  const secret = parseKey(cookie.slice('office='.length))?.secret ?? '';
  expect(secret).toHaveLength(32);
  await invokeOffice(`/office/client/${busiest}`, { cookies: [cookie] });
  await invokeOffice('/office/nothing', { cookies: [cookie] });
  await invokeOffice('/office/signed-in?code=the-code&state=the-state', { cookies: ['office-sign-in=e30'] });
  const logged = lines.join('');
  expect(logged).toContain('"office');
  for (const text of [secret, cookie, 'office-sign-in', 'the-code', 'the-state', 'Client 0'])
    expect(logged).not.toContain(text);
});
