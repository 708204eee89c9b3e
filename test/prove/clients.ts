import { deepEqual, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '../../infra/client/build.ts';
import { apiDocument } from '../../infra/openapi.ts';
import { freePort } from '../../infra/local/ports.ts';
import { startStack } from '../../infra/local/stack.ts';
import type { FieldServiceClass } from '../../lib/client/field-service.ts';
import { SEEN, tour } from '../support/client-tour.ts';
import { codeBlocks } from '../support/documents/pages.ts';
import { launchBrowser } from './browser.ts';

const run = promisify(execFile);
type Environment = Readonly<Record<string, string | undefined>>;

const GENERATOR = { artifact: 'org.openapitools:openapi-generator-cli', version: '7.10.0' };
const BUILD = resolve('infra/client/build.ts');
const PROGRAMS = join(import.meta.dirname, 'clients');
const CACHE = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'field-service-api');
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';

/** A client: how it is generated, and what compiles and runs a program of five calls with it in its folder. */
interface Client {
  readonly generate: readonly string[];
  /** Files beside this one, and where they go in the generated folder. */
  readonly programs: Readonly<Record<string, string>>;
  readonly run: readonly (readonly [program: string, ...parameters: string[]])[];
}

const java = (library: string, connection: string): Client => ({
  generate: ['-g', 'java', '--library', library],
  programs: { 'Client.java': 'src/main/java/Client.java', [connection]: 'src/main/java/Connection.java' },
  run: [
    ['mvn', '-q', '-B', 'compile', 'dependency:copy-dependencies', '-DoutputDirectory=lib'],
    ['java', '-cp', 'target/classes:lib/*', 'Client'],
  ],
});

const clients: Readonly<Record<string, Client>> = {
  typescript: {
    generate: ['-g', 'typescript-fetch'],
    programs: { 'client.ts.txt': 'client.ts' },
    run: [
      [
        resolve('node_modules/.bin/tsc'),
        ...'--outDir built --module nodenext --target es2022 --lib es2022,dom'.split(' '),
        '--types',
        'node',
        '--typeRoots',
        resolve('node_modules/@types'),
        '--skipLibCheck',
        'client.ts',
      ],
      [process.execPath, 'built/client.js'],
    ],
  },
  python: {
    generate: ['-g', 'python', '--package-name', 'field_service'],
    programs: { 'client.py': 'client.py' },
    run: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '-q', '-r', 'requirements.txt'],
      ['venv/bin/python', 'client.py'],
    ],
  },
  go: {
    generate: '-g go --git-host example.org --git-user-id fs --git-repo-id client --package-name client'.split(' '),
    programs: { 'client.go': 'program/main.go' },
    run: [
      ['go', 'mod', 'tidy'],
      ['go', 'run', './program'],
    ],
  },
  'java okhttp-gson': java('okhttp-gson', 'OkhttpConnection.java'),
  'java native': java('native', 'NativeConnection.java'),
};

/** The generator, fetched once from Maven Central. */
async function loadGenerator(): Promise<string> {
  const file = join(CACHE, `openapi-generator-cli-${GENERATOR.version}.jar`);
  const isFetched = await access(file).then(
    () => true,
    () => false,
  );
  if (isFetched) return file;
  await mkdir(CACHE, { recursive: true });
  const artifact = `-Dartifact=${GENERATOR.artifact}:${GENERATOR.version}`;
  await run('mvn', ['-q', '-B', COPY, artifact, `-DoutputDirectory=${CACHE}`]);
  return file;
}

/** A service and an agent who does it at all times, so that each client finds a time. Returns the service's id. */
async function prepare(baseUrl: string, key: string): Promise<number> {
  const call = async (operation: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const response = await fetch(`${baseUrl}/api/${operation}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${operation}: ${String(answer['Message'])}`);
    return answer;
  };
  const TimeSlots = [0, 1, 2, 3, 4, 5, 6].map((DayOfWeek) => ({ DayOfWeek, StartMinute: 0, Minutes: 1_440 }));
  await call('organizations/update', {
    OrganizationId: 1,
    StartAddress: { Zip: '62701' },
    ServiceAgents: [{ Name: 'Ann', Email: 'ann@example.com', TimeSlots }],
    Services: [{ Name: 'Generated client', BasePrice: 50, Duration: 60 }],
  });
  const { Matches } = (await call('services/all', {})) as { Matches: { Id: number; Name: string }[] };
  const service = Matches.find(({ Name }) => Name === 'Generated client');
  if (!service) throw new Error('organizations/update made no service.');
  return service.Id;
}

