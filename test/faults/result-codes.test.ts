import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { groups } from '../../functions/index.ts';
import { MAX_BODY_BYTES } from '../../lib/shared/limits.ts';
import { type FailureCode, failureCodes } from '../../lib/shared/failure-codes.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { documentClient } from '../../lib/store/dynamodb/client.ts';
import { type FaultyTable, startFaultyTable } from '../support/faults/faulty-table.ts';
import { sampled } from '../support/sampled.ts';
import { apiEvent } from '../support/stack/invoke.ts';
import { accountStore } from '../../lib/store/store.ts';

/** Some programs decide by the HTTP status and others by ResultCode: both always agree. */

const operations = groups.flatMap(({ operations: own, handler }) =>
  own.map((operation) => [operation.name, { operation, handler }] as const),
);
type Served = (typeof operations)[number][1];
type ApiEvent = ReturnType<typeof apiEvent>;

let faulty: FaultyTable;
let key: string;
/** A key that may only call an operation that does not exist. */
let restricted: string;

beforeAll(async () => {
  process.env['LOG_LEVEL'] = 'silent';
  faulty = await startFaultyTable();
  const account = await faulty.newAccount();
  ({ key } = account);
  const made = { account: account.accountId, role: 'Owner', name: 'test', now: new Date(), rate: 100_000 } as const;
  restricted = (
    await createKey(accountStore(faulty.sound, made.account), { ...made, inFlight: 10_000, allow: ['nothing/nowhere'] })
  ).key;
});
afterAll(() => faulty.stop());
afterEach(() => {
  vi.restoreAllMocks();
  documentClient().middlewareStack.remove('busy');
});

const send = async ({ handler }: Served, event: ApiEvent) => {
  const answer = await handler(event, {} as Context);
  const body = JSON.parse(answer.body ?? '{}') as Record<string, unknown>;
  const codes = new Map([[200, 0]]);
  expect(body['ResultCode'], answer.body).toBe(codes.get(answer.statusCode ?? 0) ?? answer.statusCode);
  return answer.statusCode;
};

const withMethod = (event: ApiEvent, method: string): ApiEvent => ({
  ...event,
  requestContext: { ...event.requestContext, http: { ...event.requestContext.http, method } },
});

describe.each(sampled(operations))('%s answers with its status as ResultCode', (name, served) => {
  const { operation } = served;

  test('every failure that an operation knows, and one that it does not know', async () => {
    const run = vi.spyOn(operation, 'run');
    for (const code of Object.keys(failureCodes) as FailureCode[]) {
      run.mockRejectedValueOnce(new Failure(code, 'It failed.'));
      expect(await send(served, apiEvent(name, operation.example, { key }))).toBe(failureCodes[code]);
    }
    run.mockRejectedValueOnce(new TypeError('a defect'));
    expect(await send(served, apiEvent(name, operation.example, { key }))).toBe(500);
  });

  test('what is refused before it runs', async () => {
    const { maxBody = MAX_BODY_BYTES, example } = operation;
    const refused = [
      [401, apiEvent(name, example)],
      [401, apiEvent(name, example, { key: 'secret' })],
      [404, { ...apiEvent(`${name}x`, example, { key }), rawPath: `/api/${name}x` }],
      [405, withMethod(apiEvent(name, example, { key }), 'GET')],
      [400, apiEvent(name, '{', { key })],
      [400, apiEvent(name, { ...example, NoSuchField: 1 }, { key })],
      [413, apiEvent(name, ' '.repeat(maxBody + 1), { key })],
      [operation.isForEveryKey ? 400 : 403, apiEvent(name, { ...example, NoSuchField: 1 }, { key: restricted })],
    ] as const;
    for (const [status, event] of refused) expect(await send(served, event)).toBe(status);
  });

  test('what the store refuses for now', async () => {
    const error = Object.assign(new Error('busy'), { name: 'ThrottlingException', $metadata: { attempts: 3 } });
    documentClient().middlewareStack.add(() => () => Promise.reject(error), { step: 'build', name: 'busy' });
    const status = await send(served, apiEvent(name, operation.example, { key }));
    // What this process knows already is answered.
    expect([200, 503]).toContain(status);
  });
});
