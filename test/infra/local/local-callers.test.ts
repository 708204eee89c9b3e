import { type IncomingHttpHeaders, createServer, request } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { startEngineProxy } from '../../../infra/local/engine-proxy.ts';
import { startHttpServer } from '../../../infra/local/http-server.ts';
import { freePort } from '../../../infra/local/ports.ts';
import { startAws } from '../../../infra/local/s3-and-sqs.ts';

const stops: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** The status of a POST with these headers; 0 where the connection is cut. */
const statusOf = (base: string, headers: IncomingHttpHeaders, path = '/') =>
  new Promise<number>((done) => {
    request(base, { method: 'POST', path, headers: { connection: 'close', ...headers } }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    })
      .on('error', () => done(0))
      .end('{}');
  });

/** Each part of the local stack behind its port, answering 200 or another status of its own to who may call it. */
const servers: Readonly<Record<string, () => Promise<string>>> = {
  async API() {
    const handler = async () => ({ statusCode: 200, body: '{}' });
    const front = await startHttpServer({ port: 0, groups: [], fallback: handler });
    stops.push(() => front.stop());
    return `http://127.0.0.1:${front.port}`;
  },
  async engine() {
    const engine = createServer((_, response) => response.setHeader('access-control-allow-origin', '*').end('{}'));
    const port = await freePort();
    await new Promise<void>((done) => engine.listen(port, '127.0.0.1', done));
    stops.push(() => void engine.close());
    const proxy = await startEngineProxy({ port: 0, engine: `http://127.0.0.1:${port}` });
    stops.push(() => proxy.stop());
    return proxy.endpoint;
  },
  async 'S3 and SQS'() {
    const folder = mkdtempSync(join(tmpdir(), 'aws-'));
    const aws = await startAws({ folder, port: await freePort(), region: 'us-east-1', bucket: 'files', queues: [] });
    stops.push(
      () => rmSync(folder, { recursive: true }),
      () => aws.stop(),
    );
    return aws.endpoint;
  },
};

describe.each(Object.entries(servers))('the port of the %s', (name, start) => {
  test('refuses web pages of other origins and names that only resolve to this machine', async () => {
    const base = await start();
    const { host } = new URL(base);
    expect(await statusOf(base, {})).not.toBeOneOf([0, 403]);
    expect(await statusOf(base, { host: host.replace('127.0.0.1', 'localhost') })).not.toBeOneOf([0, 403]);
    for (const headers of [
      { origin: 'https://attacker.example' },
      { origin: 'http://localhost:3000' },
      { origin: 'null' },
      { host: `attacker.example:${new URL(base).port}` },
      { host: 'attacker.example' },
      { host: '127.0.0.1.attacker.example' },
      { host: 'localhost.attacker.example', origin: 'http://localhost.attacker.example' },
    ])
      expect(await statusOf(base, headers), JSON.stringify(headers)).toBe(name === 'S3 and SQS' ? 0 : 403);
  });
});

test('the API accepts the pages that it serves itself', async () => {
  const base = await servers['API']?.();
  expect(await statusOf(base ?? '', { origin: base })).toBe(200);
});

test('a path cannot forge a line of the log', async () => {
  const lines: string[] = [];
  const front = await startHttpServer({
    port: 0,
    groups: [],
    fallback: async () => Promise.reject(new Error('broken')),
    log: (line) => lines.push(line),
  });
  stops.push(() => front.stop());
  const path = '/%0AReady:%20http://attacker.example%0D%1B[2J%E2%80%A8x';
  expect(await statusOf(`http://127.0.0.1:${front.port}`, {}, path)).toBe(500);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[\x20-\x7e]+$/);
  expect(lines[0]).toContain('broken');
});
