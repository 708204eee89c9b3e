import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LocalJson } from '../../infra/local/data-folder.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { runTool, withEnvironment } from '../support/cli.ts';
import { startFaultyEngine } from '../support/faults/faulty-engine.ts';
import { type StackProcess, enginesIn, processesWith, refused, running, until } from '../support/stack/process.ts';

/** `npm run prove -- starts`: each start takes a second or two of a processor. */
const EVERY_START = process.env['EVERY_START'] !== undefined;

let parent: string;
let folder: string;
const started: StackProcess[] = [];

function makeFolder(): void {
  parent = mkdtempSync(join(tmpdir(), 'local-'));
  folder = join(parent, 'data');
}

async function endAll(): Promise<void> {
  await Promise.all(started.splice(0).map((stack) => stack.end('SIGKILL')));
  await until(() => processesWith(folder).length === 0);
  rmSync(parent, { recursive: true });
}

async function start(
  environment: Readonly<Record<string, string>> = {},
  command?: readonly [string, ...string[]],
): Promise<StackProcess> {
  const stack = await running({ FS_DATA: folder, ...environment }, command);
  started.push(stack);
  return stack;
}

/** A machine for which there is no engine: another processor, and an empty path. */
const withoutEngine = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent("Object.defineProperty(process, 'arch', { value: 'mips' })")}`,
  PATH: '',
};

interface Answer {
  ResultCode: number;
  Matches?: { Id: number; Email: string }[];
}

async function call({ BaseUrl, ApiKey }: LocalJson, operation: string, body: unknown): Promise<Answer> {
  const headers = { 'x-api-key': ApiKey, 'content-type': 'application/json' };
  return (await (
    await fetch(`${BaseUrl}/api/${operation}`, { method: 'POST', headers, body: JSON.stringify(body) })
  ).json()) as Answer;
}

const email = (number: number) => `person${number}@example.com`;
const add = (local: LocalJson, number: number) =>
  call(local, 'contacts/addupdate', { Name: `Person ${number}`, Email: email(number) });
const found = async (local: LocalJson, number: number) =>
  (await call(local, 'contacts/locate', { EmailSearch: email(number) })).Matches?.map(({ Email }) => Email);
/** A line to a DynamoDB that remembers who signed the requests since the last look, as key and region. */
async function startRecordingLine(endpoint: string) {
  const signers = new Set<string>();
  const line = createHttpServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const [, key, region] = /Credential=(\w+)\/\d+\/([\w-]+)\//.exec(headers.authorization ?? '') ?? [];
    signers.add(`${key}/${region}`);
    const outgoing = request(endpoint, { method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((done) => line.listen(0, '127.0.0.1', done));
  return {
    endpoint: `http://127.0.0.1:${(line.address() as { port: number }).port}`,
    signers() {
      const found = [...signers];
      signers.clear();
      return found;
    },
    stop() {
      line.closeAllConnections();
      line.close();
    },
  };
}

const sentence = /^[^\n]+ [^\n]*\.\n$/;

/** Ends a stack by a signal, with exit code 0 and no process left. */
async function endCleanly(stack: StackProcess, signal: NodeJS.Signals): Promise<void> {
  expect(enginesIn(folder)).toHaveLength(1);
  const { code, errors } = await stack.end(signal);
  expect([signal, code, errors]).toEqual([signal, 0, '']);
  expect(stack.output).toMatch(/\nStopping\. The data is kept for the next start\.\n$/);
  await until(() => processesWith(folder).length === 0);
}

