import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer } from '../../infra/local/http-server.ts';
import { freePort } from '../../infra/local/ports.ts';
import { startAws } from '../../infra/local/s3-and-sqs.ts';

const PAGE = 'https://app.example.com';
const DEVELOPED = 'http://localhost:5173';
const STRANGER = 'https://attacker.example';
const cors = { origins: [PAGE, DEVELOPED] };
/** What the clients and assistants send, and what they read. */
const SENT = ['authorization', 'content-type', 'idempotency-key', 'x-api-key', 'x-list'];
const READ = ['retry-after', 'x-list', 'x-next-skip', 'x-request-id'];

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
