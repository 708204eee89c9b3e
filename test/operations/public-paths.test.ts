import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/fallback/index.ts';
import { groups } from '../../functions/index.ts';
import { groupNames } from '../../functions/names.ts';
import { apiDocument } from '../../infra/openapi.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { testAccount, testStack } from '../support/stack/stack.ts';

interface Failed {
  readonly ResultCode: number;
  readonly Message: string;
}

async function notFoundAt(rawPath: string): Promise<Failed> {
  const event = {
    rawPath,
    requestContext: { requestId: 'r', http: { sourceIp: '203.0.113.7' } },
  } as APIGatewayProxyEventV2;
  const { statusCode, body = '' } = await handler(event, {} as Context);
  const answer = JSON.parse(body) as Failed;
  expect([statusCode, answer.ResultCode]).toEqual([404, 404]);
  return answer;
}

beforeAll(() => {
  process.env['LOG_LEVEL'] = 'silent';
});

describe('a path outside the groups is 404', () => {
  test.each([
    ['/api/contact/locate', '/api/contacts/locate'],
    ['/api/Contacts/Locate', '/api/contacts/locate'],
    ['/API/contacts/locate', '/api/contacts/locate'],
    ['/api/contacts/locate/', '/api/contacts/locate'],
    ['/api/contacts', '/api/contacts/…'],
    ['/api/contacts/', '/api/contacts/…'],
    ['/api//contacts/locate', '/api/contacts/locate'],
    ['/api/api/contacts/locate', '/api/contacts/locate'],
    ['/contacts/locate', '/api/contacts/locate'],
    ['/api/v1/customers/locate', '/api/contacts/locate'],
    ['/api/invoices/list', '/api/invoice/query'],
  ])('%s suggests %s', async (path, meant) => {
    expect((await notFoundAt(path)).Message).toBe(`Path ${path} not found. Did you mean ${meant}?`);
  });

  test.each(['/api', '/api/../x', '/api/__proto__/x', '/unsubscribe', '/api/unsubscribe'])(
    '%s lists the groups',
    async (path) => {
      expect((await notFoundAt(path)).Message).toContain(`the groups are ${groupNames.join(', ')}.`);
    },
  );

  test('a long path has a short answer', async () => {
    for (const path of [`/${'a'.repeat(9_000)}`, `/api/contacts/${'a'.repeat(9_000)}/`, `/api/${'a'.repeat(9_000)}`])
      expect((await notFoundAt(path)).Message.length).toBeLessThan(600);
  });
});

const guideTitles = () => {
  const folder = join(import.meta.dirname, '../../docs/guides');
  return readdirSync(folder).map((name) => /^# (.*)$/m.exec(readFileSync(join(folder, name), 'utf8'))?.[1]);
};

const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(`${testStack().BaseUrl}${path}`, { method, headers });

/** fetch would accept gzip by itself. */
async function getExactly(path: string, { accepted, known }: { accepted?: string | undefined; known?: string }) {
  const headers = {
    ...(accepted === undefined ? {} : { 'accept-encoding': accepted }),
    ...(known === undefined ? {} : { 'if-none-match': known }),
  };
  const [answer] = (await once(request(`${testStack().BaseUrl}${path}`, { headers }).end(), 'response')) as [
    IncomingMessage,
  ];
  const { 'content-encoding': coding, vary, etag } = answer.headers;
  return { status: answer.statusCode, coding, vary, etag, bytes: await buffer(answer) };
}

test('GET /health is 200 with version and stage, and nothing else, without a key', async () => {
  const answer = await get('/health');
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await answer.json()).toEqual({
    Status: 'ok',
    Version: packageFile.version,
    Stage: 'local',
    ResultCode: 0,
    Message: '',
  });
  expect((await get('/health', {}, 'HEAD')).status).toBe(200);
});

test('/ leads to the documentation', async () => {
  const { BaseUrl } = testStack();
  const answer = await fetch(`${BaseUrl}/`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/docs']);
});

test.each(['/health', '/docs', '/openapi.json', '/llms.txt'])(
  '%s is read with GET: other methods are 405',
  async (path) => {
    const answer = await get(path, {}, 'POST');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await answer.json()).toEqual({ ResultCode: 405, Code: 'wrong_method', Message: 'Call this path with GET.' });
  },
);

