import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { HttpResponse } from '@smithy/core/protocols';
import type { HttpRequest } from '@smithy/core/protocols';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { RequestSigner, send, useTableMiddlewares } from '../../../lib/store/dynamodb/client.ts';

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Record<string, string>;
}

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', accountId: '111122223333' };

/** A client that sends nothing: its requests get the answers one after another, then the last one again. */
function clientOf(answers: readonly Answer[], options: object = {}) {
  const requests: HttpRequest[] = [];
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials,
    maxAttempts: 3,
    ...options,
    requestHandler: {
      async handle(request: HttpRequest) {
        requests.push({ ...request, headers: { ...request.headers } } as HttpRequest);
        const {
          status,
          body,
          headers = {},
        } = answers[requests.length - 1] ?? answers.at(-1) ?? { status: 200, body: {} };
        const text = Readable.from([Buffer.from(JSON.stringify(body))]);
        return { response: new HttpResponse({ statusCode: status, headers, body: text }) };
      },
    },
  });
  return { client, requests };
}

// The endpoint of a stack that another test of this process has used.
beforeAll(() => void vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', undefined));
afterAll(() => void vi.unstubAllEnvs());

const ours = (answers: readonly Answer[], options?: object) => {
  const signer = new RequestSigner({ credentials: async () => credentials, region: async () => 'eu-central-1' });
  const { client, requests } = clientOf(answers, { ...options, signer });
  useTableMiddlewares(client);
  return { requests, get: () => send(client, 'GetItem', { TableName: 'records', Key: { PK: 'A', SK: '1' } }) };
};
const theirs = (answers: readonly Answer[], options?: object) => {
  const { client, requests } = clientOf(answers, options);
  const Key = { PK: { S: 'A' }, SK: { S: '1' } };
  return { requests, get: () => client.send(new GetItemCommand({ TableName: 'records', Key })) };
};

const found = { status: 200, body: { Item: { Id: { N: '7' } } }, headers: { 'x-amzn-requestid': 'R1' } };
const failure = (type: string, more: object = {}, status = 400): Answer => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'It failed.', ...more },
  headers: { 'x-amzn-requestid': 'R2' },
});

describe('a request of the table is sent as the SDK sends it', () => {
  test.each([
    ['to the endpoint of the account', {}, '111122223333.ddb.eu-central-1.amazonaws.com'],
    ['to that of the region', { accountIdEndpointMode: 'disabled' }, 'dynamodb.eu-central-1.amazonaws.com'],
    ['to that of FIPS', { useFipsEndpoint: true }, 'dynamodb-fips.eu-central-1.amazonaws.com'],
    ['to a configured endpoint', { endpoint: 'http://127.0.0.1:8000' }, '127.0.0.1'],
  ])('%s', async (_, options, hostname) => {
    const [mine, sdk] = [ours([found], options), theirs([found], options)];
    expect(await mine.get()).toMatchObject({ Item: { Id: 7 }, $metadata: { attempts: 1, requestId: 'R1' } });
    await sdk.get();
    expect(mine.requests[0]?.hostname).toBe(hostname);
    const shown = ([request]: readonly HttpRequest[]) => {
      const { protocol, hostname, port, path, method, body, headers = {} } = request ?? {};
      const { authorization = '', ...others } = headers;
      const names = ['host', 'content-type', 'content-length', 'x-amz-target'] as const;
      const [scope = ''] = /Credential=\S+/.exec(authorization) ?? [];
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array);
      return { protocol, hostname, port, path, method, text, scope, ...names.map((name) => others[name]) };
    };
    expect(shown(mine.requests)).toEqual(shown(sdk.requests));
  });
});

describe('a failure is the one that the SDK reports, after as many attempts', () => {
  test.each([
    ['a condition that does not hold', [failure('ConditionalCheckFailedException')]],
    [
      'a canceled transaction with its reasons',
      [failure('TransactionCanceledException', { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] })],
    ],
    ['throttling', [failure('ProvisionedThroughputExceededException')]],
    ['a server error', [failure('InternalServerError', {}, 500)]],
    ['an answer without a type', [{ status: 503, body: {} }]],
    ['a server error once', [failure('InternalServerError', {}, 500), found]],
    [
      'a clock that is ten minutes wrong',
      [
        { ...failure('InvalidSignatureException'), headers: { date: new Date(Date.now() + 600_000).toUTCString() } },
        found,
      ],
    ],
  ])('%s', async (_, answers) => {
    const outcome = async ({ requests, get }: ReturnType<typeof ours> | ReturnType<typeof theirs>) => {
      const shown = await get().then(
        ({ $metadata: { httpStatusCode, attempts } }) => ({ httpStatusCode, attempts }),
        ({ name, message, CancellationReasons, $metadata: { httpStatusCode, attempts, requestId } }) => ({
          name,
          message,
          CancellationReasons,
          $metadata: { httpStatusCode, attempts, requestId },
        }),
      );
      return { ...shown, sent: requests.length };
    };
    const mine = await outcome(ours(answers));
    expect(mine).toEqual(await outcome(theirs(answers)));
  });

  test('the clock of the next request is the corrected one', async () => {
    const later = new Date(Date.now() + 600_000);
    const wrong = { ...failure('InvalidSignatureException'), headers: { date: later.toUTCString() } };
    const { requests, get } = ours([wrong, found]);
    await get();
    const [first, second] = requests.map(({ headers }) => headers['x-amz-date'] ?? '');
    expect(second?.slice(0, 11)).toBe(later.toISOString().replaceAll('-', '').slice(0, 11));
    expect(first).not.toBe(second);
  });
});
