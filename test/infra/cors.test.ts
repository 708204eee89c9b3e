import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer } from '../../infra/local/http-server.ts';
import { freePort } from '../../infra/local/ports.ts';
import { startAws } from '../../infra/local/s3-and-sqs.ts';
import { parseStages } from '../../infra/stages.ts';
import { readable, synthesizeStages } from './synthesized.ts';

const PAGE = 'https://app.example.com';
const DEVELOPED = 'http://localhost:5173';
const STRANGER = 'https://attacker.example';
const cors = { origins: [PAGE, DEVELOPED] };
/** What the clients and assistants send, and what they read. */
const SENT = ['authorization', 'content-type', 'idempotency-key', 'x-api-key', 'x-list'];
const READ = ['retry-after', 'x-list', 'x-next-skip', 'x-request-id'];

describe('the template', async () => {
  const { templateOf } = await synthesizeStages({
    closed: { disposable: true },
    open: { disposable: true, cors },
    edge: { disposable: true, cors, region: 'us-east-1', edge: { waf: true } },
  });
  const [closed, open, edge] = ['closed', 'open', 'edge'].map((name) => readable(templateOf(`field-service-${name}`)));
  const codeOf = (template = closed) =>
    [...(template ?? [])].flatMap(([, { Type, Properties }]) =>
      Type === 'AWS::CloudFront::Function' ? [String(Properties['FunctionCode'])] : [],
    )[0] ?? '';

  it('lets no page of another origin call, unless the stage names its origin', () => {
    expect(closed?.get('Api')?.Properties).not.toHaveProperty('CorsConfiguration');
    expect(closed?.get('Bucket')?.Properties).not.toHaveProperty('CorsConfiguration');
  });

  it.each([open, edge])('has API Gateway allow the pages of these origins what the clients need', (template) => {
    const { CorsConfiguration } = template?.get('Api')?.Properties ?? {};
    expect(CorsConfiguration).toMatchObject({
      AllowOrigins: [PAGE, DEVELOPED],
      AllowMethods: ['GET', 'HEAD', 'POST'],
      AllowHeaders: expect.arrayContaining(SENT) as string[],
      ExposeHeaders: expect.arrayContaining(READ) as string[],
      MaxAge: 7_200,
    });
    expect(CorsConfiguration).not.toHaveProperty('AllowCredentials');
  });

  it('has the bucket allow them to read and send files', () => {
    expect(open?.get('Bucket')?.Properties).toMatchObject({
      CorsConfiguration: {
        CorsRules: [
          {
            AllowedOrigins: [PAGE, DEVELOPED],
            AllowedMethods: ['GET', 'HEAD', 'PUT'],
            AllowedHeaders: ['content-type'],
          },
        ],
      },
    });
  });

  it('has CloudFront answer their preflights, which the authorizer of API Gateway would get', () => {
    const handle = (method: string, headers: object) =>
      runInNewContext(`${codeOf(edge)}; handler(event)`, {
        event: { viewer: { ip: '203.0.113.7' }, request: { method, headers } },
      }) as { statusCode?: number; headers: Record<string, { value: string }> };
    const { statusCode, headers } = handle('OPTIONS', { origin: { value: DEVELOPED } });
    expect([statusCode, headers['access-control-allow-origin']?.value]).toEqual([204, DEVELOPED]);
    expect(headers['access-control-allow-headers']?.value.split(',')).toEqual(expect.arrayContaining(SENT));
    for (const passed of [
      handle('OPTIONS', { origin: { value: STRANGER } }),
      handle('OPTIONS', {}),
      handle('POST', { origin: { value: PAGE } }),
    ]) {
      expect(passed).not.toHaveProperty('statusCode');
      expect(passed.headers['x-viewer-address']?.value).toBe('203.0.113.7');
    }
  });

  it.each([
    '*',
    'app.example.com',
    'https://app.example.com/',
    'http://app.example.com',
    'null',
    'https://*.example.com',
  ])('is refused for the origin %s', (origin) => {
    expect(() => parseStages({ live: { disposable: true, cors: { origins: [PAGE, origin] } } })).toThrow(
      'live.cors.origins.1: must be origins such as https://app.example.com',
    );
  });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** A request as a browser sends it; status 0 where the connection is cut. */
const send = (url: string, method: string, headers: IncomingHttpHeaders, body = '') =>
  new Promise<Answer>((done) => {
    request(url, { method, headers: { connection: 'close', ...headers } }, (response) => {
      response.resume().on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers }));
    })
      .on('error', () => done({ status: 0, headers: {} }))
      .end(body);
  });

