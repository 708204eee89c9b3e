import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { handler as fallback } from '../../functions/fallback/index.ts';
import { handler as testGroup } from '../../functions/test/index.ts';
import { handler as eventQueue } from '../../functions/workers/event-queue.ts';
import { InternalError } from '../../lib/shared/failure.ts';
import { formatKey, parseKey, revokeKey } from '../../lib/store/requests/api-keys.ts';
import { documentClient } from '../../lib/store/dynamodb/client.ts';
import { type FaultyTable, startFaultyTable } from '../support/faults/faulty-table.ts';
import { loggedLines } from '../support/logged-lines.ts';
import { apiEvent, invoke } from '../support/stack/invoke.ts';
import { accountStore } from '../../lib/store/store.ts';

let faulty: FaultyTable;
let accountId: string;
let key: string;
let publicPart: string;
beforeAll(async () => {
  faulty = await startFaultyTable();
  ({ accountId, key } = await faulty.newAccount());
  publicPart = parseKey(key)?.publicPart ?? '';
});
afterAll(() => faulty.stop());

const lines = loggedLines();
afterEach(() => faulty.line.fail(undefined));

const lastLine = () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>;

let contacts = 10;
/** What no line may have: the key's secret and what the customer sent. */
const privateData = () => ({
  Name: 'Quentin Zweig',
  Email: `q.zweig${++contacts}@example.com`,
  Phone: `(217) 778-80${contacts}`,
});
const addContact = () => invoke('contacts/addupdate', privateData(), { key });
function expectNothingPrivate(): void {
  for (const text of [parseKey(key)?.secret ?? key, 'Quentin', 'zweig', '778-80'])
    expect(lines.join('')).not.toContain(text);
}

/** Every request of one action fails as AWS or a library may: with an error that quotes its input. */
function failRequests(action: string, name: string, details: object = {}): Disposable {
  const client = documentClient();
  const error = Object.assign(new Error(`invalid value: ${JSON.stringify(privateData())}`), {
    name,
    ...details,
    $metadata: { httpStatusCode: 400, attempts: 1, requestId: 'AWS1' },
  });
  client.middlewareStack.add(
    (next, { commandName }) =>
      (input) =>
        commandName === `${action}Command` ? Promise.reject(error) : next(input),
    { step: 'build', name: 'failing' },
  );
  return { [Symbol.dispose]: () => void client.middlewareStack.remove('failing') };
}

describe('every log line has the key, the source address and the request id:', () => {
  const common = { Source: '203.0.113.7', RequestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string };

  test('of a call that succeeds', async () => {
    expect((await addContact()).status).toBe(200);
    expect(lastLine()).toMatchObject({ ...common, Key: publicPart, Account: accountId, ResultCode: 0 });
    expectNothingPrivate();
  });

  test('of a call with a revoked key, and with another secret', async () => {
    const other = await faulty.newAccount();
    const revoked = parseKey(other.key)?.publicPart ?? '';
    await revokeKey(accountStore(faulty.sound, other.accountId), revoked, new Date());
    await invoke('test/echo', {}, { key: other.key });
    expect(lastLine()).toMatchObject({ ...common, Key: revoked, ResultCode: 401 });
    await invoke('test/echo', {}, { key: formatKey(publicPart, 'x'.repeat(32), { isTest: true }) });
    expect(lastLine()).toMatchObject({ ...common, Key: publicPart, ResultCode: 401 });
  });

  test('of a call that is refused before its key is read', async () => {
    await invoke('contacts/nothing', {}, { key });
    expect(lastLine()).toMatchObject({ ...common, Key: publicPart, ResultCode: 404 });
  });

  test('of a call without a key, with a text that is not a key, and of an unknown path', async () => {
    for (const bad of ['', 'fs_1\n{"Level":"error"}']) {
      await invoke('test/echo', {}, { key: bad });
      expect(lastLine()).toMatchObject({ ...common, Key: null, ResultCode: 401 });
    }
    await fallback(apiEvent('nothing/here', {}), {} as Context);
    expect(lastLine()).toMatchObject({ ...common, Key: null, ResultCode: 404 });
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  });

  test('of two calls at once with one context of Lambda, each with its own', async () => {
    const other = await faulty.newAccount();
    const lambda = {} as Context;
    const events = [key, other.key].map((each) => apiEvent('test/echo', {}, { key: each }));
    lines.length = 0;
    await Promise.all(events.map((event) => testGroup(event, lambda)));
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(new Map(logged.map(({ RequestId, Account }) => [RequestId, Account]))).toEqual(
      new Map([
        [events[0]?.requestContext.requestId, accountId],
        [events[1]?.requestContext.requestId, other.accountId],
      ]),
    );
    expect(lambda).toEqual({});
  });
});