/**
 * The stack behind a line that loses the answer to the first note and is busy for the second attempt at it: a client
 * that repeats it with its Idempotency-Key adds one note.
 */
async function startPoorLine(baseUrl: string): Promise<{ address: string; stop: () => void }> {
  let notes = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    const attempt = request.url?.endsWith('/addnote') ? ++notes : 0;
    if (attempt === 2) return void response.writeHead(503, { 'retry-after': '1' }).end('{}');
    const { host: _, connection: __, 'transfer-encoding': ___, 'accept-encoding': ____, ...headers } = request.headers;
    const answer = await fetch(`${baseUrl}${request.url}`, { method: 'POST', headers: headers as never, body });
    const text = await answer.text();
    if (attempt === 1) return void request.socket.destroy();
    const kept = ['x-list', 'x-next-skip'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value ? [[name, value]] : [];
    });
    response.writeHead(answer.status, Object.fromEntries(kept)).end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, stop: () => server.close() && server.closeAllConnections() };
}

/** The examples of the package's README, for the stack of the proof and its service. */
const readmeProgram = (readme: string, { STACK_URL = '', API_KEY = '' }: Environment): string =>
  codeBlocks(readme)
    .map(({ text }) => text)
    .join('\n')
    .replace('http://127.0.0.1:4000', STACK_URL)
    .replace('os.environ["FS_KEY"]', JSON.stringify(API_KEY))
    .replaceAll('Window Cleaning', 'Generated client')
    .replace('zip_="23294"', 'zip_="62701"');

/** What a program prints that uses the Python package of `npm run client -- --python`, on a poor line. */
async function tryPythonPackage(folder: string, environment: Environment): Promise<string> {
  const line = await startPoorLine(environment['BASE_URL'] ?? '');
  try {
    await run(process.execPath, [BUILD, '--python', '--out', folder], { maxBuffer: 50_000_000 });
    await copyFile(join(PROGRAMS, 'package.py'), join(folder, 'program.py'));
    const addresses = { BASE_URL: line.address, STACK_URL: environment['BASE_URL'] };
    const options = { cwd: folder, env: { ...process.env, ...environment, ...addresses } };
    await run('python3', ['-m', 'venv', 'venv'], options);
    await run('venv/bin/pip', ['install', '-q', 'httpx', 'attrs', 'python-dateutil', 'mypy'], options);
    await run('venv/bin/mypy', ['--ignore-missing-imports', 'program.py'], options);
    const printed = (await run('venv/bin/python', ['program.py'], options)).stdout.trim();
    await run(
      'venv/bin/python',
      ['-c', readmeProgram(await readFile(join(folder, 'README.md'), 'utf8'), options.env)],
      options,
    );
    return printed;
  } finally {
    line.stop();
  }
}

/** What the client's program printed. Throws with the output of the first step that fails. */
async function tryClient(client: Client, jar: string, document: string, folder: string, environment: Environment) {
  const withoutMore = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const options = ['-i', document, '-o', folder, '--global-property', withoutMore];
  await run('java', ['-jar', jar, 'generate', ...client.generate, ...options], { maxBuffer: 50_000_000 });
  for (const [program, place] of Object.entries(client.programs)) {
    await mkdir(join(folder, place, '..'), { recursive: true });
    await copyFile(join(PROGRAMS, program), join(folder, place));
  }
  let output = '';
  for (const [program, ...parameters] of client.run) {
    const options = { cwd: folder, env: { ...process.env, ...environment }, maxBuffer: 50_000_000 };
    ({ stdout: output } = await run(program, parameters, options));
  }
  return output.trim();
}

const PAGE = `<!doctype html><meta charset="utf-8"><title>Client</title>`;

/** What a page of another origin does besides the tour: the rows of a download and a large file are in the bucket. */
async function useBucket(client: { FieldService: FieldServiceClass }, url: string, key: string): Promise<object> {
  const fs = new client.FieldService({ url, key });
  const names = [];
  for await (const { Name } of fs.rows('contacts', {}, { scope: 'account' })) names.push(Name);
  const Matches = [{ Name: 'Large', Email: 'large@example.com' }];
  const added = (await fs.call('contacts/addupdate', { Matches })) as { Matches: { Id: number }[] };
  // More than one call takes.
  const large = new File([new Uint8Array(5_000_000)], 'large.bin', { type: 'application/octet-stream' });
  await fs.upload({ ContactId: added.Matches[0]?.Id ?? 0 }, [large]);
  return { hasRows: names.includes('Tour 1') };
}

