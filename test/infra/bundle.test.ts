import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { groups } from '../../functions/index.ts';
import { reachableGroups } from '../../functions/mcp/operations.ts';
import { entries, makeBundles } from '../../infra/bundle/bundle.ts';
import { traceSources } from '../../infra/bundle/trace.ts';
import { testAccount, testStack } from '../support/stack/stack.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
const bundles = await makeBundles(folder);

/** A call that gets as far as asking the table for its key. */
const eventFor = (name: string) => {
  const [first] = groups.find((group) => group.name === name)?.operations ?? [];
  const operation = first?.operation ?? 'unknown';
  const path = `/api/${first?.name ?? `${name}/${operation}`}`;
  return {
    version: '2.0',
    rawPath: path,
    headers: { 'x-api-key': `fs_${'a'.repeat(12)}_${'b'.repeat(32)}` },
    requestContext: {
      requestId: 'first',
      domainName: 'api.example.com',
      http: { method: ['files', 'docs', 'pages'].includes(name) ? 'GET' : 'POST', path, sourceIp: '192.0.2.1' },
    },
    pathParameters: name === 'pages' ? { page: 'visit', handle: `a-1-0-zzz-${'s'.repeat(22)}` } : { operation },
    body: '{}',
    isBase64Encoded: false,
    Records: [],
  };
};

/** The sources of the operations of a group. */
const operationSources = (name: string): string[] =>
  (groups.find((group) => group.name === name)?.operations ?? [])
    .map(({ operation }) => `functions/${name}/${operation}.ts`)
    .filter((path) => existsSync(join(root, path)));

const environment = {
  PATH: process.env['PATH'],
  TABLE_NAME: 'table',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
  LOG_LEVEL: 'silent',
  // Nobody listens there: the SDK loads and tries all it needs for a request, and the answer is 503.
  AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
  AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://127.0.0.1:1',
};

const jsonSchemas = new Map<string, boolean>();

/** Whether a source makes JSON schemas; each is read once, and is in many bundles. */
function makesJsonSchemas(path: string): boolean {
  const known = jsonSchemas.get(path) ?? readFileSync(join(root, path), 'utf8').includes('toJSONSchema');
  jsonSchemas.set(path, known);
  return known;
}

/** Counts in a process what is dear at the start of a function: Intl, which starts ICU, and schemas of zod. */
const countDearWork = `
  const made = [];
  for (const name of Object.getOwnPropertyNames(Intl)) {
    if (typeof Intl[name] !== 'function') continue;
    Intl[name] = new Proxy(Intl[name], {
      construct: (target, values) => (made.push('Intl.' + name), new target(...values)),
      apply: (target, self, values) => (made.push('Intl.' + name), target.apply(self, values)),
    });
  }
  const watch = (type, name, counts) => {
    const original = type.prototype[name];
    type.prototype[name] = function (...values) {
      if (counts(...values)) made.push(type.name + '.' + name);
      return original.apply(this, values);
    };
  };
  for (const type of [Number, BigInt, Date, Array]) watch(type, 'toLocaleString', () => true);
  watch(String, 'localeCompare', () => true);
  watch(String, 'normalize', () => true);
  // zod gives every schema this trait.
  watch(Set, 'add', (value) => value === '$ZodType');`;

/** Loads a bundle in a process of its own and calls it once. */
const call = async (file: string, event: object, settings: Readonly<Record<string, string>> = {}) => {
  const script = `${countDearWork}
    const { handler } = require(${JSON.stringify(file)});
    const atStart = [...made, ...process.moduleLoadList.filter((name) => name === 'NativeModule zlib')];
    handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 6_000 })
      .catch((error) => ({ error: error.message }))
      .then((answer) => {
        const undici = process.moduleLoadList.filter((name) => /undici/.test(name));
        const files = Object.keys(require.cache).map((path) => require('node:path').basename(path));
        console.log(JSON.stringify({ answer, undici, atStart, files }));
      });`;
  const { stdout } = await run(process.execPath, ['-e', script], { env: { ...environment, ...settings } });
  return JSON.parse(stdout) as { answer: object; undici: string[]; atStart: string[]; files: string[] };
};

