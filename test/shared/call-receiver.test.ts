import { type RequestListener, createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callReceiver } from '../../lib/shared/web/call-receiver.ts';
import type { Resolve } from '../../lib/shared/web/checked-lookup.ts';

/** Requests that reached this machine. */
let reached = 0;
let respond: RequestListener = (_, response) => void response.end();
const server = createServer((request, response) => {
  reached++;
  respond(request, response);
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const resolvesTo =
  (...addresses: string[]): Resolve =>
  (_, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const post = (
  url: string,
  options: { allowLoopback?: boolean; resolve?: Resolve; timeoutMilliseconds?: number } = {},
) => callReceiver(url, '{}', { headers: {}, allowLoopback: false, timeoutMilliseconds: 500, ...options });
const postHere = (timeoutMilliseconds = 500) =>
  post(`http://127.0.0.1:${port}/hook`, { allowLoopback: true, timeoutMilliseconds });

/** Hosts of an address that no receiver has. */
const spellings = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7F.0x0.0x0.0x1',
  '017700000001',
  '0177.0.0.1',
  '0177.1',
  '00000177.0.0.1',
  '127.0x0.0.01',
  '%31%32%37.0.0.1',
  '１２７.0.0.1',
  '127。0。0。1',
  '①②⑦.0.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
  'ⓛocalhost',
  '0',
  '0.0.0.0',
  '0x0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::10.0.0.1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:7f00:1::]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
  '169.254.169.254',
  '169.254.170.2',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  'metadata.google.internal',
  'instance-data.ec2.internal',
  '10.0.0.1',
  '10.1',
  '012.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.168.257',
  '3232235777',
  '100.64.0.1',
  '192.0.0.192',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  'printer.local',
  'intranet',
  'router.lan',
  'db.corp',
];

describe('an address of this machine, a private network or the metadata of a cloud', () => {
  test('is called in none of its spellings', async () => {
    expect(spellings.length).toBeGreaterThanOrEqual(60);
    const before = reached;
    const urls = spellings.flatMap((host) => [`https://${host}:${port}/`, `http://${host}:${port}/`]);
    const answers = await Promise.all(urls.map((url) => post(url)));
    expect(answers.filter(({ status, milliseconds }) => status !== null || milliseconds > 0)).toEqual([]);
    expect(reached).toBe(before);
  });

  test('is not connected to when a name resolves to it, alone or beside a public address', async () => {
    const before = reached;
    const literals = spellings.map((host) => host.replace(/[[\]]/g, '')).filter((host) => /^[\da-f:.]+$/i.test(host));
    const addresses = literals.filter((host) => host.includes(':') || /^\d+(\.\d+){3}$/.test(host));
    expect(addresses.length).toBeGreaterThan(30);
    for (const address of addresses)
      for (const resolve of [resolvesTo(address), resolvesTo('93.184.216.34', address), resolvesTo(address, '2606::1')])
        expect(await post(`https://hooks.example.com:${port}/`, { resolve })).toMatchObject({
          status: null,
          error: 'The host is not on the public internet.',
        });
    expect(reached).toBe(before);
  });

  test('is not connected to by a name that resolves to a public address first: only that one is connected to', async () => {
    const before = reached;
    let looked = 0;
    const rebinding: Resolve = (name, done) => resolvesTo(looked++ ? '127.0.0.1' : '192.0.2.1')(name, done);
    const answers = [1, 2, 3].map(() => post(`https://rebind.example.com:${port}/`, { resolve: rebinding }));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([null, null, null]);
    // One look-up a call: what was checked is what is connected to.
    expect([looked, reached]).toEqual([3, before]);
  });

  test('may be called on a local stack if it is this machine, also over http, and nothing else', async () => {
    expect(await postHere()).toMatchObject({ status: 200 });
    expect(await post(`http://localhost:${port}/`, { allowLoopback: true })).toMatchObject({ status: 200 });
    for (const host of ['10.0.0.1', 'example.com', '0.0.0.0', '127.0.0.2'])
      expect(await post(`http://${host}:${port}/`, { allowLoopback: true })).toMatchObject({ status: null });
    const resolve = resolvesTo('127.0.0.1');
    expect(await post(`https://example.com:${port}/`, { allowLoopback: true, resolve })).toMatchObject({
      status: null,
    });
  });
});

describe('a receiver', () => {
  test('learns in User-Agent who calls, which firewalls ask for', async () => {
    const agents: (string | undefined)[] = [];
    respond = ({ headers }, response) => {
      agents.push(headers['user-agent']);
      response.end();
    };
    await postHere();
    expect(agents).toEqual([expect.stringMatching(/^field-service-api\/\d+\.\d+\.\d+$/)]);
  });

  test('that hangs, before or within its headers, is left after the time-out', async () => {
    respond = () => undefined;
    expect(await postHere(200)).toMatchObject({ status: null, timedOut: true, error: 'No answer in 0.2 seconds.' });
    const trickle = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      const timer = setInterval(() => socket.write('H'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((done) => trickle.listen(0, '127.0.0.1', done));
    const { port: other } = trickle.address() as AddressInfo;
    const answer = await post(`http://127.0.0.1:${other}/`, { allowLoopback: true, timeoutMilliseconds: 200 });
    expect(answer.status).toBe(null);
    trickle.close();
  });

  test('that sends its answer byte by byte for ever is left after the time-out; its status counts', async () => {
    respond = (_, response) => {
      response.writeHead(503, { 'retry-after': '30' });
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(timer));
    };
    expect(await postHere(200)).toMatchObject({ status: 503, timedOut: true, retryAfter: '30' });
  });

  test('that answers with a stream without end is read to 64 KB', async () => {
    let sent = 0;
    respond = (_, response) => {
      const write = () => {
        if (response.destroyed) return;
        sent += 16_384;
        response.write(Buffer.alloc(16_384), () => setImmediate(write));
      };
      write();
    };
    expect(await postHere(5_000)).toMatchObject({ status: 200, timedOut: false });
    await new Promise((done) => setTimeout(done, 50));
    expect(sent).toBeLessThan(8_000_000);
  });

  test('is not followed where it redirects', async () => {
    const before = reached;
    respond = (_, response) => void response.writeHead(302, { location: `http://127.0.0.1:${port}/other` }).end();
    expect(await postHere()).toMatchObject({ status: 302 });
    expect(reached).toBe(before + 1);
  });

  test('that cuts the connection, or answers no HTTP, is a failure and not an exception', async () => {
    respond = (request) => void request.socket.destroy();
    expect(await postHere()).toMatchObject({ status: null, timedOut: false, error: 'No answer: ECONNRESET.' });
    respond = (request) => void request.socket.end('SSH-2.0-OpenSSH\r\n');
    expect(await postHere()).toMatchObject({ status: null });
    expect(await post('https://no-such-name.invalid/')).toMatchObject({ status: null });
    expect(await post('not a url')).toMatchObject({ status: null });
  });
});
