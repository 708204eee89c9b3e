import type { Contact } from '../../lib/entities/contacts.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { groups } from '../../functions/index.ts';
import { formatKey } from '../../lib/store/requests/api-keys.ts';
import { bundleFile, entries, makeBundles } from '../../infra/bundle/bundle.ts';
import { testAccount, testStack } from '../support/stack/stack.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
await makeBundles(folder);

/** An event of API Gateway. */
const eventFor = (path: string, { method = 'POST', headers = {}, pathParameters = {}, body = '{}' } = {}) => ({
  version: '2.0',
  rawPath: path,
  headers,
  requestContext: { requestId: 'first', domainName: 'api.example.com', http: { method, path, sourceIp: '192.0.2.1' } },
  pathParameters,
  body,
  isBase64Encoded: false,
});

/** A call that gets as far as asking the table. */
function firstCallOf(name: string): object {
  if (name === 'workers/first-call')
    return { RequestType: 'Create', ResponseURL: 'http://127.0.0.1:1', ResourceProperties: { Versions: {} } };
  if (name.startsWith('workers/')) return { Records: [] };
  if (name === 'pages') {
    const pathParameters = { page: 'visit', handle: `a-1-0-zzz-${'s'.repeat(22)}` };
    return eventFor('/c/visit/handle', { method: 'GET', pathParameters });
  }
  if (name === 'office') {
    const session = formatKey('a'.repeat(12), 'b'.repeat(32), { isTest: true });
    return { ...eventFor('/office', { method: 'GET' }), rawQueryString: '', cookies: [`office=${session}`] };
  }
  if (name === 'leads') {
    const pathParameters = { token: `a-1-${'s'.repeat(22)}` };
    return eventFor('/api/leads/token', { method: 'POST', pathParameters });
  }
  const [first] = groups.find((group) => group.name === name)?.operations ?? [];
  return eventFor(`/api/${first?.name ?? `${name}/unknown`}`, {
    method: ['files', 'docs'].includes(name) ? 'GET' : 'POST',
    headers: { 'x-api-key': formatKey('a'.repeat(12), 'b'.repeat(32), { isTest: true }) },
    pathParameters: { operation: first?.operation ?? 'unknown' },
  });
}

const environment = {
  PATH: process.env['PATH'],
  TABLE_NAME: 'table',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
  LOG_LEVEL: 'silent',
  // Nobody listens there: the SDK loads and tries all it needs for a request.
  AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
  AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://127.0.0.1:1',
};

/** Loads a bundle in a process of its own and calls it once. */
async function call(
  file: string,
  event: object,
  settings: Readonly<Record<string, string>> = {},
  milliseconds = 6_000,
): Promise<unknown> {
  const script = `
    require(${JSON.stringify(file)})
      .handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => ${milliseconds} })
      .catch((error) => ({ error: error.message }))
      .then((answer) => console.log(JSON.stringify(answer)));`;
  const env = { ...environment, LAMBDA_TASK_ROOT: dirname(file), ...settings };
  const { stdout } = await run(process.execPath, ['-e', script], { env });
  return JSON.parse(stdout);
}

/** Calls a bundle on the table of the stack. Its folder is all it has. */
async function callAlone(name: string, event: object): Promise<{ statusCode: number; body: string }> {
  const alone = mkdtempSync(join(tmpdir(), 'bundle-'));
  cpSync(join(folder, name), alone, { recursive: true });
  const { DynamoDBEndpoint, TableName, Region } = testStack();
  const answer = await call(join(alone, 'index.js'), event, {
    TABLE_NAME: TableName,
    AWS_REGION: Region,
    AWS_ENDPOINT_URL_DYNAMODB: DynamoDBEndpoint,
  });
  return answer as { statusCode: number; body: string };
}

/** What each function answers without its table. */
function answerOf(name: string): object {
  if (name === 'workers/proposal-expiry') return { error: 'proposal-expiry: 0 failures, and work is left.' };
  if (name === 'workers/event-backlog') return { error: 'event-backlog: 1 failures, and work is left.' };
  if (name === 'workers/canary') return { error: 'The table is throttled, away or did not answer in time.' };
  // Search entries and rules: one that fails does not stop the other.
  if (name === 'workers/retention') return { error: 'retention: 2 failures.' };
  if (name === 'workers/delayed-messages')
    return { error: expect.stringMatching(/^delayed-messages: \d failures, and work is left\.$/) };
  if (name === 'workers/origin-check') return { error: 'connect ECONNREFUSED 127.0.0.1:1' };
  // Nobody takes its answer.
  if (name === 'workers/first-call') return { error: 'fetch failed' };
  if (name.startsWith('workers/')) return { batchItemFailures: [] };
  // These two ask no table.
  return { statusCode: name === 'fallback' || name === 'docs' ? 404 : 503 };
}

describe.concurrent('a bundle', () => {
  it.each(Object.keys(entries))('%s loads and answers', async (name) => {
    const milliseconds = name === 'workers/first-call' ? 60_000 : undefined;
    const answer = await call(bundleFile(folder, name), firstCallOf(name), {}, milliseconds);
    expect(answer).toMatchObject(answerOf(name));
  });
});