/**
 * A page and a worker of it in Chromium use the built package, with the API at another origin that allows theirs; a
 * page of a third origin gets nothing. Returns the version of the browser.
 */
async function tryBrowser(folder: string, { BASE_URL = '', API_KEY = '', PAGE_PORT }: Environment): Promise<string> {
  const browser = await launchBrowser('clients');
  if (!browser) throw new Error('There is no browser.');
  await buildClient(folder);
  const at = `await import('/client.js'), ${JSON.stringify(BASE_URL)}, ${JSON.stringify(API_KEY)}`;
  const run = `const tour = ${tour.toString()};\nconst seen = async () => tour(${at});\n`;
  const files: Readonly<Record<string, string>> = {
    '/': PAGE,
    '/client.js': await readFile(join(folder, 'index.js'), 'utf8'),
    '/page.js': `${run}export { seen };`,
    '/bucket.js': `const useBucket = ${useBucket.toString()};\nexport const used = async () => useBucket(${at});`,
    '/worker.js': `${run}postMessage(await seen().catch(String));`,
  };
  const server = createServer((request, response) => {
    const file = files[request.url ?? '/'];
    const type = request.url?.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type }).end(file);
  });
  await new Promise<void>((done) => server.listen(Number(PAGE_PORT), '127.0.0.1', done));
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${PAGE_PORT}/`);
    const inPage = await page.evaluate(`import('/page.js').then(({ seen }) => seen())`);
    const inWorker = await page.evaluate(
      `new Promise((done, fail) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => done(data);
        worker.onerror = ({ message }) => fail(new Error(message));
      })`,
    );
    for (const seen of [inPage, inWorker]) deepEqual(seen, SEEN);
    deepEqual(await page.evaluate(`import('/bucket.js').then(({ used }) => used())`), { hasRows: true });
    await page.goto(`http://localhost:${PAGE_PORT}/`);
    const refused = `new FieldService({ url: ${JSON.stringify(BASE_URL)}, key: 'fsk_test_x', retryFor: 0 })`;
    const message = await page.evaluate(
      `import('/client.js').then(({ FieldService }) => ${refused}.call('test/echo', {})).catch(({ message }) => message)`,
    );
    match(String(message), new RegExp(`the API does not allow pages of http://localhost:${PAGE_PORT}`));
    return `a page and a worker of Chromium ${browser.version()} call another origin, list, download, upload and stop`;
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}

/** Of our own, beside those of openapi-generator. */
const ownClients: Readonly<Record<string, (folder: string, environment: Environment) => Promise<string>>> = {
  'python package': tryPythonPackage,
  browser: tryBrowser,
};

/**
 * Clients that openapi-generator makes of the document compile, and make five calls of the local stack: add a contact,
 * find it, search times, book one, and store a file.
 */
export async function clientsProof(options: readonly string[]): Promise<boolean> {
  const names = options.length ? options : [...Object.keys(clients), ...Object.keys(ownClients)];
  const folder = await mkdtemp(join(tmpdir(), 'clients-'));
  const pagePort = await freePort();
  const corsOrigins = [`http://127.0.0.1:${pagePort}`];
  const stack = await startStack({ folder: join(folder, 'data'), port: 0, quiet: true, corsOrigins });
  let passed = true;
  try {
    const document = join(folder, 'openapi.json');
    await writeFile(document, JSON.stringify(apiDocument({ baseUrl: stack.baseUrl })));
    const service = await prepare(stack.baseUrl, stack.local.ApiKey);
    const environment = {
      BASE_URL: stack.baseUrl,
      API_KEY: stack.local.ApiKey,
      SERVICE_ID: String(service),
      PAGE_PORT: String(pagePort),
    };
    for (const name of names) {
      const [client, own] = [clients[name], ownClients[name]];
      if (!client && !own)
        throw new Error(
          `There is no client ${name}; there are ${[...Object.keys(clients), ...Object.keys(ownClients)].join(', ')}.`,
        );
      const made = join(folder, name.replaceAll(' ', '-'));
      const attempt = client
        ? tryClient(client, await loadGenerator(), document, made, environment)
        : Promise.resolve(own?.(made, environment));
      const result = await attempt.catch((error: unknown) => {
        passed = false;
        const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
        return `failed: ${message.split('\n', 1)[0]}\n${`${stdout}${stderr}`.slice(0, 4_000)}`;
      });
      process.stdout.write(`${name}: ${result}\n`);
    }
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return passed;
}