const preflight = (url: string, origin: string, method: string) =>
  send(url, 'OPTIONS', {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'content-type,x-api-key',
  });

describe('the local stack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cors-'));
  let api: Awaited<ReturnType<typeof startHttpServer>>;
  let aws: Awaited<ReturnType<typeof startAws>>;
  let call: string;
  const called: string[] = [];

  beforeAll(async () => {
    const fallback = async ({ rawPath }: { rawPath: string }) => {
      called.push(rawPath);
      return { statusCode: 429, headers: { 'Retry-After': '1' }, body: '{}' };
    };
    api = await startHttpServer({ port: 0, groups: [], fallback, corsOrigins: cors.origins });
    const corsOrigins = cors.origins;
    const port = await freePort();
    aws = await startAws({
      folder,
      port,
      region: 'us-east-1',
      bucket: 'files',
      queues: [{ name: 'work' }],
      corsOrigins,
    });
    call = `http://127.0.0.1:${api.port}/api/test/echo`;
  });
  afterAll(async () => {
    await api.stop();
    await aws.stop();
    rmSync(folder, { recursive: true });
  });

  it('answers a preflight of an allowed origin itself, and lets the page read the answer of the call', async () => {
    const asked = await preflight(call, PAGE, 'POST');
    expect([asked.status, called]).toEqual([204, []]);
    expect(asked.headers).toMatchObject({ 'access-control-allow-origin': PAGE, vary: 'Origin' });
    expect(asked.headers['access-control-allow-headers']?.split(',')).toEqual(expect.arrayContaining(SENT));
    const answered = await send(call, 'POST', { origin: PAGE }, '{}');
    expect(answered.status).toBe(429);
    expect(answered.headers).toMatchObject({ 'access-control-allow-origin': PAGE, 'retry-after': '1', vary: 'Origin' });
    expect(answered.headers['access-control-expose-headers']?.split(',')).toEqual(expect.arrayContaining(READ));
  });

  it('passes an OPTIONS on that is no preflight, and names no origin to who has none', async () => {
    called.length = 0;
    for (const answered of [await send(call, 'OPTIONS', { origin: PAGE }), await send(call, 'OPTIONS', {})])
      expect(answered.status).toBe(429);
    expect(called).toHaveLength(2);
    expect((await send(call, 'POST', {}, '{}')).headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('refuses the calls and the preflights of every other origin, and of names that only resolve to it', async () => {
    for (const { status, headers } of [
      await preflight(call, STRANGER, 'POST'),
      await send(call, 'POST', { origin: STRANGER }, '{}'),
      await send(call, 'POST', { origin: PAGE, host: 'attacker.example' }, '{}'),
    ]) {
      expect(status).toBe(403);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('lets a page of an allowed origin send and read files at the addresses that the API signs', async () => {
    const s3 = new S3Client({
      endpoint: aws.endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    const at = { Bucket: 'files', Key: 'meter.txt' };
    const put = await getSignedUrl(s3, new PutObjectCommand(at));
    const asked = await preflight(put, PAGE, 'PUT');
    expect(asked).toMatchObject({ status: 204, headers: { 'access-control-allow-methods': 'GET,HEAD,PUT' } });
    const stored = await send(put, 'PUT', { origin: PAGE, 'content-type': 'text/plain' }, '18421');
    const read = await send(await getSignedUrl(s3, new GetObjectCommand(at)), 'GET', { origin: PAGE });
    for (const answer of [stored, read])
      expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': PAGE } });
    expect((await preflight(put, STRANGER, 'PUT')).status).toBe(0);
    expect((await send(aws.urlOf('work'), 'POST', { origin: PAGE }, '{}')).status).toBe(0);
  });
});