describe('the line of an internal error names', () => {
  test('the error code of AWS, the action and the table, and not what AWS quotes', async () => {
    using _ = failRequests('TransactWriteItems', 'AccessDeniedException');
    expect((await addContact()).status).toBe(500);
    const [error] = lastLine()['Causes'] as unknown[];
    expect(error).toEqual({
      Error: 'AccessDeniedException',
      Code: 'AccessDeniedException',
      Status: 400,
      Attempts: 1,
      AwsRequestId: 'AWS1',
      Action: 'TransactWriteItems',
      Table: 'test-table',
      At: expect.arrayContaining([expect.stringMatching(/^at /)]) as string[],
    });
    expectNothingPrivate();
  });

  test('the message of our own error and its cause, where the table does not answer', async () => {
    faulty.line.fail((action) => (action === 'TransactWriteItems' ? 'errorBefore' : undefined));
    expect((await addContact()).status).toBe(503);
    expect(lastLine()['Causes']).toMatchObject([
      { Error: 'StoreUnavailable', Message: 'The table is throttled, away or did not answer in time.' },
      { Code: 'InternalServerError', Status: 500, Action: 'TransactWriteItems', Table: 'test-table' },
    ]);
    expectNothingPrivate();
  });

  test('the codes of the parts of a canceled transaction', async () => {
    const CancellationReasons = [{ Code: 'None' }, { Code: 'ValidationError', Message: 'Quentin' }];
    using _ = failRequests('TransactWriteItems', 'TransactionCanceledException', { CancellationReasons });
    expect((await addContact()).status).toBe(500);
    expect(lastLine()['Causes']).toMatchObject([
      { Code: 'TransactionCanceledException', Reasons: ['None', 'ValidationError'] },
    ]);
    expectNothingPrivate();
  });

  test('what AWS refuses, without the data that AWS quotes', async () => {
    const client = documentClient();
    const { Name, Phone } = privateData();
    const error = Object.assign(
      new Error(
        `One or more parameter values were invalid: Global secondary index GSI3 does not project [Q] (${Name})`,
      ),
      {
        name: 'TransactionCanceledException',
        $metadata: { httpStatusCode: 400 },
        CancellationReasons: [
          { Code: 'None' },
          { Code: 'ValidationError', Message: `The conditional request failed: ${Phone}` },
        ],
      },
    );
    client.middlewareStack.add(() => () => Promise.reject(error), { step: 'build', name: 'failing' });
    expect((await addContact()).status).toBe(500);
    client.middlewareStack.remove('failing');
    expect(lastLine()['Causes']).toMatchObject([
      {
        Message: 'One or more parameter values were invalid: Global secondary index GSI3 does not project [Q] …',
        Reasons: ['None', 'ValidationError: The conditional request failed …'],
      },
    ]);
    expectNothingPrivate();
  });

  test('the message of a defect that our code reports, and not of another', async () => {
    for (const [error, message] of [
      [new InternalError('proposal 12 has fewer visits than VisitsToQueue'), { Message: expect.any(String) as string }],
      [new SyntaxError(`Unexpected token: ${privateData().Name}`), {}],
    ] as const) {
      const client = documentClient();
      client.middlewareStack.add(() => () => Promise.reject(error), { step: 'build', name: 'failing' });
      expect((await addContact()).status).toBe(500);
      client.middlewareStack.remove('failing');
      const [logged] = lastLine()['Causes'] as Record<string, unknown>[];
      expect({ ...logged, At: [] }).toMatchObject({ Error: error.name, ...message });
      expect(logged?.['Message'] === undefined).toBe(!('Message' in message));
    }
    expectNothingPrivate();
  });
});

test("a worker's line has the request id of its invocation, and the error of a record of which no event can be made", async () => {
  const record = {
    dynamodb: {
      ApproximateCreationDateTime: 1,
      Keys: { PK: { S: 'A#acme#CONTACT#1' } },
      NewImage: { E: { S: 'Contact' }, Id: { N: '1' }, Name: { S: privateData().Name } },
    },
  };
  const context = { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 20_000 };
  await eventQueue({ Records: [record] }, context);
  expect(lastLine()).toMatchObject({
    RequestId: 'invocation-1',
    Causes: [{ Error: 'InternalError', Message: 'a stream record without a whole V' }],
  });
  expectNothingPrivate();
});
