import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operationTable } from '../../infra/client/described-operations.ts';
import { exactDocument } from '../../infra/client/exact-document.ts';
import type { Attempt, Options } from '../../lib/client/caller.ts';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  FieldServiceError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
} from '../../lib/client/errors.ts';
import { fieldServiceOf } from '../../lib/client/field-service.ts';
import { bookable } from '../support/scheduling.ts';
import { until } from '../support/stack/process.ts';
import { type TestAccount, testAccount, testStack } from '../support/stack/stack.ts';

const FieldService = fieldServiceOf(operationTable(exactDocument()));

/** What happens to one request between the client and the stack. */
type Mishap =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: object }
  /** The stack answers, and the answer is lost. */
  | 'lost'
  /** Nobody answers. */
  | 'silent';

let account: TestAccount;
let address: string;
/** Taken by the next requests in order; later ones pass. */
let mishaps: Mishap[];
let requests: { readonly operation: string; readonly headers: IncomingMessage['headers']; readonly body: string }[];
let inFlight: number;
let mostInFlight: number;
/** No request is answered before this many have been in flight at once. */
let awaitedInFlight: number;

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat((await request.toArray()) as Buffer[]);
  const mishap = mishaps.shift();
  requests.push({
    operation: (request.url ?? '').slice('/api/'.length),
    headers: request.headers,
    body: body.toString(),
  });
  if (mishap === 'silent') return;
  await until(() => mostInFlight >= awaitedInFlight, 10_000);
  if (typeof mishap === 'object') {
    const { status, headers = {}, body: text = {} } = mishap;
    return void response.writeHead(status, headers).end(JSON.stringify(text));
  }
  const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers;
  const answer = await fetch(`${testStack().BaseUrl}${request.url}`, {
    method: 'POST',
    headers: headers as never,
    body,
  });
  const text = await answer.text();
  if (mishap === 'lost') return void request.socket.destroy();
  const kept = ['x-request-id', 'x-list', 'x-next-skip', 'retry-after'].flatMap((name) => {
    const value = answer.headers.get(name);
    return value ? [[name, value]] : [];
  });
  response.writeHead(answer.status, Object.fromEntries(kept)).end(text);
}

const server = createServer((request, response) => {
  mostInFlight = Math.max(mostInFlight, ++inFlight);
  response.on('close', () => inFlight--);
  forward(request, response).catch((error: unknown) => response.destroy(error as Error));
});

beforeAll(async () => {
  account = await testAccount();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [mishaps, requests, inFlight, mostInFlight, awaitedInFlight] = [[], [], 0, 0, 0];
});

const connect = (options: Partial<Options> = {}) => new FieldService({ url: address, key: account.key, ...options });
const gateway = (status: number): Mishap => ({ status, body: { message: 'Service Unavailable' } });
const busy: Mishap = { status: 503, headers: { 'retry-after': '0' }, body: { ResultCode: 503, Code: 'unavailable' } };

interface Match {
  readonly Id: number;
  readonly Name: string;
  readonly Notes: readonly object[];
}
const matchesOf = (answer: object) => (answer as { Matches: Match[] }).Matches;

async function addContact(name: string): Promise<Match> {
  const [contact] = matchesOf(
    await connect().call('contacts/addupdate', { Matches: [{ Name: name, Phone: '8045550101' }] }),
  );
  if (!contact) throw new Error('addupdate answers with the contact.');
  return contact;
}