describe('a started stack', () => {
  let stack: StackProcess;
  beforeAll(async () => {
    makeFolder();
    stack = await start();
  });
  afterAll(endAll);

  test('says where it serves, and leaves what is needed to use it in a file for its owner alone', async () => {
    const [before = ''] = stack.output.split('Ready: ');
    expect(before).toBe(`Starting DynamoDB and the API, with the data in ${folder} …\n`);
    expect(stack.output).toMatch(/^Ready: http:\/\/127\.0\.0\.1:\d+$/m);
    expect(stack.output).toContain('local.json');
    expect(stack.output).not.toContain(stack.local.ApiKey);
    expect(stack.local).toEqual({
      BaseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      ApiKey: expect.stringMatching(/^fsk_test_/),
      AccountId: expect.any(String),
      OrganizationId: 1,
      DynamoDBEndpoint: expect.any(String),
      AwsEndpoint: expect.any(String),
      StripeApi: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      MessagesEndpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      OfficeIssuer: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      TableName: expect.any(String),
      Bucket: expect.any(String),
      Region: expect.any(String),
    });
    expect(statSync(join(folder, 'local.json')).mode & 0o777).toBe(0o600);
    expect(stack.output).toContain(`${stack.local.BaseUrl}/inbox `);
    expect(await (await fetch(`${stack.local.BaseUrl}/inbox.json`)).json()).toEqual([]);
    expect(await call(stack.local, 'test/echo', {})).toMatchObject({ ResultCode: 0 });
    await until(() => /^\d\d:\d\d:\d\d {2}test\/echo +200 +\d+ ms$/m.test(stack.output));
    expect(stack.output).not.toContain(stack.local.ApiKey);
  });

  test('shows a change to datasubscriber/fetch', async () => {
    await add(stack.local, 11);
    await until(async () => JSON.stringify(await call(stack.local, 'datasubscriber/fetch', {})).includes(email(11)));
  });

  test('goes on where another is started in its folder, which says why it cannot in one line', async () => {
    const { code, errors } = await refused({ FS_DATA: folder });
    expect([code, errors]).toEqual([
      1,
      `The data folder ${folder} is in use by another stack. Stop that stack, or set FS_DATA to another folder.\n`,
    ]);
    expect(await call(stack.local, 'test/echo', {})).toMatchObject({ ResultCode: 0 });
  });

  test.runIf(EVERY_START)(
    'is what npm start and fs use instead of an engine, each with the credentials of its environment, if DYNAMODB_ENDPOINT names it',
    async () => {
      const line = await startRecordingLine(stack.local.DynamoDBEndpoint);
      const other = join(parent, 'other');
      const credentials = { AWS_ACCESS_KEY_ID: 'SOMEKEY', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-central-1' };
      const environment = { FS_DATA: other, DYNAMODB_ENDPOINT: line.endpoint, ...credentials };
      const { local } = await start(environment);
      expect([local.DynamoDBEndpoint, local.Region]).toEqual([line.endpoint, 'eu-central-1']);
      expect(enginesIn(other)).toEqual([]);
      await add(local, 1);
      expect(await found(local, 1)).toEqual([email(1)]);
      const signer = 'SOMEKEY/eu-central-1';
      expect(line.signers()).toEqual([signer]);

      // By the address in its environment, and by that of local.json.
      for (const own of [environment, { FS_DATA: other, ...credentials, AWS_REGION: 'us-west-2' }]) {
        const printed = await withEnvironment(own, () => runTool(['account', 'show', local.AccountId, '--json']));
        expect([printed.code, printed.stdout]).toEqual([0, expect.stringContaining(local.AccountId) as string]);
        expect(line.signers()).toEqual([signer]);
      }
      // The engine of another stack needs no real credentials, and gets none.
      const embedded = await withEnvironment({ FS_DATA: folder, ...credentials, DYNAMODB_ENDPOINT: '' }, () =>
        runTool(['account', 'show', stack.local.AccountId, '--json']),
      );
      expect([embedded.code, process.env['AWS_ACCESS_KEY_ID']]).toEqual([0, 'local']);
      line.stop();
    },
  );
});

describe('a start', () => {
  beforeEach(makeFolder);
  afterEach(endAll);

  test.runIf(EVERY_START)('goes on with its data where the engine is too busy to answer for seconds', async () => {
    const { local: engine } = await start();
    const line = await startFaultyEngine(engine.DynamoDBEndpoint);
    const credentials = { AWS_ACCESS_KEY_ID: 'SOMEKEY', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-west-1' };
    const environment = { FS_DATA: join(parent, 'earlier'), DYNAMODB_ENDPOINT: line.endpoint, ...credentials };
    const earlier = await start(environment);
    await add(earlier.local, 1);
    await earlier.end('SIGTERM');
    let busyUntil: number | undefined;
    line.fail((operation) => {
      if (/Get/.test(operation)) busyUntil ??= Date.now() + 8_000;
      return busyUntil !== undefined && Date.now() < busyUntil ? 'unanswered' : undefined;
    });
    const { local } = await start(environment);
    expect(line.befallen.unanswered).toBeGreaterThan(1);
    expect(await found(local, 1)).toEqual([email(1)]);
    line.fail(undefined);
    await line.stop();
  });

  test('has the data of the last, which signals end; without its table it makes a new key', async () => {
    const first = await start();
    await add(first.local, 1);
    await endCleanly(first, 'SIGTERM');
    const second = await start({}, [process.execPath, 'infra/start.ts', '--quiet']);
    const { BaseUrl, ...kept } = first.local;
    expect(second.local).toMatchObject(kept);
    expect(await found(second.local, 1)).toEqual([email(1)]);
    expect(second.output, 'the request log of --quiet').not.toContain('contacts/locate');
    await until(async () => JSON.stringify(await call(second.local, 'datasubscriber/fetch', {})).includes(email(1)));

    await endCleanly(second, 'SIGINT');
    const database = join(folder, 'dynamodb.sqlite');
    for (const file of [database, `${database}-wal`, `${database}-shm`]) rmSync(file, { force: true });
    const third = await start();
    expect(third.local.ApiKey).not.toBe(first.local.ApiKey);
    expect(await call(third.local, 'test/echo', {})).toMatchObject({ ResultCode: 0 });
  });

  test('with a demo says what it creates, and shows no requests of its own; an unknown FS_DEMO is refused', async () => {
    const { output } = await start({ FS_DEMO: 'small' });
    expect(output.split('Ready: ')[0]?.split('\n')).toEqual([
      `Starting DynamoDB and the API, with the data in ${folder} …`,
      'Creating a demo company with a year of jobs: about ten seconds …',
      '',
    ]);
    expect(output).toContain('/c/booking/');
    expect(output).toContain('/office/start?login_hint=');
    expect(output).not.toMatch(/^\d\d:\d\d:\d\d {2}/m);
    const { code, errors } = await refused({ FS_DATA: join(parent, 'other'), FS_DEMO: 'banana' });
    expect([code, errors]).toEqual([1, 'FS_DEMO must be full, small or 0, not "banana".\n']);
  });

  test('by npm ends when npm is killed, without a process left', async () => {
    const npm = await start({}, ['npm', 'start', '--silent']);
    expect(enginesIn(folder)).toHaveLength(1);
    await npm.end('SIGKILL');
    await until(() => processesWith(folder).length === 0);
    await expect(fetch(npm.local.BaseUrl)).rejects.toThrow();
  });
});

describe.runIf(EVERY_START)('a stack that cannot start says why in one line', () => {
  beforeEach(makeFolder);
  afterEach(endAll);

  test('when npm ci could not install its Node.js, and that of the machine is too old', async () => {
    const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
    const [, ...parameters] = packageFile.scripts.start.split(' ');
    const { code, errors } = await refused(
      { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}` },
      [process.execPath, ...parameters],
    );
    expect([code, errors]).toEqual([1, expect.stringMatching(/^This is Node\.js 20\.20\.2; Node\.js 22\.18 .*\.\n$/)]);
  });

  test('when its port is taken', async () => {
    const server = createServer();
    const port = await new Promise<number>((done) =>
      server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port)),
    );
    const { code, errors } = await refused({ FS_DATA: folder, PORT: String(port) });
    server.close();
    expect([code, errors]).toEqual([
      1,
      `Port ${port} is in use by another program. Stop that program, or set PORT to another port.\n`,
    ]);
  });

  test('without an engine', async () => {
    const { code, errors } = await refused({ FS_DATA: folder, ...withoutEngine });
    expect([code, errors]).toEqual([1, expect.stringMatching(sentence)]);
    expect(errors).toMatch(/^No DynamoDB engine found for \w+-mips\. /);
  });

  test('when nothing listens at DYNAMODB_ENDPOINT', async () => {
    const { code, errors } = await refused({
      FS_DATA: folder,
      ...withoutEngine,
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:9',
    });
    expect([code, errors]).toEqual([1, 'DynamoDB does not answer at 127.0.0.1:9. Check DYNAMODB_ENDPOINT.\n']);
  });

  test('when its folder is not writable', async () => {
    writeFileSync(folder, 'a file');
    const { code, errors } = await refused({ FS_DATA: join(folder, 'data') });
    expect([code, errors]).toEqual([1, expect.stringMatching(sentence)]);
    expect(errors).toContain(`The data folder ${join(folder, 'data')} is not writable`);
  });

  test('when its folder is where no folder can be made', async () => {
    const { code, errors } = await refused({ FS_DATA: '/proc/data' });
    expect([code, errors]).toEqual([1, expect.stringMatching(sentence)]);
    expect(errors).toContain('The data folder /proc/data is not writable');
  });

  test.each(['http', '-1', '70000', '4000.5'])('when PORT is %s', async (PORT) => {
    expect(await refused({ FS_DATA: folder, PORT })).toMatchObject({
      code: 1,
      errors: `PORT must be a number from 0 to 65535, not "${PORT}".\n`,
    });
  });

  test('when FS_CORS_ORIGINS names no origin', async () => {
    const { code, errors } = await refused({ FS_DATA: folder, FS_CORS_ORIGINS: 'http://localhost:5173, *' });
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^FS_CORS_ORIGINS must be origins such as .+, not "\*"\.\n$/),
    ]);
  });

  test('when FS_SIGN_IN is another word', async () => {
    expect(await refused({ FS_DATA: folder, FS_SIGN_IN: 'maybe' })).toMatchObject({
      code: 1,
      errors: 'FS_SIGN_IN must be 1 or 0, not "maybe".\n',
    });
  });

  test('when local.json or the data file is damaged', async () => {
    await (await start()).end('SIGTERM');
    const whole = readFileSync(join(folder, 'local.json'), 'utf8');
    writeFileSync(join(folder, 'local.json'), whole.slice(0, 40));
    const damaged = { code: 1, errors: expect.stringMatching(sentence) };
    expect(await refused({ FS_DATA: folder })).toMatchObject(damaged);
    writeFileSync(join(folder, 'local.json'), whole);
    writeFileSync(
      join(folder, 'dynamodb.sqlite'),
      'this is no database, and it is longer than a header of one hundred bytes would have to be, so it is read',
    );
    expect(await refused({ FS_DATA: folder })).toMatchObject(damaged);
  });
});
