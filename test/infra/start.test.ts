import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LocalJson } from '../../infra/local/data-folder.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { type StackProcess, enginesIn, processesWith, refused, running, until } from '../support/stack/process.ts';

let parent: string;
let folder: string;
const started: StackProcess[] = [];

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'local-'));
  folder = join(parent, 'data');
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((stack) => stack.end('SIGKILL')));
  await until(() => processesWith(folder).length === 0);
  rmSync(parent, { recursive: true });
});

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
const sentence = /^[^\n]+ [^\n]*\.\n$/;

/** Adds contacts one after another until the stack is gone, and puts down the numbers of those that it acknowledged. */
async function addUntilGone(local: LocalJson, first: number, acknowledged: number[]): Promise<void> {
  for (let number = first; ; number += 4) {
    const answer = await add(local, number).catch(() => undefined);
    if (!answer) return;
    if (answer.ResultCode === 0) acknowledged.push(number);
  }
}

describe('a start', () => {
  test('says where it serves, and leaves what is needed to use it in a file for its owner alone', async () => {
    const stack = await start();
    expect(stack.output).toMatch(/^Ready: http:\/\/127\.0\.0\.1:\d+$/m);
    expect(stack.startedIn).toBeLessThan(5_000);
    expect(stack.output).toContain('local.json');
    expect(stack.output).not.toContain(stack.local.ApiKey);
    expect(stack.local).toEqual({
      BaseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      ApiKey: expect.stringMatching(/^fs_/),
      AccountId: expect.any(String),
      OrganizationId: 1,
      DynamoDBEndpoint: expect.any(String),
      AwsEndpoint: expect.any(String),
      TableName: expect.any(String),
      Bucket: expect.any(String),
      Region: expect.any(String),
    });
    expect(statSync(join(folder, 'local.json')).mode & 0o777).toBe(0o600);
    expect(await call(stack.local, 'test/echo', {})).toMatchObject({ ResultCode: 0 });
    await until(() => /^\d\d:\d\d:\d\d {2}test\/echo +200 +\d+ ms$/m.test(stack.output));
    expect(stack.output).not.toContain(stack.local.ApiKey);
  });

  test('has the data of the previous start: key, contacts, events', async () => {
    const first = await start();
    await add(first.local, 1);
    expect(await first.end('SIGTERM')).toMatchObject({ code: 0 });
    const second = await start({}, [process.execPath, 'infra/start.ts', '--quiet']);
    const { BaseUrl, ...kept } = first.local;
    expect(second.local).toMatchObject(kept);
    expect(await found(second.local, 1)).toEqual([email(1)]);
    expect(second.output, 'the request log of --quiet').not.toContain('contacts/locate');
    await until(async () => JSON.stringify(await call(second.local, 'datasubscriber/fetch', {})).includes(email(1)));
  });

  test('shows a change to datasubscriber/fetch within a second of its answer', async () => {
    const { local } = await start();
    const delays: number[] = [];
    for (let number = 1; number <= 3; number++) {
      await add(local, number);
      const answeredAt = performance.now();
      await until(
        async () => JSON.stringify(await call(local, 'datasubscriber/fetch', {})).includes(email(number)),
        10_000,
      );
      delays.push(performance.now() - answeredAt);
    }
    // On a busy machine one of them may take longer.
    expect(delays.filter((milliseconds) => milliseconds <= 1_000).length).toBeGreaterThanOrEqual(2);
  });

  test('makes a new key when the table that knew the old one is gone', async () => {
    const first = await start();
    await first.end('SIGTERM');
    for (const file of ['dynamodb.sqlite', 'dynamodb.sqlite-wal', 'dynamodb.sqlite-shm'])
      rmSync(join(folder, file), { force: true });
    const second = await start();
    expect(second.local.ApiKey).not.toBe(first.local.ApiKey);
    expect(await call(second.local, 'test/echo', {})).toMatchObject({ ResultCode: 0 });
  });
});

test('without an engine a stack uses the DynamoDB at DYNAMODB_ENDPOINT', async () => {
  const elsewhere = await start();
  const { local } = await start({
    ...withoutEngine,
    FS_DATA: join(parent, 'other'),
    DYNAMODB_ENDPOINT: elsewhere.local.DynamoDBEndpoint,
  });
  expect(local.DynamoDBEndpoint).toBe(elsewhere.local.DynamoDBEndpoint);
  await add(local, 1);
  expect(await found(local, 1)).toEqual([email(1)]);
});

describe('an end', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'by %s comes within 2 s, with exit code 0, and leaves no process',
    async (signal) => {
      const stack = await start();
      await add(stack.local, 1);
      expect(enginesIn(folder)).toHaveLength(1);
      const { code, endedIn, errors } = await stack.end(signal);
      expect([code, errors]).toEqual([0, '']);
      expect(endedIn).toBeLessThan(2_000);
      await until(() => processesWith(folder).length === 0, 500);
    },
  );

  test('by kill -9 under load loses nothing that was acknowledged, and leaves no process', async () => {
    const stack = await start();
    const acknowledged: number[] = [];
    const load = Promise.all([1, 2, 3, 4].map((first) => addUntilGone(stack.local, first, acknowledged)));
    await until(() => acknowledged.length > 20, 15_000);
    await stack.end('SIGKILL');
    await until(() => processesWith(folder).length === 0, 500);
    await load;
    const { local } = await start();
    for (const number of acknowledged) expect(await found(local, number)).toEqual([email(number)]);
  });

  test('of npm by kill -9 ends the stack that npm started', async () => {
    const npm = await start({}, ['npm', 'start', '--silent']);
    expect(enginesIn(folder)).toHaveLength(1);
    await npm.end('SIGKILL');
    await until(() => processesWith(folder).length === 0);
    await expect(fetch(npm.local.BaseUrl)).rejects.toThrow();
  });

  test('of the engine alone by kill -9 restarts it, and nothing that was acknowledged is lost', async () => {
    const { local } = await start();
    await add(local, 1);
    for (const pid of enginesIn(folder)) process.kill(pid, 'SIGKILL');
    await until(async () => (await add(local, 2)).ResultCode === 0, 10_000);
    expect([await found(local, 1), await found(local, 2)]).toEqual([[email(1)], [email(2)]]);
  });
});

describe('a stack that cannot start says why in one line', () => {
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

  test('when its folder is in use by another stack, which goes on', async () => {
    const { local } = await start();
    const { code, errors } = await refused({ FS_DATA: folder });
    expect([code, errors]).toEqual([
      1,
      `The data folder ${folder} is in use by another stack. Stop that stack, or set FS_DATA to another folder.\n`,
    ]);
    expect(await call(local, 'test/echo', {})).toMatchObject({ ResultCode: 0 });
  });

  test.each(['http', '-1', '70000', '4000.5'])('when PORT is %s', async (PORT) => {
    expect(await refused({ FS_DATA: folder, PORT })).toMatchObject({
      code: 1,
      errors: `PORT must be a number from 0 to 65535, not "${PORT}".\n`,
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