describe('a call', () => {
  test('has one effect however often its answer is lost, with the same Idempotency-Key at each attempt', async () => {
    const { Id } = await addContact('Lost Answers');
    [mishaps, requests] = [['lost', gateway(500), busy, gateway(503)], []];
    await connect().call('contacts/addnote', { ContactId: Id, Note: { Body: 'Once.' } });
    expect(requests.map(({ operation }) => operation)).toEqual(Array(5).fill('contacts/addnote'));
    const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
    expect([...keys]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
    const [contact] = matchesOf(await connect().call('contacts/locate', { IdSearch: Id }));
    expect(contact?.Notes).toHaveLength(1);
  });

  test('that holds a time has one hold, the same one, although its first answer is lost', async () => {
    const company = await bookable();
    mishaps = ['lost'];
    const search = {
      ContactId: company.contact,
      ServiceName: 'Lawn care',
      TargetDate: '2035-03-06',
      SlotWindowDays: 1,
    };
    const Slots = [{ DateTime: '2035-03-06T10:00', ServiceAgentId: company.agents['Ann'] }];
    const fs = connect({ key: company.key });
    const { Holds } = await fs.call('appointments/slotsearch', { ...search, Slots, Hold: 1 });
    expect(Holds).toMatchObject([{ Handle: expect.stringMatching(/^\w{22}$/) }]);
    expect(requests).toHaveLength(2);
  });

  test('that reads has no Idempotency-Key, and one of the caller is sent as it is', async () => {
    const fs = connect();
    await fs.call('contacts/locate', { NameSearch: 'nobody' });
    await fs.call('task/create', { Description: 'Once' }, { idempotencyKey: 'own-1' });
    await fs.call('task/create', { Description: 'Once' }, { idempotencyKey: 'own-1' });
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, 'own-1', 'own-1']);
  });

  test('waits as long as Retry-After says, and fails at once where that is longer than it may be repeated', async () => {
    const limited = (seconds: number): Mishap => ({
      status: 429,
      headers: { 'retry-after': String(seconds) },
      body: { ResultCode: 429, Code: 'rate_limited', Message: 'Try again.' },
    });
    mishaps = [limited(1)];
    const since = performance.now();
    await connect().call('test/echo', {});
    expect(performance.now() - since).toBeGreaterThan(1_000);
    mishaps = [limited(100)];
    const failure = connect({ retryFor: 5_000 }).call('test/echo', {});
    await expect(failure).rejects.toBeInstanceOf(RateLimitError);
    await expect(failure).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 100, status: 429 });
  });

  test('ends after its time without an answer, and says which call it was', async () => {
    mishaps = ['silent'];
    const failure = connect({ timeout: 60, retryFor: 0 }).call('test/echo', {});
    await expect(failure).rejects.toBeInstanceOf(ConnectionError);
    await expect(failure).rejects.toMatchObject({ code: 'timeout', operation: 'test/echo', status: 0 });
    mishaps = ['silent'];
    await expect(connect({ timeout: 2_000 }).call('test/echo', {})).resolves.toMatchObject({ ResultCode: 0 });
  });

  test('ends at once with its signal: before it is sent, while it runs, and while it waits to be repeated', async () => {
    const aborted = expect.objectContaining({ name: 'AbortError' });
    const fs = connect({ inFlight: 1 });
    mishaps = ['silent', gateway(503)];
    const [running, waiting, repeated] = [new AbortController(), new AbortController(), new AbortController()];
    const first = fs.call('test/echo', {}, { signal: running.signal });
    const second = fs.call('test/echo', {}, { signal: waiting.signal });
    await expect.poll(() => requests).toHaveLength(1);
    waiting.abort();
    await expect(second).rejects.toEqual(aborted);
    running.abort();
    await expect(first).rejects.toEqual(aborted);
    const third = fs.call('test/echo', {}, { signal: repeated.signal });
    await expect.poll(() => requests.length).toBe(2);
    repeated.abort();
    await expect(third).rejects.toEqual(aborted);
    await expect(fs.call('test/echo', {}, { signal: AbortSignal.abort() })).rejects.toEqual(aborted);
    await expect(fs.call('test/echo', {})).resolves.toMatchObject({ ResultCode: 0 });
  });

  test('waits for its turn where more than inFlight run', async () => {
    awaitedInFlight = 3;
    const fs = connect({ inFlight: 3 });
    await Promise.all(Array.from({ length: 20 }, () => fs.call('test/echo', {})));
    expect([mostInFlight, requests.length]).toEqual([3, 20]);
  });

  test('is absorbed by waiting where 120 callers share a key of 30 calls a second and 20 in flight', async () => {
    const key = await account.newKey({ rate: 30, inFlight: 20 });
    const fs = new FieldService({ url: testStack().BaseUrl, key, inFlight: 150 });
    const statuses: number[] = [];
    const logged = new FieldService({
      url: testStack().BaseUrl,
      key,
      inFlight: 150,
      log: ({ status }) => statuses.push(status),
    });
    const calls = Array.from({ length: 120 }, (_, index) =>
      (index % 2 ? fs : logged).call('contacts/locate', { NameSearch: 'nobody' }),
    );
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ ResultCode: 0 });
    expect(statuses).toContain(429);
  });

  test('follows no redirect, which would take the key to another host', async () => {
    mishaps = [{ status: 307, headers: { location: `${address}/api/test/echo` } }];
    await expect(connect().call('test/echo', {})).rejects.toMatchObject({ status: 307 });
    expect(requests).toHaveLength(1);
  });

  test('to what is not the API fails at once', async () => {
    mishaps = [{ status: 200, body: { hello: 'world' } }];
    await expect(connect().call('test/echo', {})).rejects.toMatchObject({ status: 200, message: /not of the API/ });
  });

  test('is logged at each attempt with neither the key nor the body', async () => {
    const log: Attempt[] = [];
    mishaps = [busy];
    await connect({ log: (attempt) => log.push(attempt) }).call('contacts/locate', { NameSearch: 'a secret name' });
    expect(log).toEqual([
      expect.objectContaining({ operation: 'contacts/locate', attempt: 1, status: 503, code: 'unavailable' }),
      expect.objectContaining({ attempt: 2, status: 200, requestId: expect.stringMatching(/.{10}/) }),
    ]);
    expect(log[0]?.retryIn).toBeGreaterThan(0);
    expect(JSON.stringify(log)).not.toMatch(new RegExp(`${account.key}|secret name`));
  });
});

