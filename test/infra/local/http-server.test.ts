import { request as send } from 'node:http';
import { connect } from 'node:net';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { afterEach, describe, expect, test } from 'vitest';
import { type HttpServer, type HttpHandler, startHttpServer } from '../../../infra/local/http-server.ts';
import { freePort } from '../../../infra/local/ports.ts';
import { type AnsweredRequest, formatRequest, printablePath } from '../../../infra/local/request-log.ts';

const MEBIBYTE = 1024 * 1024;
const fronts: HttpServer[] = [];
afterEach(async () => {
  for (const front of fronts.splice(0)) await front.stop();
});

interface Seen {
  event: APIGatewayProxyEventV2;
  context: Context;
}

async function front(
  handler: HttpHandler,
  options: { timeoutMilliseconds?: number; onRequest?: (request: AnsweredRequest) => void } = {},
) {
  const fallback: HttpHandler = async ({ routeKey, rawPath }) => ({ statusCode: 404, body: `${routeKey} ${rawPath}` });
  const started = await startHttpServer({
    port: await freePort(),
    groups: [{ name: 'contacts', paths: ['/api/contacts/{operation}'], handler }],
    fallback,
    ...options,
  });
  fronts.push(started);
  return `http://127.0.0.1:${started.port}`;
}

const echo =
  (seen: Seen[] = []): HttpHandler =>
  async (event, context) => {
    seen.push({ event, context });
    return {
      statusCode: 200,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ Bytes: event.body?.length ?? 0 }),
    };
  };