describe('a bundle that lies by itself', () => {
  it('reads the postal codes', async () => {
    const account = await testAccount();
    await account.call('organizations/update', { OrganizationId: 1, StartAddress: { Zip: '60601' }, Radius: 1 });
    const { statusCode, body } = await callAlone(
      'settings',
      eventFor('/api/settings/radiuspostalcodes', {
        headers: { 'x-api-key': account.key },
        pathParameters: { operation: 'radiuspostalcodes' },
      }),
    );
    const { PostalCodes } = JSON.parse(body) as { PostalCodes: string[] };
    expect([statusCode, PostalCodes.slice(0, 2)]).toEqual([200, ['60601', '60603']]);
  });

  it('makes the PDF of an invoice', async () => {
    const account = await testAccount();
    const { body: saved } = await account.call('contacts/addupdate', { Name: 'Ana Ruiz' });
    const { body } = await account.call('invoice/import', {
      Invoice: {
        ContactId: (saved['Matches'] as Contact[])[0]?.Id,
        Lines: [{ Description: 'Windows', Rate: 100, Qty: 2 }],
      },
    });
    const path = new URL((body['Invoice'] as Invoice).ClientPdfUrl).pathname;
    const [, , page = '', handle = '', file = ''] = path.split('/');
    const pathParameters = { page, handle, file };
    const answer = await callAlone('pages', eventFor(path, { method: 'GET', pathParameters }));
    expect(answer.statusCode).toBe(200);
    expect(Buffer.from(answer.body, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('answers a call of a tool, previews a change and describes an operation', async () => {
    const account = await testAccount();
    const key = await account.newKey({ assistant: 'write' });
    const callTool = async (name: string, args: object): Promise<string> => {
      const event = eventFor('/mcp', {
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        } as object,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      });
      return (await callAlone('mcp', event)).body;
    };
    expect(await callTool('find_contact', { name: 'nobody' })).toContain('No client matches.');
    expect(await callTool('save_task', { task: 'Call back' })).toMatch(/Nothing is changed yet.*confirm c-/);
    expect(await callTool('describe_operation', { operation: 'task/create' })).toContain('Description (required)');
  });
});

describe('the files of the documentation page', () => {
  const assets = join(folder, 'docs/assets');
  const files = readdirSync(assets);

  it('lie beside the bundle, compressed, and take at most 1.6 MB', () => {
    expect(files.map((name) => name.replace(/[0-9a-f]{16}/, '<hash>'))).toEqual([
      'guides.<hash>.js.gz',
      'index.html.gz',
      'llms-full.txt.gz',
      'llms.txt.gz',
      'openapi.json.gz',
      'scalar.<hash>.js.gz',
      'start.<hash>.js.gz',
    ]);
    expect(files.reduce((sum, name) => sum + statSync(join(assets, name)).size, 0)).toBeLessThan(1.6 * 1024 * 1024);
  });
});

describe('a stack in a log line', () => {
  it('names lines of the sources', async () => {
    const script = `require('./index.js').handler(${JSON.stringify(firstCallOf('contacts'))}, { getRemainingTimeInMillis: () => 20_000 })`;
    const { stdout } = await run(process.execPath, ['--enable-source-maps', '-e', script], {
      cwd: join(folder, 'contacts'),
      env: { ...environment, LOG_LEVEL: 'error' },
    });
    const { Causes } = JSON.parse(stdout) as { Causes: { At: string[] }[] };
    const [own = ''] = Causes[0]?.At ?? [];
    const [, path = '', line] = /\/(lib\/store\/dynamodb\/errors\.ts):(\d+):\d+/.exec(own) ?? [];
    expect(readFileSync(join(root, path), 'utf8').split('\n')[Number(line) - 1]).toContain('new StoreUnavailable(');
  });
});

describe('docs/sam-local.md', () => {
  it('makes an event and an environment by which a deployed bundle reaches the engine of the local stack', async () => {
    const page = readFileSync(join(root, 'docs/sam-local.md'), 'utf8');
    const [, script = ''] = /^node -e '\n([^']*)'$/m.exec(page) ?? [];
    const place = mkdtempSync(join(tmpdir(), 'sam-'));
    const { TableName, DynamoDBEndpoint } = testStack();
    mkdirSync(join(place, '.local'));
    const local = { ApiKey: (await testAccount()).key, TableName, DynamoDBEndpoint };
    writeFileSync(join(place, '.local/local.json'), JSON.stringify(local));
    await run(process.execPath, ['-e', script], { cwd: place });
    const read = (name: string) => JSON.parse(readFileSync(join(place, name), 'utf8')) as Record<string, object>;
    const { Parameters } = read('environment.json') as { Parameters: Record<string, string> };
    const endpoint = Parameters['AWS_ENDPOINT_URL_DYNAMODB']?.replace('host.docker.internal', '127.0.0.1') ?? '';
    const settings = { ...Parameters, AWS_ENDPOINT_URL_DYNAMODB: endpoint };
    expect(await call(bundleFile(folder, 'test'), read('event.json'), settings)).toMatchObject({ statusCode: 200 });
  });
});
