import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Resolve } from '../../lib/shared/web/checked-lookup.ts';
import { type FetchOptions, fetchPublic } from '../../lib/shared/web/fetch-public.ts';

let reached = 0;
let respond: RequestListener;
const server = createServer((request, response) => {
  reached++;
  respond(request, response);
});
let here = '';
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  reached = 0;
  respond = (_, response) => void response.end('text');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const fetch = (address: string, more: Partial<FetchOptions> = {}) =>
  fetchPublic(address, {
    headers: {},
    allowLoopback: true,
    maxBytes: 1024 * 1024,
    timeoutMilliseconds: 1_000,
    ...more,
  });
const errorOf = async (address: string, more: Partial<FetchOptions> = {}): Promise<string> => {
  const found = await fetch(address, more);
  return found.kind === 'failed' ? found.error : `answered ${found.status}`;
};

test('a text is read with its status and headers, in pieces as it comes', async () => {
  respond = (request, response) => {
    response.writeHead(200, { etag: '"1"' });
    response.write(`${request.headers['if-none-match'] ?? ''} caf`);
    setTimeout(() => response.end('é'), 20);
  };
  const found = await fetch(`${here}/a.ics`, { headers: { 'if-none-match': '"0"' } });
  expect(found).toMatchObject({ kind: 'answer', status: 200, text: '"0" café', headers: { etag: '"1"' } });
});

test('addresses of this machine and of private networks are refused, and nothing is sent', async () => {
  const options = { allowLoopback: false };
  for (const address of [
    here,
    'https://127.0.0.1/a',
    'https://[::1]/',
    'https://169.254.169.254/',
    'https://10.0.0.1/',
  ])
    expect(await errorOf(address, options)).toBe('The address may not be read.');
  expect(reached).toBe(0);
});

test('a name that resolves to a private address is refused, also on its second look-up', async () => {
  let looked = 0;
  const rebinding: Resolve = (_, done) => done(null, [{ address: looked++ ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
  for (let count = 0; count < 2; count++)
    expect(await errorOf('https://calendar.example.com/a.ics', { resolve: rebinding })).toBe(
      'The host is not on the public internet.',
    );
  expect(reached).toBe(0);
});

test('at most three redirects are followed, and none to a private address or another scheme', async () => {
  respond = (request, response) => {
    const count = Number(request.url?.slice(1) || 0);
    if (count >= 3) return void response.end('there');
    response.writeHead(302, { location: `/${count + 1}` }).end();
  };
  expect(await fetch(`${here}/0`)).toMatchObject({ kind: 'answer', text: 'there' });
  respond = (_, response) => void response.writeHead(302, { location: '/' }).end();
  expect(await errorOf(`${here}/`)).toBe('The address redirects too often.');
  for (const location of ['https://169.254.169.254/latest/meta-data', 'http://example.com/', 'file:///etc/passwd']) {
    respond = (_, response) => void response.writeHead(301, { location }).end();
    expect(await errorOf(here)).toBe('The address leads to one that may not be read.');
  }
});

test('an answer that is too long, too slow, cut off or compressed is refused', async () => {
  respond = (_, response) => {
    response.on('error', () => undefined);
    const chunk = 'x'.repeat(64 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };
  expect(await errorOf(here)).toBe('The answer has more than 1 MB.');
  respond = (_, response) => {
    const drip = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drip));
  };
  expect(await errorOf(here, { timeoutMilliseconds: 300 })).toBe('The answer took too long.');
  respond = (_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('x');
    setTimeout(() => response.destroy(), 20);
  };
  expect(await errorOf(here)).toBe('The connection was closed before the end of the answer.');
  respond = (_, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1e6)));
  expect(await errorOf(here)).toBe('The answer is compressed, although that was not asked for.');
});

test('no sentence names the address', async () => {
  const secret = 'private-abc123';
  respond = (_, response) => void response.writeHead(302, { location: `https://10.0.0.1/${secret}` }).end();
  for (const address of [`${here}/${secret}`, `https://10.0.0.1/${secret}`, `nonsense ${secret}`])
    expect(await errorOf(address)).not.toContain(secret);
});