describe('the front', () => {
  test('calls the handler of the group with the operation, and the context of its function', async () => {
    const seen: Seen[] = [];
    const base = await front(echo(seen));
    const response = await fetch(`${base}/api/contacts/locate?a=1`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([response.status, await response.json()]).toEqual([200, { Bytes: 2 }]);
    expect(seen[0]?.event).toMatchObject({
      routeKey: 'ANY /api/contacts/{operation}',
      pathParameters: { operation: 'locate' },
      body: '{}',
    });
    expect(seen[0]?.context.functionName).toBe('contacts');
    expect(seen[0]?.context.getRemainingTimeInMillis()).toBeLessThanOrEqual(29_000);
  });

  test.each([
    '/',
    '/api',
    '/api/contacts',
    '/api/contacts/',
    '/api/contacts/locate/',
    '/api/contacts/locate/x',
    '/api/other/locate',
    '/contacts/locate',
  ])('hands %s to the $default route', async (path) => {
    const base = await front(echo());
    const response = await fetch(base + path, { method: 'POST' });
    expect(await response.text()).toBe(`$default ${path}`);
  });

  test.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('leaves %s to the handler', async (method) => {
    const seen: Seen[] = [];
    await fetch(`${await front(echo(seen))}/api/contacts/locate`, { method });
    expect(seen.map(({ event }) => event.requestContext.http.method)).toEqual([method]);
  });

  test('answers HEAD with the headers alone', async () => {
    const response = await fetch(`${await front(echo())}/api/contacts/locate`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '11', '']);
  });

  test('sends what a handler answers: status, headers, cookies, bytes', async () => {
    const base = await front(async () => ({
      statusCode: 303,
      headers: { Location: '/x', 'X-Count': 2 },
      cookies: ['a=1', 'b=2'],
      body: Buffer.from([1, 2, 255]).toString('base64'),
      isBase64Encoded: true,
    }));
    const response = await fetch(`${base}/api/contacts/locate`, { redirect: 'manual' });
    expect(response.status).toBe(303);
    expect([
      response.headers.get('location'),
      response.headers.get('x-count'),
      response.headers.getSetCookie(),
    ]).toEqual(['/x', '2', ['a=1', 'b=2']]);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([1, 2, 255]);
  });

  test.each([
    ["over API Gateway's 10 MB", 10 * MEBIBYTE + 1, 'application/json'],
    ["over Lambda's 6 MB", 6 * MEBIBYTE + 1, 'application/json'],
    ["over Lambda's 6 MB as base64", 5 * MEBIBYTE, 'image/png'],
  ])('refuses a body %s with 413 in the shape of every failure', async (_, bytes, type) => {
    const response = await fetch(`${await front(echo())}/api/contacts/locate`, {
      method: 'POST',
      body: Buffer.alloc(bytes, 'a'),
      headers: { 'content-type': type },
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({
      ResultCode: 413,
      Code: 'request_too_large',
      Message: expect.stringContaining(String(bytes)) as string,
    });
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  test('takes a body of nearly 6 MB', async () => {
    const response = await fetch(`${await front(echo())}/api/contacts/locate`, {
      method: 'POST',
      body: Buffer.alloc(6 * MEBIBYTE - 5_000, 'a'),
      headers: { 'content-type': 'text/plain' },
    });
    expect(response.status).toBe(200);
  });

  test('answers 503 when the function runs out of time', async () => {
    const base = await front(() => new Promise(() => undefined), { timeoutMilliseconds: 30 });
    const response = await fetch(`${base}/api/contacts/locate`, { method: 'POST' });
    expect([
      response.status,
      response.headers.get('retry-after'),
      ((await response.json()) as { ResultCode: number }).ResultCode,
    ]).toEqual([503, '1', 503]);
  });

  test.each<[string, HttpHandler]>([
    ['throws', async () => Promise.reject(new Error('secret'))],
    ['answers no HTTP status', async () => ({ statusCode: 7, body: 'secret' })],
    ['answers more than 6 MB', async () => ({ statusCode: 200, body: 'a'.repeat(6 * MEBIBYTE) })],
    [
      'answers headers that HTTP cannot carry',
      async () => ({ statusCode: 200, headers: { 'X-Line': 'a\nb' }, body: 'secret' }),
    ],
  ])('answers 500 and nothing of the cause when a handler %s', async (_, handler) => {
    const response = await fetch(`${await front(handler)}/api/contacts/locate`, { method: 'POST' });
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toEqual([
      500,
      { ResultCode: 500, Code: 'internal_error', Message: expect.any(String) },
    ]);
    expect(text).not.toContain('secret');
  });

  test('answers bytes that are no HTTP in the same shape', async () => {
    const { port } = new URL(await front(echo()));
    const text = await new Promise<string>((done) => {
      let got = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('hello\r\n\r\n'));
      socket.on('data', (data) => (got += data.toString())).on('close', () => done(got));
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({
      ResultCode: 400,
      Code: 'invalid_body',
      Message: 'This is not an HTTP request.',
    });
  });

  test('goes on when a caller hangs up in the middle of a body', async () => {
    const base = await front(echo());
    await new Promise<void>((done) => {
      const request = send(`${base}/api/contacts/locate`, { method: 'POST', headers: { 'content-length': '1000' } });
      request.on('error', () => done()).write('{');
      setTimeout(() => request.destroy(), 20);
      request.on('close', () => done());
    });
    expect((await fetch(`${base}/api/contacts/locate`, { method: 'POST' })).status).toBe(200);
  });

  test('says in one sentence that its port is taken', async () => {
    const { port } = new URL(await front(echo()));
    const again = startHttpServer({ port: Number(port), groups: [], fallback: echo() });
    await expect(again).rejects.toThrow(
      `Port ${port} is in use by another program. Stop that program, or set PORT to another port.`,
    );
  });
});

describe('the request log', () => {
  const lineOf = (target: string, status: number, body = '{}', method = 'POST') =>
    formatRequest({
      method,
      target,
      response: { status, body: Buffer.from(body) },
      at: new Date(2026, 10, 22, 14, 3, 59),
      milliseconds: 12.4,
    });
  const failure = (Message: unknown) => JSON.stringify({ ResultCode: 400, Message });

  test('has time, operation, status and milliseconds of each request, and the message of a failure', async () => {
    const requests: AnsweredRequest[] = [];
    const base = await front(echo(), { onRequest: (request) => requests.push(request) });
    await fetch(`${base}/api/contacts/locate?email=a@example.com`, { method: 'POST', body: '{"Secret": 1}' });
    const foreign = await fetch(`${base}/elsewhere`, { headers: { origin: 'https://example.com' } });
    expect(await foreign.json()).toMatchObject({ Code: 'origin_forbidden' });
    const lines = requests.map((request) => formatRequest(request));
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}contacts\/locate {15,}200 +\d+ ms$/);
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d {2}GET \/elsewhere +403 +\d+ ms {2}Web pages of other origins must not/);
    expect(lineOf('/api/contacts/locate', 400, failure('Take must be at most 500.'))).toBe(
      '14:03:59  contacts/locate               400     12 ms  Take must be at most 500.',
    );
  });

  test('has no link of a client, which opens to whoever reads it', () => {
    const handle = 'gwzu8o0znu3g-a-0-g36-iiEoxXr44ByA8kOkRPpz8w';
    const line = (path: string) => lineOf(path, 200, '', 'GET').replace(/ +200.*/, '');
    expect(line(`/c/proposal/${handle}?lang=es`)).toBe('14:03:59  GET /c/proposal/…');
    expect(line(`/c/invoice/${handle}/pdf`)).toBe('14:03:59  GET /c/invoice/…/pdf');
    expect(line('/c/assets/c921a1ddefc2876c.css')).toBe('14:03:59  GET /c/assets/c921a1ddefc2876c.css');
    expect(printablePath(`/c/visit/${handle}?done=asked`)).toBe('/c/visit/…?done=asked');
  });

  test.each([
    ['a line break in a path', '/api/contacts/x%0a14:04:00%20 forged', 404, failure('Unknown.')],
    ['a raw control character in a path', '/api/contacts/\u001b[2J\r\nforged', 404, failure('Unknown.')],
    ['line breaks and controls in a message', '/api/contacts/locate', 400, failure('a\n\u001b[2J\u2028\u202Eb')],
    ['a message that is no text', '/api/contacts/locate', 400, failure({ a: 1 })],
    ['a body that is not JSON', '/api/contacts/locate', 502, '<html>\n'],
    ['a long path and message', `/${'p'.repeat(9_000)}`, 404, failure('m '.repeat(9_000))],
  ])('is one printable line for %s', (_, target, status, body) => {
    expect(lineOf(target, status, body)).toMatch(/^14:03:59 {2}[^\p{C}\p{Zl}\p{Zp}]{1,450}$/u);
  });
});