describe('a hostile query of a path without a key', () => {
  const long = 'a'.repeat(3_000);
  const texts = ['', ' ', '%00', '%23', '%25', '..%2F', '%F0%9F%98%80', '__proto__', 'constructor', long, '-1', '[]'];
  const names = ['account', 'expires', 'id', 'format', '__proto__', 'constructor', 'toString'];
  const queries = [
    'signature=x',
    'signature=x&account=',
    ...texts.flatMap((text) => [
      `signature=x&account=${text}`,
      `signature=x&account=a&expires=${text}`,
      `account=a&signature=${text.trim() || 'x'}`,
      `signature=x&signature=y&account=${text}&account=`,
      ...names.map((name) => `${name}=${text}&signature=x`),
    ]),
  ];
  /** A quarter of the queries, another one at each place: a path of each kind gets all of them. */
  const statusesOf = async (path: string, place: number) => {
    const statuses = new Set<number>();
    for (const query of queries.filter((_, index) => index % 4 === place))
      statuses.add((await get(`${path}?${query}`)).status);
    return [...statuses];
  };

  test.each([
    ['1', 0],
    ['0', 1],
    ['9999999999', 2],
    ['x', 3],
    ['__proto__', 0],
    ['1%00', 1],
  ])('of /files/%s is 403', async (id, place) => {
    expect(await statusesOf(`/files/${id}`, place)).toEqual([403]);
  });

  test.each([
    ['/health', 200, 0],
    ['/docs', 200, 1],
    ['/openapi.json', 200, 2],
    ['/llms.txt', 200, 3],
    ['/docs/constructor', 404, 0],
    ['/nothing', 404, 1],
  ])('of %s is %i', async (path, status, place) => {
    expect(await statusesOf(path, place)).toEqual([status]);
  });
});