describe('a failure', () => {
  test.each<[string, typeof FieldServiceError, string, object, object]>([
    ['400', InvalidRequestError, 'contacts/addupdate', { Email: 'ana@' }, { code: 'invalid_request' }],
    ['404', NotFoundError, 'invoice/get', { InvoiceId: 4711 }, { code: 'not_found' }],
    ['409', ConflictError, 'datasubscriber/getdownload', { DownloadId: '4Vd0kT9mQx2LhW7sRb1ZpE' }, {}],
  ])('of %s has its class, code and request', async (status, ErrorClass, operation, body, expected) => {
    if (status === '409') mishaps = [{ status: 409, body: { ResultCode: 409, Code: 'not_ready', Message: 'Wait.' } }];
    const failure = await connect()
      .call(operation, body)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ErrorClass);
    expect(failure).toBeInstanceOf(FieldServiceError);
    expect(failure).toMatchObject({ status: Number(status), operation, ...expected });
  });

  test('names every invalid field, and the request in the logs of the service', async () => {
    const failure = await connect()
      .call('contacts/locate', { Names: 'Ana', Limit: 'ten' })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      fields: expect.arrayContaining([expect.objectContaining({ Field: 'Names', Code: 'unknown_field' })]),
      requestId: expect.stringMatching(/.{10}/),
      body: { ResultCode: 400 },
    });
    expect((failure as FieldServiceError).fields).toHaveLength(2);
  });

  test('of the key has a class of its own: unknown, and not allowed', async () => {
    const unknown = connect({ key: `${account.key.slice(0, -1)}_` }).call('test/echo', {});
    await expect(unknown).rejects.toBeInstanceOf(AuthenticationError);
    const reader = connect({ key: await account.newKey({ role: 'ReadOnly' }) });
    await expect(reader.call('task/create', { Description: 'No' })).rejects.toBeInstanceOf(PermissionError);
  });

  test('of the options says what they must be, and does not show the key', () => {
    expect(() => connect({ url: 'localhost:4000' })).toThrow(/url must be an address/);
    expect(() => connect({ key: 'fsk_test_secret\n' })).toThrow(/^key must be an API key/);
    expect(() => connect({ key: '' })).toThrow(/^key must be/);
    expect(() => connect({ inFlight: 0 })).toThrow('inFlight must be 1 or more.');
  });
});

describe('a list', () => {
  const records = async (list: AsyncIterable<unknown>) => {
    const ids: number[] = [];
    for await (const record of list) ids.push((record as Match).Id);
    return ids;
  };

  test('has every record once, page by page, whatever another reader of the same key does', async () => {
    const own = await testAccount();
    const fs = connect({ key: own.key });
    const names = Array.from({ length: 23 }, (_, index) => ({
      Name: `Listed ${index}`,
      Email: `l${index}@example.com`,
    }));
    const added = matchesOf(await fs.call('contacts/addupdate', { Matches: names })).map(({ Id }) => Id);
    requests = [];
    const list = () =>
      fs['contacts']?.['locate']?.({ NameSearch: 'listed', Limit: 5 }) as unknown as AsyncIterable<unknown>;
    const [one, other] = await Promise.all([records(list()), records(list())]);
    expect(one.toSorted((a, b) => a - b)).toEqual(added.toSorted((a, b) => a - b));
    expect(other).toEqual(one);
    const lists = requests.map(({ headers }) => headers['x-list']);
    expect(requests).toHaveLength(10);
    expect(lists.filter((each) => each === undefined)).toHaveLength(2);
    expect(new Set(lists.filter(Boolean)).size).toBe(2);
  });

  test('ends where the caller breaks, with no further call', async () => {
    const own = await testAccount();
    const fs = connect({ key: own.key });
    await fs.call('contacts/addupdate', {
      Matches: [1, 2, 3].map((n) => ({ Name: `Broken ${n}`, Email: `b${n}@example.com` })),
    });
    requests = [];
    const list = fs['contacts']?.['locate']?.({ NameSearch: 'broken', Limit: 1 }) as unknown as AsyncIterable<unknown>;
    for await (const _ of list) break;
    expect(requests).toHaveLength(1);
  });

  test('goes on where X-Next-Skip says so, after a page that is shorter than its Take or empty', async () => {
    const page = (ids: readonly number[], next?: number): Mishap => ({
      status: 200,
      headers: { 'x-list': 'l1', ...(next ? { 'x-next-skip': String(next) } : {}) },
      body: { ResultCode: 0, Organizations: ids.map((Id) => ({ Id })) },
    });
    mishaps = [page([1, 2], 100), page([], 200), page([3, 4, 5])];
    const list = connect()['organizations']?.['query']?.({ Take: 100 }) as unknown as AsyncIterable<unknown>;
    expect(await records(list)).toEqual([1, 2, 3, 4, 5]);
    expect(requests.map(({ body }) => (JSON.parse(body) as { Skip?: number }).Skip)).toEqual([undefined, 100, 200]);
    expect(requests.map(({ headers }) => headers['x-list'])).toEqual([undefined, 'l1', 'l1']);
  });
});