/** What each kind of function answers to that call. */
const invokeBundle = (name: string) => {
  if (name === 'workers/proposal-expiry') return { error: 'proposal-expiry: 0 failures, and work is left.' };
  if (name === 'workers/event-backlog') return { error: 'event-backlog: 1 failures, and work is left.' };
  if (name === 'workers/canary') return { error: 'The table is throttled, away or did not answer in time.' };
  // Search entries and rules: one that fails does not stop the other.
  if (name === 'workers/retention') return { error: 'retention: 2 failures.' };
  if (name === 'workers/delayed-messages') return { error: 'delayed-messages: 8 failures, and work is left.' };
  if (name === 'workers/origin-check') return { error: 'connect ECONNREFUSED 127.0.0.1:1' };
  if (name.startsWith('workers/')) return { batchItemFailures: [] };
  // These two ask no table.
  return { statusCode: name === 'fallback' || name === 'docs' ? 404 : 503 };
};

// Each is mostly waiting for the table that is not there.
describe.concurrent.each(bundles)('$name', ({ name, file, bytes, budget, modules, modulesAtStart }) => {
  it('is within its budget', () => {
    expect(bytes).toBeGreaterThanOrEqual(statSync(file).size);
    expect(bytes).toBeLessThanOrEqual(budget);
  });

  it('has only ASCII characters at its start: with any other, each takes two bytes in memory', () => {
    expect(readFileSync(file, 'utf8').match(/[^\0-\x7f].{0,30}/g)).toBeNull();
  });

  it('loads and answers without undici, and before its first call makes no object of Intl, no schema, and loads no zlib', async () => {
    const { answer, undici, atStart } = await call(file, eventFor(name));
    expect(undici).toEqual([]);
    expect(atStart).toEqual(name === 'docs' ? ['NativeModule zlib'] : []);
    expect(answer).toMatchObject(invokeBundle(name));
  });

  it('loads every file beside it', async () => {
    const files = readdirSync(dirname(file)).filter((path) => path.endsWith('.js'));
    const script = `for (const one of ${JSON.stringify(files)}) require(${JSON.stringify(dirname(file))} + '/' + one);`;
    await expect(run(process.execPath, ['-e', script], { env: environment })).resolves.toMatchObject({ stderr: '' });
  });

  it('holds no way to find credentials but the environment, and no endpoint discovery or event streams', () => {
    const needless = /credential-provider-|token-providers|nested-clients|mnemonist|event-streams\/event/;
    expect([...modules.keys()].filter((path) => needless.test(path))).toEqual([]);
  });

  it('makes no JSON schemas: those are made before a deployment', () => {
    expect([...modules.keys()].filter((path) => /zod\/v4\/core\/.*json-schema/.test(path))).toEqual([]);
    const own = [...modules.keys()].filter((path) => /^(lib|functions)\//.test(path));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(makesJsonSchemas)).toEqual([]);
  });

  it('holds no format of a text that no schema has, unless a package makes schemas too', () => {
    expect(readFileSync(file, 'utf8').includes('"ZodJWT"')).toBe(name === 'mcp');
  });

  it('holds no text that only the OpenAPI document has', () => {
    const text = readFileSync(file, 'utf8');
    const operations = groups.find((group) => group.name === name)?.operations ?? [];
    const texts = operations.flatMap(({ title, summary, rules = [] }) => [title, summary, ...rules]);
    // A bundle may have a quote or a backtick of a text in another form.
    const starts = [...texts, 'Minutes after midnight in the'].map((each) => /^[\w ,]+/.exec(each)?.[0] ?? each);
    expect(starts.filter((start) => start.length > 20 && text.includes(start))).toEqual([]);
  });

  it('holds no other group, and that of assistants none at its start', () => {
    const groupsIn = (paths: Iterable<string>) =>
      new Set([...paths].flatMap((path) => /^functions\/([a-z]+)\//.exec(path)?.[1] ?? []));
    const others: Readonly<Record<string, readonly string[]>> = {
      uploads: ['contacts', 'proposal'],
      mcp: reachableGroups,
    };
    expect(groupsIn(modules.keys())).toEqual(new Set([name.split('/')[0], ...(others[name] ?? [])]));
    if (name === 'mcp') expect(groupsIn(modulesAtStart.keys())).toEqual(new Set(['mcp']));
  });
});

describe('a group of several operations', () => {
  const several = groups.filter(({ name, operations }) => operationSources(name).length > 1 && operations.length > 1);

  it.each(several.map(({ name }) => name))('%s has none of them at its start', (name) => {
    const { modules, modulesAtStart } = bundles.find((one) => one.name === name) as (typeof bundles)[number];
    expect(operationSources(name).filter((path) => !modules.has(path))).toEqual([]);
    expect(operationSources(name).filter((path) => modulesAtStart.has(path))).toEqual([]);
  });

  it('reads at its first call that operation and what several share', async () => {
    const { file } = bundles.find(({ name }) => name === 'contacts') as (typeof bundles)[number];
    const { files } = await call(file, eventFor('contacts'));
    expect(files.map((path) => path.replace(/-[A-Z0-9]{8}/, ''))).toEqual(['index.js', 'locate.js', 'common.js']);
  });
});

describe('what lies beside a bundle', () => {
  const reading = bundles.filter(({ beside }) => beside.includes('postal-data.json'));

  it('the postal codes and fonts are in no bundle, and lie beside those that ask for them', () => {
    expect(
      bundles.flatMap(({ modules }) => [...modules.keys()].filter((path) => /postal-data|fonts\.json/.test(path))),
    ).toEqual([]);
    expect(reading.map(({ name }) => name)).toContain('settings');
    for (const { file, beside, modules } of bundles) {
      const asked = [
        ...(modules.has('lib/domain/postal/localities.ts') ? ['lib/domain/postal/postal-data.json'] : []),
        ...(modules.has('lib/pages/pdf/document.ts') ? ['lib/pages/pdf/fonts.json'] : []),
      ];
      expect(beside).toEqual(asked.map((path) => basename(path)));
      for (const path of asked)
        expect(readFileSync(join(dirname(file), basename(path)))).toEqual(readFileSync(join(root, path)));
    }
  });

  it('the postal codes are read there by a bundle that lies by itself', async () => {
    const account = await testAccount();
    await account.call('organizations/update', { OrganizationId: 1, StartAddress: { Zip: '60601' }, Radius: 1 });
    const { DynamoDBEndpoint, TableName, Region } = testStack();
    const alone = mkdtempSync(join(tmpdir(), 'bundle-'));
    cpSync(join(folder, 'settings'), alone, { recursive: true });
    const event = {
      ...eventFor('settings'),
      headers: { 'x-api-key': account.key },
      pathParameters: { operation: 'radiuspostalcodes' },
    };
    const { answer } = await call(join(alone, 'index.js'), event, {
      TABLE_NAME: TableName,
      AWS_REGION: Region,
      AWS_ENDPOINT_URL_DYNAMODB: DynamoDBEndpoint,
    });
    const { statusCode, body } = answer as { statusCode: number; body: string };
    expect([statusCode, (JSON.parse(body) as { PostalCodes: string[] }).PostalCodes.slice(0, 2)]).toEqual([
      200,
      ['60601', '60603'],
    ]);
  });
});

describe('the function of assistants', () => {
  it('answers a call of a tool, previews a change and describes an operation as a bundle that lies by itself', async () => {
    const account = await testAccount();
    const key = await account.newKey({ assistant: 'write' });
    const { DynamoDBEndpoint, TableName, Region } = testStack();
    const alone = mkdtempSync(join(tmpdir(), 'bundle-'));
    cpSync(join(folder, 'mcp'), alone, { recursive: true });
    const callTool = async (name: string, args: object): Promise<string> => {
      const event = {
        ...eventFor('mcp'),
        rawPath: '/mcp',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      };
      const { answer } = await call(join(alone, 'index.js'), event, {
        TABLE_NAME: TableName,
        AWS_REGION: Region,
        AWS_ENDPOINT_URL_DYNAMODB: DynamoDBEndpoint,
        LAMBDA_TASK_ROOT: alone,
      });
      return (answer as { body: string }).body;
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

describe('a stack frame in a log line', () => {
  /** The log line of a call with a key, to a table that does not answer. */
  const logLine = async (): Promise<string> => {
    const script = `require('./index.js').handler(${JSON.stringify(eventFor('contacts'))}, { getRemainingTimeInMillis: () => 20_000 })`;
    const cwd = join(folder, 'contacts');
    const env = { ...environment, LOG_LEVEL: 'error', LAMBDA_TASK_ROOT: cwd };
    return (await run(process.execPath, ['-e', script], { cwd, env })).stdout;
  };

  it('leads to a line of the sources by the map of its build, which is not deployed', async () => {
    const line = await logLine();
    expect(line).toMatch(/index\.js:\d+:\d+/);
    const { text, traced, unknown } = traceSources(line, { folder });
    expect([traced > 3, unknown]).toEqual([true, []]);
    const causes = (JSON.parse(text) as { Causes: { At: string[] }[] }).Causes;
    const [own] = causes[0]?.At ?? [];
    const [, path = '', at = ''] = /(lib\/store\/dynamodb\/errors\.ts):(\d+):\d+/.exec(own ?? '') ?? [];
    expect(readFileSync(join(root, path), 'utf8').split('\n')[Number(at) - 1]).toContain('new StoreUnavailable(');
    expect(readdirSync(join(folder, 'contacts')).filter((name) => name.endsWith('.map'))).toEqual([]);
    expect(readFileSync(join(folder, 'contacts/index.js'), 'utf8')).not.toContain('sourceMappingURL');
  });

  it('of another build stays as it is, and the build is named; a bare stack needs the name of its bundle', async () => {
    const line = await logLine();
    const other = line.replace(/"Bundle":"[0-9a-f]{8}/, '"Bundle":"00000000');
    expect(traceSources(other, { folder })).toMatchObject({
      text: other,
      traced: 0,
      unknown: [/[0-9a-f]{64}/.exec(other)?.[0]],
    });
    const bare = line.replace(/"Bundle":"\w+"/, '"Other":0');
    expect(traceSources(bare, { folder })).toMatchObject({ text: bare, traced: 0, unknown: [] });
    expect(traceSources(bare, { folder, bundle: 'contacts' }).text).toContain('lib/store/dynamodb/errors.ts:');
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
    const file = bundles.find(({ name }) => name === 'test')?.file ?? '';
    const { answer } = await call(file, read('event.json'), {
      ...Parameters,
      AWS_ENDPOINT_URL_DYNAMODB:
        Parameters['AWS_ENDPOINT_URL_DYNAMODB']?.replace('host.docker.internal', '127.0.0.1') ?? '',
    });
    expect(answer).toMatchObject({ statusCode: 200 });
  });
});

describe('bundles', () => {
  it('have the same bytes in every build: an unchanged function is not deployed', async () => {
    // One function of each kind, without the others beside which it was bundled before.
    const kinds = ['contacts', 'docs', 'fallback', 'proposal', 'workers/callbacks', 'workers/event-queue'];
    const sources = Object.fromEntries(kinds.map((name) => [name, entries[name] ?? '']));
    const again = await makeBundles(mkdtempSync(join(tmpdir(), 'bundles-')), sources);
    // As digests: comparing megabytes byte by byte takes longer than bundling.
    const digest = ({ name, file }: (typeof bundles)[number]) => [
      name,
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ];
    const first = bundles.filter(({ name }) => kinds.includes(name));
    expect(new Map(again.map(digest) as [string, string][])).toEqual(new Map(first.map(digest) as [string, string][]));
  });
});