describe('GET /openapi.json', () => {
  test('is the document of all operations, whose server is the deployment', async () => {
    const answer = await get('/openapi.json');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const document = (await answer.json()) as { paths: object; servers: { url: string }[] };
    const { BaseUrl } = testStack();
    expect(document.servers.map(({ url }) => url)).toEqual([BaseUrl]);
    expect(Object.keys(document.paths)).toEqual(
      groups.flatMap((group) => group.operations).map(({ name }) => `/api/${name}`),
    );
    expect(document).toEqual(JSON.parse(JSON.stringify(apiDocument({ baseUrl: BaseUrl }))));
  });

  test('is sent compressed, and is not sent again to those who have it', async () => {
    const compressed = await get('/openapi.json');
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(100_000);
    const etag = compressed.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const repeated = await get('/openapi.json', { 'if-none-match': known });
      expect([repeated.status, await repeated.text(), repeated.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await get('/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('the texts for language models', () => {
  const read = async (path: string) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    return answer.text();
  };

  test('GET /llms.txt lists every guide and operation, and leads to the rest of this deployment', async () => {
    const text = await read('/llms.txt');
    for (const { name } of groups.flatMap(({ operations }) => operations))
      expect(text).toContain(`POST /api/${name}\``);
    for (const title of guideTitles()) expect(text).toContain(`- ${title}\n`);
    const { BaseUrl } = testStack();
    const addresses = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => address);
    expect(addresses).toEqual([`${BaseUrl}/llms-full.txt`, `${BaseUrl}/openapi.json`]);
  });

  test('GET /llms-full.txt has every guide, with the address of this deployment, and every operation', async () => {
    const text = await read('/llms-full.txt');
    for (const title of guideTitles()) expect(text).toContain(`\n# ${title}\n`);
    for (const { name, title } of groups.flatMap(({ operations }) => operations))
      expect(text).toContain(`## ${title}\n\n\`POST /api/${name}\`\n`);
    expect(text).toContain(`curl ${testStack().BaseUrl}/api/contacts/locate`);
    expect(text).not.toMatch(/\]\((?!https:|#)/);
  });
});

describe('the coding of the documentation', () => {
  const CODED = ['br, *;q=0.5', 'deflate, x-gzip', 'gzip;q=0.1', 'gzip, deflate, br, zstd'];
  const PLAIN = [undefined, 'identity', 'br, gzip;q=0', 'br', 'gzip;q=0.0, *;q=0', '', 'gzipped'];

  test.each(['/docs', '/openapi.json', '/llms.txt', '/llms-full.txt'])(
    'of %s is gzip for those who accept it, and none for others, each with its own ETag',
    async (path) => {
      const plain = await Promise.all(PLAIN.map((accepted) => getExactly(path, { accepted })));
      const coded = await Promise.all(CODED.map((accepted) => getExactly(path, { accepted })));
      const [first, gzipped] = [plain[0]?.etag ?? '', coded[0]?.etag ?? ''];
      expect(first).not.toBe(gzipped);
      for (const { bytes, ...answer } of coded) {
        expect(answer).toEqual({ status: 200, coding: 'gzip', vary: 'Accept-Encoding', etag: gzipped });
        expect(gunzipSync(bytes).equals(plain[0]?.bytes ?? Buffer.of())).toBe(true);
      }
      for (const { bytes, ...answer } of plain) {
        expect(answer).toEqual({ status: 200, coding: undefined, vary: 'Accept-Encoding', etag: first });
        expect(bytes.equals(plain[0]?.bytes ?? Buffer.of())).toBe(true);
      }
      expect(await getExactly(path, { known: first })).toMatchObject({ status: 304, etag: first });
      expect(await getExactly(path, { accepted: 'gzip', known: first })).toMatchObject({ status: 200, etag: gzipped });
      expect(await getExactly(path, { accepted: 'gzip', known: gzipped })).toMatchObject({ status: 304 });
    },
  );

  test('of a script is gzip, or 406', async () => {
    const html = await (await get('/docs')).text();
    const [script = ''] = [...html.matchAll(/src="([^"]+)"/g)].map(([, address]) => address ?? '');
    for (const accepted of CODED)
      expect(await getExactly(script, { accepted })).toMatchObject({ status: 200, coding: 'gzip' });
    for (const accepted of PLAIN) {
      const { status, vary, bytes } = await getExactly(script, { accepted });
      expect([status, vary, JSON.parse(bytes.toString())]).toEqual([
        406,
        'Accept-Encoding',
        {
          ResultCode: 406,
          Code: 'compressed_only',
          Message: 'This script is sent compressed only. Accept gzip: curl --compressed.',
        },
      ]);
    }
  });
});

describe('GET /docs', () => {
  test('is a page that runs only scripts of our own files and calls only our own origin', async () => {
    const answer = await get('/docs');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = (answer.headers.get('content-security-policy') ?? '').split('; ');
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]));
    expect(policy).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const html = await answer.text();
    expect(html).not.toMatch(/https?:|<script>|\son\w+=/);
    expect([...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)).toEqual([
      'data:,',
      expect.stringMatching(/^\/docs\/scalar\.[0-9a-f]{16}\.js$/),
      expect.stringMatching(/^\/docs\/guides\.[0-9a-f]{16}\.js$/),
      expect.stringMatching(/^\/docs\/start\.[0-9a-f]{16}\.js$/),
    ]);
  });

  test('has scripts that browsers keep for good', async () => {
    const html = await (await get('/docs')).text();
    const scripts = [...html.matchAll(/src="([^"]+)"/g)].map(([, address]) => address ?? '');
    const texts: string[] = [];
    for (const script of scripts) {
      const answer = await get(script);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      texts.push(await answer.text());
    }
    const [scalar, guides, start] = texts;
    expect(scalar).toContain('createApiReference');
    expect(scalar).not.toMatch(/YOUR_SECRET_TOKEN|QUxMIFlPVVIg/);
    expect(guides).toContain('[Find a time and book it](#description/booking)');
    expect(start).toContain('createApiReference');
  });

  test.each([
    `scalar.${'0'.repeat(16)}.js`,
    'openapi.json',
    'index.html.gz',
    '..%2Findex.js',
    '%2e%2e%2findex.js',
    'a'.repeat(8_000),
  ])('has no file %.30s', async (file) => {
    const answer = await get(`/docs/${file}`);
    expect(answer.status).toBe(404);
    expect((await answer.text()).length).toBeLessThan(300);
  });

  test('may call operations from its own origin; pages of other origins may not', async () => {
    const { key } = await testAccount();
    const { BaseUrl } = testStack();
    const statusFrom = async (origin: string) => {
      const headers = { origin, 'x-api-key': key };
      return (await fetch(`${BaseUrl}/api/test/echo`, { method: 'POST', headers, body: '{}' })).status;
    };
    expect([await statusFrom(BaseUrl), await statusFrom('https://elsewhere.example')]).toEqual([200, 403]);
  });
});
